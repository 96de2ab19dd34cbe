// Regroups slabs into layers of bricks, feeds planes and majorants row by row, and writes the finished file.
#include "libvolpt/volume/packer.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/volume/encode_row.h"
#include "libvolpt/volume/majorant_builder.h"
#include "libvolpt/volume/meta.h"
#include "libvolpt/volume/plane_packer.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>

namespace volpt {
namespace {

constexpr auto kEdge = static_cast<std::size_t>(kBrickEdge);

/// Up to eight layers of voxels, wherever they lie.
struct BrickLayer {
    std::array<float const*, kEdge> density{};
    std::array<float const*, kEdge> one_minus_albedo{};
    std::array<std::uint8_t const*, kEdge> label{};
    int z_first = 0;
    int z_count = 0;
};

VolumeMeta checked(VolumeMeta meta, std::vector<Material> const& materials)
{
    if (std::string const found = find_contradiction(meta, materials); !found.empty()) {
        fail_usage("the volume contradicts itself: " + found, "correct that field");
    }
    return meta;
}

std::string checked_json(std::string json, char const* what)
{
    if (!nlohmann::json::accept(json)) fail_usage(fmt::format("the {} are not valid JSON", what));
    return json;
}

template <typename T> std::span<std::byte const> bytes_of(T const& value)
{
    return std::as_bytes(std::span(&value, 1));
}

std::span<std::byte const> bytes_of_text(std::string const& text)
{
    return std::as_bytes(std::span(text));
}

} // namespace

struct VolumePacker::Impl {
    Impl(std::filesystem::path const& path, VolumeMeta checked_meta, std::vector<Material> table);

    bool has_planes() const { return density || albedo || label; }
    std::size_t layer_voxels() const
    {
        return static_cast<std::size_t>(meta.dims[0]) * static_cast<std::size_t>(meta.dims[1]);
    }

    void check_slab(VoxelSlab const& slab) const;
    void add_layers(VoxelSlab const& slab);
    void keep_layer(VoxelSlab const& slab, std::size_t z);
    void pack_kept_layers();
    void pack_layer(BrickLayer const& layer);
    void encode_float_row(PlanePacker& plane, ErrorMeasure measure, std::span<float const> values,
                          std::array<int, 3> at, int row_y, int row_z);
    void copy_label_row(std::span<std::uint8_t const> labels, std::array<int, 3> at, int row_y, int row_z);
    void add_majorants();
    [[noreturn]] void refuse_value(PlanePacker const& plane, std::span<float const> values,
                                   std::array<int, 3> at) const;
    void finish_statistics(std::vector<float> const& local, vpk::MetaRecord& record);
    std::vector<float> collect_majorants(vpk::MetaRecord& record);
    void write_file(Provenance const& provenance);

