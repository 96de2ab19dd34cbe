#include "libvolpt/volume/pack/layer_packer.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/sys/parallel.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <limits>

namespace volpt {

LayerPacker::LayerPacker(VolumeMeta const& meta, std::vector<Material> const& materials,
                         std::filesystem::path const& folder, int threads)
    : meta_(meta), materials_(materials), brick_counts_(count_bricks_by_axis(meta)),
      distinct_(find_distinct_bands(meta, materials)), material_tables_(build_material_tables(meta.bands(), materials)),
      majorants_(brick_counts_, distinct_.representative.size(), meta.filter),
      threads_(std::clamp(threads, 1, brick_counts_[1]))
{
    auto const open_plane = [&](std::optional<PlanePacker>& plane, PlaneShape shape, vpk::PlaneSections sections) {
        if (shape.channels > 0) plane.emplace(shape, meta.dims, brick_counts_, folder, sections);
    };
    open_plane(density_, density_shape(meta), vpk::kDensity);
    open_plane(albedo_, albedo_shape(meta), vpk::kAlbedo);
    open_plane(label_, label_shape(meta), vpk::kLabel);
    open_plane(emission_, emission_shape(meta), vpk::kEmission);
    open_plane(values_, values_shape(meta), vpk::kValues);
    statistics_.bricks = count_bricks(meta);
}

LayerPacker::RowWork LayerPacker::make_row_work() const
{
    RowWork row;
    if (density_) row.density = density_->make_row();
    if (albedo_) row.albedo = albedo_->make_row();
    if (label_) row.label = label_->make_row();
    if (emission_) row.emission = emission_->make_row();
    if (values_) row.values = values_->make_row();
    return row;
}

void LayerPacker::pack(BrickLayer const& layer)
{
    while (rows_.size() < static_cast<std::size_t>(threads_)) rows_.push_back(make_row_work());
    parallel_for_ordered(
        threads_, static_cast<std::size_t>(brick_counts_[1]),
        [&](std::size_t y, int worker) {
            pack_row(layer, static_cast<int>(y), rows_[static_cast<std::size_t>(worker)]);
        },
        [&](std::size_t, int worker) { add_row(rows_[static_cast<std::size_t>(worker)]); });
    if (meta_.extinction != Source::constant) majorants_.end_layer();
}

void LayerPacker::pack_row(BrickLayer const& layer, int brick_y, RowWork& row) const
{
    int const y_first = brick_y * kBrickEdge;
    int const rows = std::min(kBrickEdge, meta_.dims[1] - y_first);
    row.density_error_max = row.albedo_error_max = 0;
    row.density_sums = {};
    row.label_voxels = {};
    encode_rows(layer, y_first, rows, row);
    auto const row_voxels = static_cast<std::size_t>(meta_.dims[0]);
    for (int z = 0; label_ && z < layer.z_count; ++z)
        count_labels({layer.label[static_cast<std::size_t>(z)] + static_cast<std::size_t>(y_first) * row_voxels,
                      static_cast<std::size_t>(rows) * row_voxels},
                     row.label_voxels);
    auto const pack_plane = [&](std::optional<PlanePacker> const& plane, std::optional<PlaneRow>& of_plane) {
        if (!plane) return;
        of_plane->codes.replicate_edges(rows, layer.z_count);
        plane->pack_row(*of_plane);
    };
    pack_plane(density_, row.density);
    pack_plane(albedo_, row.albedo);
    pack_plane(label_, row.label);
    pack_plane(emission_, row.emission);
    pack_plane(values_, row.values);
    find_maxima(row);
}

void LayerPacker::add_row(RowWork const& row)
{
    std::vector<std::uint8_t> constant(static_cast<std::size_t>(brick_counts_[0]), 1);
    auto const add_plane = [&](std::optional<PlanePacker>& plane, std::optional<PlaneRow> const& of_plane) {
        if (!plane) return;
        plane->add_row(*of_plane);
        for (std::size_t x = 0; x < constant.size(); ++x) constant[x] &= of_plane->constant[x];
    };
    add_plane(density_, row.density);
    add_plane(albedo_, row.albedo);
    add_plane(label_, row.label);
    add_plane(emission_, row.emission);
    if (values_) values_->add_row(*row.values);
    statistics_.constant_bricks +=
        static_cast<std::uint64_t>(std::count(constant.begin(), constant.end(), std::uint8_t{1}));
    statistics_.density_error_max = std::max(statistics_.density_error_max, row.density_error_max);
    statistics_.albedo_error_max = std::max(statistics_.albedo_error_max, row.albedo_error_max);
    for (double const sum : row.density_sums) density_sum_ += sum;
    for (std::size_t label = 0; label < label_voxels_.size(); ++label) label_voxels_[label] += row.label_voxels[label];
    for (SubBoxMaxima const& maxima : row.maxima) majorants_.add(maxima);
}

void LayerPacker::encode_rows(BrickLayer const& layer, int y_first, int rows, RowWork& row) const
{
    auto const row_voxels = static_cast<std::size_t>(meta_.dims[0]);
    for (int z = 0; z < layer.z_count; ++z) {
        for (int y = 0; y < rows; ++y) {
            auto const i = static_cast<std::size_t>(z);
            std::size_t const first = static_cast<std::size_t>(y_first + y) * row_voxels;
            std::array<int, 3> const at{0, y_first + y, layer.z_first + z};
            if (density_) {
                std::span const values(layer.density[i] + first, row_voxels);
                double const error =
                    encode_float_row(*density_, ErrorMeasure::absolute, values, at, row.density->codes.row_codes(y, z));
                row.density_error_max = std::max(row.density_error_max, error);
                row.density_sums[static_cast<std::size_t>(z * kBrickEdge + y)] = sum_row(values);
            }
            if (albedo_) {
                std::size_t const bands = meta_.bands();
                std::span const values(layer.one_minus_albedo[i] + first * bands, row_voxels * bands);
                double const error =
                    encode_float_row(*albedo_, ErrorMeasure::relative, values, at, row.albedo->codes.row_codes(y, z));
                row.albedo_error_max = std::max(row.albedo_error_max, error);
            }
            if (label_) copy_label_row({layer.label[i] + first, row_voxels}, at, row.label->codes.row_codes(y, z));
            if (emission_) {
                std::size_t const bands = meta_.bands();
                std::span const values(layer.emission[i] + first * bands, row_voxels * bands);
                encode_float_row(*emission_, ErrorMeasure::absolute, values, at, row.emission->codes.row_codes(y, z));
            }
            if (values_)
                encode_value_row({layer.source_values[i] + first, row_voxels}, at, row.values->codes.row_codes(y, z));
        }
    }
}

/// Returns the largest error.
double LayerPacker::encode_float_row(PlanePacker const& plane, ErrorMeasure measure, std::span<float const> values,
                                     std::array<int, 3> at, std::byte* codes) const
{
    PlaneShape const& shape = plane.shape();
    RowFindings const found = encode_row(shape.encoding, shape.value_scale, measure, values, codes);
    bool const overflows = shape.encoding == Encoding::f16 && found.largest_code >= kHalfInfinityCode;
    if (found.largest_bits > bits_from_float(find_largest_value(plane)) || overflows) refuse_value(plane, values, at);
    return static_cast<double>(found.error_max);
}

float LayerPacker::find_largest_value(PlanePacker const& plane) const
{
    if (albedo_ && &plane == &*albedo_) return 1.0f;
    return emission_ && &plane == &*emission_ ? vpk::kMaxEmission : std::numeric_limits<float>::max();
}

void LayerPacker::refuse_value(PlanePacker const& plane, std::span<float const> values, std::array<int, 3> at) const
{
    bool const is_density = density_ && &plane == &*density_;
    bool const is_emission = emission_ && &plane == &*emission_;
    bool const is_half = plane.shape().encoding == Encoding::f16;
    float const high = is_density && is_half ? 65504.0f : find_largest_value(plane);
    auto const is_bad = [&](float v) { return !(v >= 0.0f && v <= high); };
    auto const index = static_cast<std::size_t>(std::find_if(values.begin(), values.end(), is_bad) - values.begin());
    std::size_t const channels = plane.shape().channels;
    std::string const band = is_density ? "" : fmt::format(", band {}", index % channels);
    fail_input(fmt::format("{} is {}",
                           is_density    ? "density"
                           : is_emission ? "emission"
                                         : "1 - albedo",
                           values[index]),
               fmt::format("voxel ({}, {}, {}){}", index / channels, at[1], at[2], band),
               is_density    ? fmt::format("densities are 0 to {}{}", high, is_half ? " in f16" : "")
               : is_emission ? fmt::format("radiance is 0 to {}", high)
                             : "albedo is 0 to 1",
               is_density && is_half ? "store them as f32, or scale them down" : "repair or remap the values");
}

void LayerPacker::encode_value_row(std::span<float const> values, std::array<int, 3> at, std::byte* codes) const
{
    ValueCode const code = choose_value_code(*meta_.kept_values);
    std::vector<float> from_offset(values.begin(), values.end());
    for (float& value : from_offset) value -= code.offset;
    RowFindings const found = encode_row(code.encoding, 1.0f, ErrorMeasure::absolute, from_offset, codes);
    if (found.error_max == 0.0f) return; // not so of NaN and infinities, either
    fail_input(fmt::format("a number is none of type {}", element_name(*meta_.kept_values)),
               fmt::format("voxels (0 to {}, {}, {})", values.size() - 1, at[1], at[2]),
               "numbers are kept to the last bit", "leave out --keep-values");
}

void LayerPacker::copy_label_row(std::span<std::uint8_t const> labels, std::array<int, 3> at, std::byte* codes) const
{
    std::uint8_t largest = 0;
    for (std::uint8_t const value : labels) largest = std::max(largest, value);
    if (largest >= materials_.size()) {
        auto const unknown =
            std::find_if(labels.begin(), labels.end(), [&](std::uint8_t value) { return value >= materials_.size(); });
        fail_input(fmt::format("label {} has no material", *unknown),
                   fmt::format("voxel ({}, {}, {})", unknown - labels.begin(), at[1], at[2]),
                   fmt::format("the table has {} materials, 0 to {}", materials_.size(), materials_.size() - 1),
                   "add the material or remap the labels");
    }
    std::memcpy(codes, labels.data(), labels.size());
}

void LayerPacker::find_maxima(RowWork& row) const
{
    row.maxima.clear();
    if (meta_.extinction == Source::constant) return;
    bool const has_density = meta_.extinction == Source::plane;
    PlaneRow const& plane = has_density ? *row.density : *row.label;
    std::array<std::uint32_t, kBrickVoxels> codes;
    for (int x = 0; x < brick_counts_[0]; ++x) {
        bool const is_constant = plane.is_constant(static_cast<std::size_t>(x));
        if (is_constant)
            codes.front() = plane.codes.first_code(x, 0);
        else
            plane.codes.widen(x, codes);
        if (has_density)
            row.maxima.push_back(is_constant ? fill_maxima(codes.front()) : find_sub_box_maxima(codes));
        else
            add_label_maxima(std::span(codes).first(is_constant ? 1 : codes.size()), row.maxima);
    }
}

/// Of a brick with these labels, or with one alone.
void LayerPacker::add_label_maxima(std::span<std::uint32_t const> labels, std::vector<SubBoxMaxima>& maxima) const
{
    std::array<std::uint32_t, kBrickVoxels> keys;
    for (std::uint32_t band : distinct_.representative) {
        float const* const sigma_t = material_tables_.data() + std::size_t{band} * kMaxMaterials;
        auto const key_of = [&](std::uint32_t label) { return bits_from_float(sigma_t[label]); };
        if (labels.size() == 1) {
            maxima.push_back(fill_maxima(key_of(labels.front())));
            continue;
        }
        std::transform(labels.begin(), labels.end(), keys.begin(), key_of);
        maxima.push_back(find_sub_box_maxima(keys));
    }
}

std::vector<float> LayerPacker::finish_majorants(StoredMeta& stored)
{
    if (meta_.extinction == Source::constant) {
        stored.by_band.global_majorant = stored.by_band.constant_extinction;
        return {};
    }
    majorants_.finish();
    std::size_t const count = distinct_.representative.size();
    std::vector<std::uint32_t> const& keys = majorants_.keys();
    std::vector<float> local(keys.size());
    std::vector<float> global(count);
    PlaneShape const shape = density_shape(meta_);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        float const value = meta_.extinction == Source::plane
                                ? decode_element(shape.encoding, shape.value_scale, keys[i])
                                : float_from_bits(keys[i]);
        local[i % count * statistics_.bricks + i / count] = value;
        global[i % count] = std::max(global[i % count], value);
    }
    for (std::uint32_t band = 0; band < meta_.bands(); ++band) {
        stored.by_band.global_majorant[band] = global[distinct_.index[band]];
    }
    return local;
}

