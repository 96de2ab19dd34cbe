#include "libvolpt/volume/pack/packer.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/sys/json.h"
#include "libvolpt/volume/clearance/clearance.h"
#include "libvolpt/volume/emitters/emitter_section.h"
#include "libvolpt/volume/mesh/mesh_sections.h"
#include "libvolpt/volume/pack/layer_packer.h"
#include "libvolpt/volume/surroundings/surrounding_sections.h"

#include <algorithm>
#include <fmt/format.h>

namespace volpt {
namespace {

constexpr auto kEdge = static_cast<std::size_t>(kBrickEdge);

VolumeMeta checked(VolumeMeta meta, std::vector<Material> const& materials)
{
    if (std::string const found = find_contradiction(meta, materials); !found.empty()) {
        fail_usage("the volume contradicts itself: " + found, "correct that field");
    }
    return meta;
}

std::string checked_json(std::string json, char const* what)
{
    if (!is_valid_json(json)) fail_usage(fmt::format("the {} are not valid JSON", what));
    return json;
}

std::span<std::byte const> bytes_of(std::string const& text)
{
    return std::as_bytes(std::span(text));
}

std::string list_names(std::vector<Material> const& materials)
{
    std::vector<std::string> names;
    for (Material const& material : materials) names.push_back(material.name);
    return format_json_strings(names);
}

} // namespace

struct VolumePacker::Impl {
    Impl(std::filesystem::path const& path, VolumeMeta checked_meta, std::vector<Material> table, int threads,
         SurfaceMeshView const& surface, SurroundingShapes const& surroundings, std::span<Emitter const> emitters)
        : meta(std::move(checked_meta)), materials(std::move(table)), has_density(meta.extinction == Source::plane),
          has_albedo(meta.albedo == Source::plane), has_label(needs_labels(meta)), has_emission(meta.has_emission),
          has_values(meta.kept_values.has_value()),
          writer(path, meta.albedo_filter != AlbedoFilter::of_scattering ? kAlbedoFilterVolumeFile
                       : !surface.nesting.empty()                        ? kNestedVolumeFile
                       : meta.has_emission                               ? kEmissionVolumeFile
                       : !emitters.empty()                               ? kEmittersVolumeFile
                       : surface.supported_triangles > 0                 ? kSupportVolumeFile
                       : !surface.solids.empty()                         ? kSolidsVolumeFile
                       : surface.is_empty() && surroundings.is_empty()   ? kVolumeFile
                                                                         : kMeshVolumeFile),
          layers(meta, materials, path.parent_path(), threads)
    {
        // First in the file: a source that is a mapping is still to be checked (PackedVolume::check_unchanged).
        if (!surface.is_empty()) write_mesh_sections(writer, surface, meta, materials.size());
        if (!surroundings.is_empty()) write_surrounding_sections(writer, surroundings, meta);
        if (!emitters.empty()) write_emitter_section(writer, emitters, meta, surroundings);
    }

    std::size_t layer_voxels() const
    {
        return static_cast<std::size_t>(meta.dims[0]) * static_cast<std::size_t>(meta.dims[1]);
    }

    void check_slab(VoxelSlab const& slab) const;
    void add_layers(VoxelSlab const& slab);
    void keep_layer(VoxelSlab const& slab, std::size_t z);
    void pack_layers(VoxelSlab const& slab, std::size_t z, int z_first, std::size_t z_count);
    PackStatistics write_file(Provenance const& provenance);

