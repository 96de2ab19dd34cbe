#include "libvolpt/volume/volume_report.h"

#include "libvolpt/sys/json.h"
#include "libvolpt/volume/clearance/clearance.h"
#include "libvolpt/volume/emitters/emitter_text.h"
#include "libvolpt/volume/mesh/mesh_clearance.h"
#include "libvolpt/volume/mesh/place_mesh.h"
#include "libvolpt/volume/meta.h"
#include "libvolpt/volume/packed_layers.h"
#include "libvolpt/volume/volume_words.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

using Json = nlohmann::ordered_json;

// The double of the shortest decimals that name the float: 0.0423, not 0.04230000078678131.
double spell_shortly(float value)
{
    return std::strtod(fmt::format("{}", value).c_str(), nullptr);
}

template <typename Values>
Json list_shortly(Values const& values)
{
    Json list = Json::array();
    for (float value : values) list.push_back(spell_shortly(value));
    return list;
}

Json report_source(Source source, PlaneShape const& shape, Json constant)
{
    Json json{{"source", to_word(source)}};
    if (source == Source::constant) json["value"] = std::move(constant);
    if (source != Source::plane) return json;
    json["encoding"] = to_word(shape.encoding);
    json["value_scale"] = spell_shortly(shape.value_scale);
    return json;
}

Json report_materials(std::vector<Material> const& materials)
{
    Json list = Json::array();
    for (Material const& material : materials) {
        list.push_back({{"name", material.name},
                        {"sigma_t", list_shortly(material.sigma_t)},
                        {"one_minus_albedo", list_shortly(material.one_minus_albedo)},
                        {"g", spell_shortly(material.g)}});
    }
    return list;
}

/// Names of the materials without extinction, and how many voxels they fill.
Json report_air(PackedVolume const& volume)
{
    auto const counts = count_labels(volume.view());
    std::uint64_t voxels = 0;
    Json names = Json::array();
    for (std::size_t i = 0; i < volume.materials().size(); ++i) {
        if (!is_air(volume.materials()[i])) continue;
        names.push_back(volume.materials()[i].name);
        voxels += counts[i];
    }
    return {{"materials", names}, {"voxels", voxels}};
}

Json report_geometry(VolumeMeta const& meta)
{
    Json size_mm = Json::array();
    for (std::size_t axis = 0; axis < 3; ++axis)
        size_mm.push_back(spell_shortly(static_cast<float>(meta.dims[axis]) * meta.pitch_mm[axis]));
    return {
        {"dims", meta.dims},
        {"pitch_mm", list_shortly(meta.pitch_mm)},
        {"size_mm", size_mm},
        {"placement", {{"origin_world_mm", meta.placement.origin_world_mm}, {"rotation", meta.placement.rotation}}}};
}

Json report_medium(PackedVolume const& volume)
{
    VolumeMeta const& meta = volume.meta();
    VolumeView const view = volume.view();
    std::vector<float> majorants;
    for (std::uint32_t band = 0; band < meta.bands(); ++band)
        majorants.push_back(view.global_majorant[band] * meta.scale);
    return {{"bands", meta.bands()},
            {"band_numbers", meta.band_numbers},
            {"wavelengths_nm", list_shortly(meta.wavelengths_nm)},
            {"light_channels", meta.light_channels},
            {"grey_extinction", view.grey_extinction},
            {"filter", to_word(meta.filter)},
            {"albedo_filter", to_word(meta.albedo_filter)},
            {"scale", spell_shortly(meta.scale)},
            {"extinction", report_source(meta.extinction, density_shape(meta), list_shortly(meta.constant_extinction))},
            {"one_minus_albedo",
             report_source(meta.albedo, albedo_shape(meta), list_shortly(meta.constant_one_minus_albedo))},
            {"g", report_source(meta.anisotropy, {}, spell_shortly(meta.g))},
            {"materials", report_materials(volume.materials())},
            {"global_majorant_per_mm", list_shortly(majorants)}};
}

Json report_packing(PackedVolume const& volume)
{
    PackStatistics const& figures = volume.statistics();
    return {{"bricks", figures.bricks},
            {"constant_bricks", figures.constant_bricks},
            {"quantisation_error_max", std::max(figures.density_error_max, figures.albedo_error_max)},
            {"density_error_max", figures.density_error_max},
            {"albedo_error_max", figures.albedo_error_max},
            {"mean_majorant_ratio", figures.mean_majorant_ratio},
            {"mean_extinction_ratio", figures.mean_extinction_ratio},
            {"size_bytes", volume.size_bytes()},
            {"data_checksum", to_hex(volume.data_checksum())}};
}

} // namespace

