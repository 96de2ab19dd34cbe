#include "libvolpt/volume/pack/layer_packer.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/volume/clearance/clearance.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <limits>

namespace volpt {

LayerPacker::LayerPacker(VolumeMeta const& meta, std::vector<Material> const& materials,
                         std::filesystem::path const& folder)
    : meta_(meta), materials_(materials), brick_counts_(count_bricks_by_axis(meta)),
      distinct_(find_distinct_bands(meta, materials)), material_tables_(build_material_tables(meta.bands(), materials)),
      majorants_(brick_counts_, distinct_.representative.size(), meta.filter),
      constant_in_row_(static_cast<std::size_t>(brick_counts_[0]))
{
    auto const open_plane = [&](std::optional<PlanePacker>& plane, PlaneShape shape, vpk::PlaneSections sections) {
        if (shape.channels > 0) plane.emplace(shape, meta.dims, brick_counts_, folder, sections);
    };
    open_plane(density_, density_shape(meta), vpk::kDensity);
    open_plane(albedo_, albedo_shape(meta), vpk::kAlbedo);
    open_plane(label_, label_shape(meta), vpk::kLabel);
    statistics_.bricks = count_bricks(meta);
}

void LayerPacker::pack(BrickLayer const& layer)
{
    for (int y_first = 0; y_first < meta_.dims[1]; y_first += kBrickEdge) {
        int const rows = std::min(kBrickEdge, meta_.dims[1] - y_first);
        encode_rows(layer, y_first, rows);
        std::fill(constant_in_row_.begin(), constant_in_row_.end(), std::uint8_t{1});
        for (std::optional<PlanePacker>* plane : {&density_, &albedo_, &label_}) {
            if (!*plane) continue;
            (*plane)->row().replicate_edges(rows, layer.z_count);
            (*plane)->add_row(constant_in_row_);
        }
        statistics_.constant_bricks +=
            static_cast<std::uint64_t>(std::count(constant_in_row_.begin(), constant_in_row_.end(), std::uint8_t{1}));
        add_majorants();
    }
    if (meta_.extinction != Source::constant) majorants_.end_layer();
}

void LayerPacker::encode_rows(BrickLayer const& layer, int y_first, int rows)
{
    auto const row_voxels = static_cast<std::size_t>(meta_.dims[0]);
    for (int z = 0; z < layer.z_count; ++z) {
        for (int y = 0; y < rows; ++y) {
            auto const i = static_cast<std::size_t>(z);
            std::size_t const first = static_cast<std::size_t>(y_first + y) * row_voxels;
            std::array<int, 3> const at{0, y_first + y, layer.z_first + z};
            if (density_) {
                std::span const values(layer.density[i] + first, row_voxels);
                encode_float_row(*density_, ErrorMeasure::absolute, values, at, y, z);
                density_sum_ += sum_row(values);
            }
            if (albedo_) {
                std::size_t const bands = meta_.bands();
                std::span const values(layer.one_minus_albedo[i] + first * bands, row_voxels * bands);
                encode_float_row(*albedo_, ErrorMeasure::relative, values, at, y, z);
            }
            if (label_) copy_label_row({layer.label[i] + first, row_voxels}, at, y, z);
        }
    }
}

void LayerPacker::encode_float_row(PlanePacker& plane, ErrorMeasure measure, std::span<float const> values,
                                   std::array<int, 3> at, int row_y, int row_z)
{
    PlaneShape const& shape = plane.shape();
    RowFindings const found =
        encode_row(shape.encoding, shape.value_scale, measure, values, plane.row().row_codes(row_y, row_z));
    bool const is_fraction = measure == ErrorMeasure::relative;
    std::uint32_t const largest_allowed = bits_from_float(is_fraction ? 1.0f : std::numeric_limits<float>::max());
    bool const overflows = shape.encoding == Encoding::f16 && found.largest_code >= kHalfInfinityCode;
    if (found.largest_bits > largest_allowed || overflows) refuse_value(plane, values, at);
    double& error_max = is_fraction ? statistics_.albedo_error_max : statistics_.density_error_max;
    error_max = std::max(error_max, static_cast<double>(found.error_max));
}

void LayerPacker::refuse_value(PlanePacker const& plane, std::span<float const> values, std::array<int, 3> at) const
{
    bool const is_density = density_ && &plane == &*density_;
    bool const is_half = plane.shape().encoding == Encoding::f16;
    float const high = !is_density ? 1.0f : is_half ? 65504.0f : std::numeric_limits<float>::max();
    auto const is_bad = [&](float v) { return !(v >= 0.0f && v <= high); };
    auto const index = static_cast<std::size_t>(std::find_if(values.begin(), values.end(), is_bad) - values.begin());
    std::size_t const channels = plane.shape().channels;
    std::string const band = is_density ? "" : fmt::format(", band {}", index % channels);
    fail_input(fmt::format("{} is {}", is_density ? "density" : "1 - albedo", values[index]),
               fmt::format("voxel ({}, {}, {}){}", index / channels, at[1], at[2], band),
               is_density ? fmt::format("densities are 0 to {}{}", high, is_half ? " in f16" : "") : "albedo is 0 to 1",
               is_density && is_half ? "store them as f32, or scale them down" : "repair or remap the values");
}

void LayerPacker::copy_label_row(std::span<std::uint8_t const> labels, std::array<int, 3> at, int row_y, int row_z)
{
    for (std::uint8_t value : labels) ++label_voxels_[value];
    auto const unknown =
        std::find_if(labels.begin(), labels.end(), [&](std::uint8_t value) { return value >= materials_.size(); });
    if (unknown != labels.end()) {
        fail_input(fmt::format("label {} has no material", *unknown),
                   fmt::format("voxel ({}, {}, {})", unknown - labels.begin(), at[1], at[2]),
                   fmt::format("the table has {} materials, 0 to {}", materials_.size(), materials_.size() - 1),
                   "add the material or remap the labels");
    }
    std::memcpy(label_->row().row_codes(row_y, row_z), labels.data(), labels.size());
}

// For the row just packed.
void LayerPacker::add_majorants()
{
    if (meta_.extinction == Source::constant) return;
    PlanePacker& plane = meta_.extinction == Source::plane ? *density_ : *label_;
    std::array<std::uint32_t, kBrickVoxels> codes;
    std::array<std::uint32_t, kBrickVoxels> keys;
    for (int x = 0; x < brick_counts_[0]; ++x) {
        plane.row().widen(x, codes);
        if (meta_.extinction == Source::plane) {
            majorants_.add(find_sub_box_maxima(codes));
            continue;
        }
        for (std::uint32_t band : distinct_.representative) {
            float const* const sigma_t = material_tables_.data() + std::size_t{band} * kMaxMaterials;
            std::transform(codes.begin(), codes.end(), keys.begin(),
                           [&](std::uint32_t code) { return bits_from_float(sigma_t[code]); });
            majorants_.add(find_sub_box_maxima(keys));
        }
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
    if (!density_ && !albedo_ && !label_) figures.constant_bricks = figures.bricks;
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

std::vector<float> LayerPacker::finish_clearance() const
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
    std::vector<float> clearance_mm = compute_clearance_mm(tables, 0);
    bool const has_any = std::any_of(clearance_mm.begin(), clearance_mm.end(), [](float value) { return value > 0; });
    return has_any ? clearance_mm : std::vector<float>{};
}

void LayerPacker::write_planes(SectionedWriter& writer)
{
    for (std::optional<PlanePacker>* plane : {&density_, &albedo_, &label_}) {
        if (*plane) (*plane)->write_sections(writer);
    }
}

} // namespace volpt