    VolumeMeta meta;
    std::vector<Material> materials;
    bool has_density;
    bool has_albedo;
    bool has_label;
    bool has_emission;
    bool has_values;
    SectionedWriter writer;
    LayerPacker layers;
    int next_z = 0;
    std::size_t kept_layers = 0; ///< of the next layer of bricks, when slabs do not begin and end with it
    std::vector<float> kept_density;
    std::vector<float> kept_albedo;
    std::vector<std::uint8_t> kept_label;
    std::vector<float> kept_emission;
    std::vector<float> kept_values;
    std::string scene_hints = "{}";
    std::string source_metadata = "{}";
    std::string source_values;
};

void VolumePacker::Impl::check_slab(VoxelSlab const& slab) const
{
    if (slab.z_first != next_z || slab.z_count < 1 || slab.z_count > meta.dims[2] - next_z) {
        fail_usage(fmt::format("a slab has layers {} to {}, the next layer is {} of {}", slab.z_first,
                               slab.z_first + slab.z_count - 1, next_z, meta.dims[2]),
                   "add slabs in z order without gaps");
    }
    std::size_t const voxels = layer_voxels() * static_cast<std::size_t>(slab.z_count);
    if (slab.density.size() != (has_density ? voxels : 0) ||
        slab.one_minus_albedo.size() != (has_albedo ? voxels * meta.bands() : 0) ||
        slab.label.size() != (has_label ? voxels : 0) ||
        slab.emission.size() != (has_emission ? voxels * meta.bands() : 0) ||
        slab.source_values.size() != (has_values ? voxels : 0)) {
        fail_usage(fmt::format("a slab of {} voxels has {} densities, {} albedo values, {} labels, {} values of "
                               "emission and {} of the source",
                               voxels, slab.density.size(), slab.one_minus_albedo.size(), slab.label.size(),
                               slab.emission.size(), slab.source_values.size()),
                   "give each plane that the volume has, and no other");
    }
}

// Layers of bricks that are complete in the slab are packed in place; others are collected first.
void VolumePacker::Impl::add_layers(VoxelSlab const& slab)
{
    auto const count = static_cast<std::size_t>(slab.z_count);
    for (std::size_t z = 0; z < count;) {
        std::size_t const wanted = std::min(kEdge, static_cast<std::size_t>(meta.dims[2] - next_z) + kept_layers);
        if (kept_layers == 0 && count - z >= wanted) {
            pack_layers(slab, z, next_z, wanted);
            z += wanted;
            next_z += static_cast<int>(wanted);
            continue;
        }
        keep_layer(slab, z++);
        if (kept_layers < wanted) continue;
        VoxelSlab const kept{.density = kept_density,
                             .one_minus_albedo = kept_albedo,
                             .label = kept_label,
                             .emission = kept_emission,
                             .source_values = kept_values};
        pack_layers(kept, 0, next_z - static_cast<int>(kept_layers), kept_layers);
        kept_density.clear();
        kept_albedo.clear();
        kept_label.clear();
        kept_emission.clear();
        kept_values.clear();
        kept_layers = 0;
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
    keep(kept_emission, slab.emission, layer_voxels() * meta.bands());
    keep(kept_values, slab.source_values, layer_voxels());
    ++kept_layers;
    ++next_z;
}

void VolumePacker::Impl::pack_layers(VoxelSlab const& slab, std::size_t z, int z_first, std::size_t z_count)
{
    BrickLayer layer{.z_first = z_first, .z_count = static_cast<int>(z_count)};
    for (std::size_t i = 0; i < z_count; ++i, ++z) {
        if (has_density) layer.density[i] = slab.density.data() + z * layer_voxels();
        if (has_albedo) layer.one_minus_albedo[i] = slab.one_minus_albedo.data() + z * layer_voxels() * meta.bands();
        if (has_label) layer.label[i] = slab.label.data() + z * layer_voxels();
        if (has_emission) layer.emission[i] = slab.emission.data() + z * layer_voxels() * meta.bands();
        if (has_values) layer.source_values[i] = slab.source_values.data() + z * layer_voxels();
    }
    layers.pack(layer);
}

PackStatistics VolumePacker::Impl::write_file(Provenance const& provenance)
{
    StoredMeta stored = to_record(meta, materials);
    std::vector<float> const local_majorants = layers.finish_majorants(stored);
    PackStatistics figures = layers.finish_statistics(local_majorants, stored);
    vpk::StatisticsRecord const figures_record{
        figures.bricks,           figures.constant_bricks,     figures.density_error_max,
        figures.albedo_error_max, figures.mean_majorant_ratio, figures.mean_extinction_ratio};
    write_meta(writer, stored, meta);
    if (has_label) {
        std::vector<float> const tables = build_material_tables(meta.bands(), materials);
        writer.write_section(vpk::kMaterials, std::as_bytes(std::span(tables)));
        writer.write_section(vpk::kMaterialNames, bytes_of(list_names(materials)));
    }
    layers.write_planes(writer);
    if (!local_majorants.empty()) writer.write_section(vpk::kMajorants, std::as_bytes(std::span(local_majorants)));
    VolumeView tables = layers.view_tables();
    std::vector<float> const clearance_mm = compute_clearance_mm(tables, 0);
    tables.clearance_mm = clearance_mm.data();
    figures.clearance_shares = measure_clearance_shares(tables, kClearanceSteps_mm);
    bool const has_clearance = std::ranges::any_of(clearance_mm, [](float value) { return value > 0; });
    if (has_clearance) writer.write_section(vpk::kClearance, std::as_bytes(std::span(clearance_mm)));
    writer.write_section(vpk::kStatistics, std::as_bytes(std::span(&figures_record, 1)));
    writer.write_section(vpk::kSceneHints, bytes_of(scene_hints));
    writer.write_section(vpk::kSourceMetadata, bytes_of(source_metadata));
    if (!source_values.empty()) writer.write_section(vpk::kSourceValues, bytes_of(source_values));
    if (!provenance.entries.empty()) writer.write_section(vpk::kProvenance, bytes_of(to_json(provenance)));
    writer.commit();
    return figures;
}

VolumePacker::VolumePacker(std::filesystem::path path, VolumeMeta meta, std::vector<Material> materials, int threads,
                           SurfaceMeshView const& surface, SurroundingShapes const& surroundings,
                           std::span<Emitter const> emitters)
{
    meta = checked(std::move(meta), materials);
    if (!surface.is_empty() && surface.clearance_mm.size() != count_bricks(meta))
        fail_usage(fmt::format("the mesh has {} clearances, the volume {} bricks", surface.clearance_mm.size(),
                               count_bricks(meta)),
                   "place the mesh in the volume's own box");
    impl_ =
        std::make_unique<Impl>(path, std::move(meta), std::move(materials), threads, surface, surroundings, emitters);
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

void VolumePacker::set_source_values(SourceValues const& values)
{
    std::string found = find_contradiction(values, impl_->meta.bands());
    if (!impl_->has_density) found = "the volume has no densities";
    if ((values.store == ValueStore::plane) != impl_->has_values) found = "the numbers are kept elsewhere";
    if (!found.empty()) fail_usage("the map of the volume's numbers contradicts it: " + found, "correct the map");
    impl_->source_values = to_json(values);
}

PackStatistics VolumePacker::finish(Provenance const& provenance)
{
    Impl& p = *impl_;
    if ((p.has_density || p.has_albedo || p.has_label || p.has_emission || p.has_values) &&
        p.next_z != p.meta.dims[2]) {
        fail_usage(fmt::format("only {} of {} layers were added", p.next_z, p.meta.dims[2]),
                   "add all slabs before finish");
    }
    if (p.has_values && p.source_values.empty())
        fail_usage("the volume keeps numbers without their map", "call set_source_values");
    return p.write_file(provenance);
}

} // namespace volpt