nlohmann::ordered_json report_clearance(std::span<double const> shares)
{
    Json list = Json::array();
    for (std::size_t i = 0; i < shares.size(); ++i)
        list.push_back({{"clearance_mm", kClearanceSteps_mm[i]}, {"share", shares[i]}});
    return list;
}

nlohmann::ordered_json report_surface(SurfaceMeshView const& mesh, VolumeMeta const& meta)
{
    return {{"triangles", mesh.triangles.size()},
            {"vertices", mesh.vertices_voxels.size()},
            {"volume_mm3", mesh.volume_mm3},
            {"area_mm2", mesh.area_mm2},
            {"solids_with_boundaries", mesh.solids.size()},
            {"solids_in_others", count_solids_in_others(mesh)},
            {"triangles_under_support", mesh.supported_triangles},
            {"area_under_support_mm2",
             measure_area_mm2(mesh.vertices_voxels, mesh.triangles.last(mesh.supported_triangles), meta.pitch_mm)},
            {"bvh_nodes", mesh.bvh_nodes.size()},
            {"normals", !mesh.normals.empty()},
            {"texture_coordinates", !mesh.texture_coordinates.empty()},
            {"bytes_per_triangle", static_cast<double>(mesh.size_bytes()) / static_cast<double>(mesh.triangles.size())},
            {"clearance_share", report_clearance(measure_mesh_clearance_shares(mesh.clearance_mm, get_voxel_grid(meta),
                                                                               kClearanceSteps_mm))}};
}

nlohmann::ordered_json report_surroundings(SurroundingShapes const& shapes)
{
    Json kinds = Json::object();
    for (BsdfView const& bsdf : shapes.bsdfs) {
        Json& count = kinds[to_word(bsdf.kind)];
        count = count.is_null() ? 1 : count.get<int>() + 1;
    }
    return {{"triangles", shapes.mesh_mm.triangles.size()},
            {"spheres", shapes.spheres.size()},
            {"normals", !shapes.mesh_mm.normals.empty()},
            {"texture_coordinates", !shapes.mesh_mm.texture_coordinates.empty()},
            {"bsdfs", kinds}};
}

nlohmann::ordered_json report_emission(VolumeView const& volume)
{
    Json largest = Json::array();
    for (float const value : find_largest_values(volume, volume.emission)) largest.push_back(spell_shortly(value));
    return {{"largest_radiance", largest}};
}

nlohmann::ordered_json report_emitters(std::vector<Emitter> const& emitters)
{
    Json list = Json::array();
    for (Emitter const& emitter : emitters) list.push_back(describe_emitter(emitter));
    return list;
}

nlohmann::ordered_json report_source_values(SourceValues const& values)
{
    Json report = parse_json(to_json(values));
    report["map"] = describe_map(values);
    report["new_map"] = describe_store(values);
    return report;
}

nlohmann::ordered_json report_volume(PackedVolume const& volume)
{
    Json report = report_geometry(volume.meta());
    report.update(report_medium(volume));
    if (needs_labels(volume.meta()) && std::ranges::any_of(volume.materials(), is_air))
        report["air"] = report_air(volume);
    if (!volume.surface().is_empty()) report["surface"] = report_surface(volume.surface(), volume.meta());
    if (!volume.surroundings().is_empty()) report["surroundings"] = report_surroundings(volume.surroundings());
    if (volume.source_values()) report["source_values"] = report_source_values(*volume.source_values());
    if (volume.meta().has_emission) report["emission"] = report_emission(volume.view());
    if (!volume.emitters().empty()) report["emitters"] = report_emitters(volume.emitters());
    report.update(report_packing(volume));
    report["clearance_share"] = report_clearance(measure_clearance_shares(volume.view(), kClearanceSteps_mm));
    report["scene_hints"] = parse_json(volume.scene_hints_json());
    report["source_metadata"] = parse_json(volume.source_metadata_json());
    report["provenance"] = parse_json(to_json(volume.provenance()));
    return report;
}

} // namespace volpt