    VolumeMeta meta;
    std::vector<Material> materials;
    std::array<int, 3> brick_counts;
    ExtinctionBands distinct;
    std::vector<float> material_tables;
    SectionedWriter writer;
    std::optional<PlanePacker> density;
    std::optional<PlanePacker> albedo;
    std::optional<PlanePacker> label;
    MajorantBuilder majorants;
    int next_z = 0;
    int kept_layers = 0; ///< of the next layer of bricks, when slabs do not begin and end with it
    std::vector<float> kept_density;
    std::vector<float> kept_albedo;
    std::vector<std::uint8_t> kept_label;
    std::vector<std::uint8_t> constant_in_row;
    PackStatistics statistics;
    double density_sum = 0;
    std::array<std::uint64_t, kMaxMaterials> label_voxels{};
    std::string scene_hints = "{}";
    std::string source_metadata = "{}";
};

VolumePacker::Impl::Impl(std::filesystem::path const& path, VolumeMeta checked_meta, std::vector<Material> table)
    : meta(std::move(checked_meta)), materials(std::move(table)), brick_counts(count_bricks_by_axis(meta)),
      distinct(find_distinct_bands(meta, materials)), material_tables(build_material_tables(meta.bands(), materials)),
      writer(path, kVolumeFile), majorants(brick_counts, distinct.representative.size(), meta.filter)
{
    std::filesystem::path const folder = path.parent_path();
    auto const open_plane = [&](std::optional<PlanePacker>& plane, PlaneShape shape, vpk::PlaneSections sections) {
        if (shape.channels > 0) plane.emplace(shape, meta.dims, brick_counts, folder, sections);
    };
    open_plane(density, density_shape(meta), vpk::kDensity);
    open_plane(albedo, albedo_shape(meta), vpk::kAlbedo);
    open_plane(label, label_shape(meta), vpk::kLabel);
    statistics.bricks = count_bricks(meta);
}

void VolumePacker::Impl::check_slab(VoxelSlab const& slab) const
{
    if (slab.z_first != next_z || slab.z_count < 1 || slab.z_count > meta.dims[2] - next_z) {
        fail_usage(fmt::format("a slab of layers {} to {} came where layer {} of {} was due", slab.z_first,
                               slab.z_first + slab.z_count - 1, next_z, meta.dims[2]),
                   "feed slabs in z order without gaps");
    }
    std::size_t const voxels = layer_voxels() * static_cast<std::size_t>(slab.z_count);
    if (slab.density.size() != (density ? voxels : 0) ||
        slab.one_minus_albedo.size() != (albedo ? voxels * meta.bands() : 0) ||
        slab.label.size() != (label ? voxels : 0)) {
        fail_usage(fmt::format("a slab of {} voxels has {} densities, {} albedo values and {} labels", voxels,
                               slab.density.size(), slab.one_minus_albedo.size(), slab.label.size()),
                   "give each plane that the volume has, and no other");
    }
}

void VolumePacker::Impl::add_layers(VoxelSlab const& slab)
{
    auto const count = static_cast<std::size_t>(slab.z_count);
    for (std::size_t z = 0; z < count;) {
        std::size_t const wanted = std::min(kEdge, static_cast<std::size_t>(meta.dims[2] - next_z + kept_layers));
        if (kept_layers > 0 || count - z < wanted) {
            keep_layer(slab, z++);
            if (static_cast<std::size_t>(kept_layers) == wanted) pack_kept_layers();
            continue;
        }
        BrickLayer layer{.z_first = next_z, .z_count = static_cast<int>(wanted)};
        for (std::size_t i = 0; i < wanted; ++i, ++z) {
            if (density) layer.density[i] = slab.density.data() + z * layer_voxels();
            if (albedo) layer.one_minus_albedo[i] = slab.one_minus_albedo.data() + z * layer_voxels() * meta.bands();
            if (label) layer.label[i] = slab.label.data() + z * layer_voxels();
        }
        pack_layer(layer);
        next_z += layer.z_count;
    }
}

void VolumePacker::Impl::keep_layer(VoxelSlab const& slab, std::size_t z)
{
    auto const keep = [&](auto& kept, auto const& plane, std::size_t layer_size) {
        if (plane.empty()) return;
        auto const layer = plane.subspan(z * layer_size, layer_size);
        kept.insert(kept.end(), layer.begin(), layer.end());
    };
    keep(kept_density, slab.density, layer_voxels());
    keep(kept_albedo, slab.one_minus_albedo, layer_voxels() * meta.bands());
    keep(kept_label, slab.label, layer_voxels());
    ++kept_layers;
    ++next_z;
}

void VolumePacker::Impl::pack_kept_layers()
{
    BrickLayer layer{.z_first = next_z - kept_layers, .z_count = kept_layers};
    for (std::size_t i = 0; i < static_cast<std::size_t>(kept_layers); ++i) {
        layer.density[i] = kept_density.data() + (density ? i * layer_voxels() : 0);
        layer.one_minus_albedo[i] = kept_albedo.data() + (albedo ? i * layer_voxels() * meta.bands() : 0);
        layer.label[i] = kept_label.data() + (label ? i * layer_voxels() : 0);
    }
    pack_layer(layer);
    kept_density.clear();
    kept_albedo.clear();
    kept_label.clear();
    kept_layers = 0;
}

void VolumePacker::Impl::pack_layer(BrickLayer const& layer)
{
    auto const row_voxels = static_cast<std::size_t>(meta.dims[0]);
    constant_in_row.resize(static_cast<std::size_t>(brick_counts[0]));
    for (int y_first = 0; y_first < meta.dims[1]; y_first += kBrickEdge) {
        int const rows = std::min(kBrickEdge, meta.dims[1] - y_first);
        for (int z = 0; z < layer.z_count; ++z) {
            for (int y = 0; y < rows; ++y) {
                auto const i = static_cast<std::size_t>(z);
                std::size_t const first = static_cast<std::size_t>(y_first + y) * row_voxels;
                std::array<int, 3> const at{0, y_first + y, layer.z_first + z};
                if (density) {
                    std::span const values(layer.density[i] + first, row_voxels);
                    encode_float_row(*density, ErrorMeasure::absolute, values, at, y, z);
                    density_sum += sum_row(values);
                }
                if (albedo) {
                    std::size_t const bands = meta.bands();
                    std::span const values(layer.one_minus_albedo[i] + first * bands, row_voxels * bands);
                    encode_float_row(*albedo, ErrorMeasure::relative, values, at, y, z);
                }
                if (label) copy_label_row({layer.label[i] + first, row_voxels}, at, y, z);
            }
        }
        std::fill(constant_in_row.begin(), constant_in_row.end(), std::uint8_t{1});
        for (std::optional<PlanePacker>* plane : {&density, &albedo, &label}) {
            if (!*plane) continue;
            (*plane)->row().replicate_edges(rows, layer.z_count);
            (*plane)->add_row(constant_in_row);
        }
        statistics.constant_bricks +=
            static_cast<std::uint64_t>(std::count(constant_in_row.begin(), constant_in_row.end(), std::uint8_t{1}));
        add_majorants();
    }
    if (meta.extinction != Source::constant) majorants.end_layer();
}

void VolumePacker::Impl::encode_float_row(PlanePacker& plane, ErrorMeasure measure, std::span<float const> values,
                                          std::array<int, 3> at, int row_y, int row_z)
{
    PlaneShape const& shape = plane.shape();
    RowFindings const found =
        encode_row(shape.encoding, shape.value_scale, measure, values, plane.row().row_codes(row_y, row_z));
    bool const is_fraction = measure == ErrorMeasure::relative;
    std::uint32_t const largest_allowed = bits_from_float(is_fraction ? 1.0f : std::numeric_limits<float>::max());
    bool const overflows = shape.encoding == Encoding::f16 && found.largest_code >= kHalfInfinityCode;
    if (found.largest_bits > largest_allowed || overflows) refuse_value(plane, values, at);
    double& error_max = is_fraction ? statistics.albedo_error_max : statistics.density_error_max;
    error_max = std::max(error_max, static_cast<double>(found.error_max));
}

void VolumePacker::Impl::refuse_value(PlanePacker const& plane, std::span<float const> values,
                                      std::array<int, 3> at) const
{
    bool const is_density = density && &plane == &*density;
    bool const is_half = plane.shape().encoding == Encoding::f16;
    float const high = !is_density ? 1.0f : is_half ? 65504.0f : std::numeric_limits<float>::max();
    auto const is_bad = [&](float v) { return !(v >= 0.0f && v <= high); };
    auto const index = static_cast<std::size_t>(std::find_if(values.begin(), values.end(), is_bad) - values.begin());
    std::size_t const channels = plane.shape().channels;
    std::string const band = is_density ? "" : fmt::format(", band {}", index % channels);
    fail_input(fmt::format("{} is {}", is_density ? "density" : "1 - albedo", values[index]),
               fmt::format("voxel ({}, {}, {}){}", index / channels, at[1], at[2], band),
               is_density ? fmt::format("densities are 0 to {}{}", high, is_half ? " in f16" : "")
                          : "albedo lies in 0 to 1",
               is_density && is_half ? "store them as f32, or scale them down" : "repair or remap the values");
}

void VolumePacker::Impl::copy_label_row(std::span<std::uint8_t const> labels, std::array<int, 3> at, int row_y,
                                        int row_z)
{
    for (std::uint8_t value : labels) ++label_voxels[value];
    auto const unknown =
        std::find_if(labels.begin(), labels.end(), [&](std::uint8_t value) { return value >= materials.size(); });
    if (unknown != labels.end()) {
        fail_input(fmt::format("label {} has no material", *unknown),
                   fmt::format("voxel ({}, {}, {})", unknown - labels.begin(), at[1], at[2]),
                   fmt::format("the table has {} materials, 0 to {}", materials.size(), materials.size() - 1),
                   "add the material or remap the labels");
    }
    std::memcpy(label->row().row_codes(row_y, row_z), labels.data(), labels.size());
}

// Of the row just packed.
void VolumePacker::Impl::add_majorants()
{
    if (meta.extinction == Source::constant) return;
    PlanePacker& plane = meta.extinction == Source::plane ? *density : *label;
    std::array<std::uint32_t, kBrickVoxels> codes;
    std::array<std::uint32_t, kBrickVoxels> keys;
    for (int x = 0; x < brick_counts[0]; ++x) {
        plane.row().widen(x, codes);
        if (meta.extinction == Source::plane) {
            majorants.add(find_sub_box_maxima(codes));
            continue;
        }
        for (std::uint32_t band : distinct.representative) {
            float const* const sigma_t = material_tables.data() + std::size_t{band} * kMaxMaterials;
            std::transform(codes.begin(), codes.end(), keys.begin(),
                           [&](std::uint32_t code) { return bits_from_float(sigma_t[code]); });
            majorants.add(find_sub_box_maxima(keys));
        }
    }
}

/// [distinct * brick_count + brick]; fills the record's global majorants.
std::vector<float> VolumePacker::Impl::collect_majorants(vpk::MetaRecord& record)
{
    if (meta.extinction == Source::constant) {
        record.global_majorant = record.constant_extinction;
        return {};
    }
    majorants.finish();
    std::size_t const count = distinct.representative.size();
    std::vector<std::uint32_t> const& keys = majorants.keys();
    std::vector<float> local(keys.size());
    std::vector<float> global(count);
    PlaneShape const shape = density_shape(meta);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        float const value = meta.extinction == Source::plane
                                ? decode_element(shape.encoding, shape.value_scale, keys[i])
                                : float_from_bits(keys[i]);
        local[i % count * statistics.bricks + i / count] = value;
        global[i % count] = std::max(global[i % count], value);
    }
    for (std::uint32_t band = 0; band < meta.bands(); ++band)
        record.global_majorant[band] = global[distinct.index[band]];
    return local;
}