double LayerPacker::sum_extinction(std::uint32_t band) const
{
    if (meta_.extinction == Source::plane) return density_sum_;
    double sum = 0;
    for (std::size_t m = 0; m < materials_.size(); ++m) {
        sum += static_cast<double>(label_voxels_[m]) * static_cast<double>(materials_[m].sigma_t[band]);
    }
    return sum;
}

PackStatistics LayerPacker::finish_statistics(std::vector<float> const& local, StoredMeta const& stored) const
{
    PackStatistics figures = statistics_;
    if (!density_ && !albedo_ && !label_ && !emission_) figures.constant_bricks = figures.bricks;
    double const voxels = static_cast<double>(meta_.dims[0]) * meta_.dims[1] * meta_.dims[2];
    double const count = static_cast<double>(distinct_.representative.size());
    for (std::size_t d = 0; d < distinct_.representative.size(); ++d) {
        std::uint32_t const band = distinct_.representative[d];
        double const global = static_cast<double>(stored.by_band.global_majorant[band]);
        if (!(global > 0)) continue;
        if (meta_.extinction == Source::constant) {
            figures.mean_majorant_ratio += 1 / count;
            figures.mean_extinction_ratio += 1 / count;
            continue;
        }
        double const sum = sum_row(std::span(local).subspan(d * figures.bricks, figures.bricks));
        figures.mean_majorant_ratio += sum / static_cast<double>(figures.bricks) / global / count;
        figures.mean_extinction_ratio += sum_extinction(band) / voxels / global / count;
    }
    return figures;
}

VolumeView LayerPacker::view_tables() const
{
    VolumeView tables;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        tables.dims[axis] = meta_.dims[axis];
        tables.brick_counts[axis] = brick_counts_[axis];
        tables.pitch_mm[axis] = meta_.pitch_mm[axis];
    }
    tables.filter = meta_.filter;
    if (density_) tables.density = density_->table_view();
    if (albedo_) tables.one_minus_albedo = albedo_->table_view();
    if (label_) tables.label = label_->table_view();
    return tables;
}

void LayerPacker::write_planes(SectionedWriter& writer)
{
    for (std::optional<PlanePacker>* plane : {&density_, &albedo_, &label_, &emission_, &values_}) {
        if (*plane) (*plane)->write_sections(writer, threads_);
    }
}

} // namespace volpt
