#include "tools/volprep/surface_source.h"

#include "formats/openvdb/surface.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/mesh/fill_border.h"
#include "libvolpt/volume/mesh/mesh_volume.h"
#include "libvolpt/volume/mesh/support_faces.h"
#include "libvolpt/volume/mesh/voxel_faces.h"
#include "tools/options/progress_line.h"
#include "tools/volprep/mesh/mesh_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace volpt {
namespace {

SolidVoxels find_occupied(ToolRun const& run, VoxelStream& volume, std::optional<double> threshold,
                          std::string const& where)
{
    if (!volume.surface().is_empty())
        fail_usage(fmt::format("--surface: {} is bounded by a triangle mesh already", where),
                   "leave out --surface, or pack its source again");
    if (threshold && volume.meta().extinction == Source::material)
        fail_usage("--surface-threshold has no meaning for a volume of labels",
                   "its voxels are empty where their material is air");
    volume.use_threads(run.common.threads);
    ProgressLine line("surface", run.common.verbosity);
    return find_occupied_voxels(volume, static_cast<float>(threshold.value_or(0)), line.sink(), where);
}

void check_solid(PlacedMesh const& placed, SurfaceKind kind, std::string const& where)
{
    if (placed.report.is_accepted()) return;
    std::vector<std::string> defects;
    for (MeshFinding const& finding : placed.report.findings)
        if (is_refused(finding.defect)) defects.push_back(format_finding(finding));
    fail_input(fmt::format("the surface of its voxels bounds no solid: {}", fmt::join(defects, "; ")), where,
               "what is inside has to be certain for every ray",
               kind == SurfaceKind::smooth ? "use --surface voxels" : "use larger voxels");
}

void tell_findings(ToolRun const& run, SmoothedMesh const& surface)
{
    if (MeshFinding const* const found = surface.placed.report.find(MeshDefect::non_manifold_edge))
        run.notice(fmt::format("{} edges of the surface have more than two triangles: voxels touch there at an edge",
                               found->count));
    if (MeshFinding const* const found = surface.placed.report.find(MeshDefect::cavity))
        run.notice(fmt::format("{} cavities in the solid have a surface of their own", found->count));
    if (surface.kept_vertices > 0)
        run.notice(fmt::format("{} of {} vertices are not smoothed: the surface would intersect itself",
                               surface.kept_vertices, surface.placed.mesh.positions_mm.size()));
}

} // namespace

std::unique_ptr<VoxelStream> bound_by_voxels(ToolRun const& run, SurfaceKind kind, SolidVoxels solid,
                                             std::string const& where, std::unique_ptr<VoxelStream> volume,
                                             SurfaceTarget const& target)
{
    auto& [occupied, support] = solid;
    MeshBox const box = get_mesh_box(volume->meta());
    SmoothedMesh surface;
    std::uint32_t supported = 0;
    if (kind == SurfaceKind::smooth) {
        QuadMesh quads = find_smooth_surface(occupied, where);
        if (support) supported = put_supported_last(quads, occupied, *support);
        surface = place_smoothed(box, quads, occupied, run.common.threads, target);
    } else {
        TriangleMesh faces = make_voxel_faces(occupied, where);
        if (support) supported = put_supported_last(faces, *support);
        surface.placed = place_voxel_mesh(box, std::move(faces), run.common.threads);
    }
    surface.placed.supported_triangles = supported;
    check_solid(surface.placed, kind, where);
    tell_findings(run, surface);
    return bound_volume(fill_border(std::move(volume), std::move(occupied)), std::move(surface.placed));
}

std::unique_ptr<VoxelStream> bound_by_own_surface(ToolRun const& run, SurfaceKind kind, std::optional<double> threshold,
                                                  std::string const& where,
                                                  std::function<std::unique_ptr<VoxelStream>()> const& open)
{
    auto volume = open();
    SolidVoxels solid = find_occupied(run, *volume, threshold, where);
    // Once more, because streams give their layers in order and count what they give. Before the mesh is checked by
    // threads that stay: readers fork.
    volume = open();
    return bound_by_voxels(run, kind, std::move(solid), where, std::move(volume));
}

} // namespace volpt