void VolumePacker::Impl::finish_statistics(std::vector<float> const& local, vpk::MetaRecord& record)
{
    double const voxels = static_cast<double>(layer_voxels()) * meta.dims[2];
    double majorant_ratio = 0;
    double extinction_ratio = 0;
    for (std::size_t d = 0; d < distinct.representative.size(); ++d) {
        std::uint32_t const band = distinct.representative[d];
        double const global = static_cast<double>(record.global_majorant[band]);
        if (!(global > 0)) continue;
        if (meta.extinction == Source::constant) {
            majorant_ratio += 1;
            extinction_ratio += 1;
            continue;
        }
        double sum = 0;
        for (std::uint64_t i = 0; i < statistics.bricks; ++i)
            sum += static_cast<double>(local[d * statistics.bricks + i]);
        majorant_ratio += sum / static_cast<double>(statistics.bricks) / global;
        double extinction_sum = density_sum;
        for (std::size_t m = 0; m < materials.size() && meta.extinction == Source::material; ++m) {
            extinction_sum += static_cast<double>(label_voxels[m]) * static_cast<double>(materials[m].sigma_t[band]);
        }
        extinction_ratio += extinction_sum / voxels / global;
    }
    double const count = static_cast<double>(distinct.representative.size());
    statistics.mean_majorant_ratio = majorant_ratio / count;
    statistics.mean_extinction_ratio = extinction_ratio / count;
}

void VolumePacker::Impl::write_file(Provenance const& provenance)
{
    vpk::MetaRecord record = to_record(meta, materials);
    std::vector<float> const local = collect_majorants(record);
    finish_statistics(local, record);
    writer.write_section(vpk::kMeta, bytes_of(record));
    if (label) {
        writer.write_section(vpk::kMaterials, std::as_bytes(std::span(material_tables)));
        nlohmann::json names = nlohmann::json::array();
        for (Material const& material : materials) names.push_back(material.name);
        writer.write_section(vpk::kMaterialNames,
                             bytes_of_text(names.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)));
    }
    for (std::optional<PlanePacker>* plane : {&density, &albedo, &label}) {
        if (*plane) (*plane)->write_sections(writer);
    }
    if (!local.empty()) writer.write_section(vpk::kMajorants, std::as_bytes(std::span(local)));
    vpk::StatisticsRecord const figures{
        statistics.bricks,           statistics.constant_bricks,     statistics.density_error_max,
        statistics.albedo_error_max, statistics.mean_majorant_ratio, statistics.mean_extinction_ratio};
    writer.write_section(vpk::kStatistics, bytes_of(figures));
    writer.write_section(vpk::kSceneHints, bytes_of_text(scene_hints));
    writer.write_section(vpk::kSourceMetadata, bytes_of_text(source_metadata));
    if (!provenance.entries.empty()) writer.write_section(vpk::kProvenance, bytes_of_text(to_json(provenance)));
    writer.commit();
}

VolumePacker::VolumePacker(std::filesystem::path path, VolumeMeta meta, std::vector<Material> materials)
{
    meta = checked(std::move(meta), materials);
    impl_ = std::make_unique<Impl>(path, std::move(meta), std::move(materials));
}

VolumePacker::~VolumePacker() = default;

void VolumePacker::add_slab(VoxelSlab const& slab)
{
    impl_->check_slab(slab);
    impl_->add_layers(slab);
}

void VolumePacker::set_scene_hints(std::string json)
{
    impl_->scene_hints = checked_json(std::move(json), "scene hints");
}

void VolumePacker::set_source_metadata(std::string json)
{
    impl_->source_metadata = checked_json(std::move(json), "source metadata");
}

PackStatistics VolumePacker::finish(Provenance const& provenance)
{
    Impl& p = *impl_;
    if (p.has_planes() && p.next_z != p.meta.dims[2]) {
        fail_usage(fmt::format("only {} of {} layers have come", p.next_z, p.meta.dims[2]),
                   "feed all slabs before the end");
    }
    if (!p.has_planes()) p.statistics.constant_bricks = p.statistics.bricks;
    p.write_file(provenance);
    return p.statistics;
}

} // namespace volpt
