#include "tools/volprep/mesh/mesh_source.h"

#include "formats/mesh/reader.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/mesh/mesh_volume.h"
#include "tools/volprep/losses.h"
#include "tools/volprep/mesh/mesh_report.h"
#include "tools/volprep/mesh/mesh_union.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace volpt {
namespace {

/// Whether repair_mesh may close, turn or remove it.
bool is_repairable(MeshDefect defect)
{
    switch (defect) {
    case MeshDefect::degenerate:
    case MeshDefect::open_edge:
    case MeshDefect::misoriented_edge:
    case MeshDefect::coincident:
    case MeshDefect::coincident_opposite:
    case MeshDefect::inverted:
    case MeshDefect::enclosed:
    case MeshDefect::self_intersection:
    case MeshDefect::unchecked:
        return true;
    default:
        return false;
    }
}

void check_accepted(PlacedMesh const& placed, std::string const& path)
{
    if (placed.report.is_accepted()) return;
    bool const may_help = !placed.repaired && std::ranges::any_of(placed.report.findings, [](MeshFinding const& found) {
        return is_repairable(found.defect);
    });
    fail_input(fmt::format("the mesh bounds no solid: {}", list_defects(placed.report)), path,
               "what is inside has to be certain for every ray",
               may_help ? "try --repair, or close it in a mesh editor; --check-mesh --json lists more places"
                        : "mend it in a mesh editor; --check-mesh --json lists more places");
}

/// A mesh whose medium has its own colours.
MeshFile read_shape(std::string const& path)
{
    MeshFile file = read_mesh(path);
    if (!file.mesh.colours.empty()) file.notices.push_back("the mesh's colours are left out: its medium has its own");
    if (file.has_pictures)
        file.notices.push_back("pictures on the surface are left out: its medium has its own colours");
    return file;
}

void check_inside(PlacedMesh const& placed, std::string const& path, std::string const& medium_path)
{
    VerticesOutside const& outside = placed.outside;
    if (outside.count == 0) return;
    std::array<double, 3> size_mm{};
    for (std::size_t a = 0; a < 3; ++a) size_mm[a] = placed.box.dims[a] * static_cast<double>(placed.box.pitch_mm[a]);
    auto const& corner_mm = placed.box.placement.origin_world_mm;
    fail_input(
        fmt::format("{} of {} vertices lie outside the box of {}, the farthest one, at {:g}, {:g}, {:g} mm, by "
                    "{:.4g} mm; the box has its corner at {:g}, {:g}, {:g} mm and is {:g} x {:g} x {:g} mm large",
                    outside.count, outside.vertices, medium_path, outside.farthest_mm.x, outside.farthest_mm.y,
                    outside.farthest_mm.z, outside.farthest_by_mm, corner_mm[0], corner_mm[1], corner_mm[2], size_mm[0],
                    size_mm[1], size_mm[2]),
        path, "there is no medium", "move or scale the mesh (--mesh-scale, --mesh-up), or pack a larger volume");
}

} // namespace

void turn_by_format(ToolRun const& run, MeshFile const& file, MeshPlaceOptions& place)
{
    constexpr std::uint32_t kPlusY = 2;
    bool const is_given = std::ranges::find(run.given_options, "mesh-up") != run.given_options.end();
    if (is_given || file.format != "gltf") return;
    place.up_axis = kPlusY;
    run.notice("glTF has +y up: the mesh is turned so that it becomes +z; --mesh-up +z leaves it as it is");
}

std::string list_defects(MeshReport const& report)
{
    std::vector<std::string> defects;
    for (MeshFinding const& finding : report.findings)
        if (is_refused(finding.defect)) defects.push_back(format_finding(finding));
    return fmt::format("{}", fmt::join(defects, "; "));
}

bool has_sound_corners(MeshReport const& report)
{
    return std::ranges::none_of(report.findings, [](MeshFinding const& finding) {
        return finding.defect == MeshDefect::no_triangles || finding.defect == MeshDefect::index_out_of_range ||
               finding.defect == MeshDefect::not_finite;
    });
}

std::string describe_soup(std::string const& defects, std::uint64_t voxels, std::uint64_t doubtful_voxels)
{
    double const percent = 100 * static_cast<double>(doubtful_voxels) / static_cast<double>(voxels);
    std::string const doubtful =
        doubtful_voxels == 0
            ? "none is doubtful"
            : fmt::format("{} ({:.2g} %) are doubtful: it lies between 1/4 and 3/4 there", doubtful_voxels, percent);
    return fmt::format("the mesh is no surface of a solid ({}): its winding number says which voxels are inside; of {} "
                       "voxels {}",
                       defects, voxels, doubtful);
}

std::string describe_repair(RepairReport const& repair)
{
    std::vector<std::string> parts;
    auto const add = [&](std::uint64_t count, char const* what) {
        if (count > 0) parts.push_back(fmt::format("{} {}", count, what));
    };
    add(repair.merged_vertices, "vertices merged");
    add(repair.collapsed_triangles, "collapsed triangles removed");
    add(repair.duplicate_triangles, "duplicate triangles removed");
    add(repair.flat_triangles, "triangles without area removed");
    add(repair.turned_triangles, "triangles turned");
    add(repair.turned_components, "components turned inside out");
    add(repair.inner_shells, "shells inside the solid of others removed");
    return fmt::format("{}", fmt::join(parts, ", "));
}

PlacedMesh place_solid(ToolRun const& run, std::string const& path, MeshFile file,
                       std::function<PlacedMesh(TriangleMesh)> const& place_it)
{
    tell_losses(run, file.notices, path);
    PlacedMesh placed = place_it(std::move(file.mesh));
    if (placed.repaired)
        if (std::string const done = describe_repair(*placed.repaired); !done.empty())
            run.notice(fmt::format("--repair: {}", done));
    if (placed.outside.count == 0) check_accepted(placed, path);
    return placed;
}

std::unique_ptr<VoxelStream> open_mesh_volume(ToolRun const& run, std::string const& path, MeshPlaceOptions place,
                                              std::unique_ptr<VoxelStream> medium)
{
    place.threads = run.common.threads;
    bool const is_given = std::ranges::find(run.given_options, "mesh-bricks") != run.given_options.end();
    MeshFile file = read_shape(path);
    turn_by_format(run, file, place);
    PlacedMesh placed = place_solid(run, path, std::move(file), [&](TriangleMesh mesh) {
        PlacedMesh found = place_mesh(std::move(mesh), place);
        if (place.repair == MeshRepair::none || found.report.is_accepted() || !has_sound_corners(found.report))
            return found;
        return place_union(run, path, std::move(found), is_given ? place.bricks : kUnionBricks);
    });
    return make_mesh_volume(std::move(medium), std::move(placed), path);
}

std::unique_ptr<VoxelStream> open_mesh_in_volume(ToolRun const& run, std::string const& path, MeshPlaceOptions place,
                                                 std::unique_ptr<VoxelStream> medium, std::string const& medium_path)
{
    if (!medium->surface().is_empty())
        fail_usage(fmt::format("--medium: {} is bounded by a triangle mesh already", medium_path),
                   "give the volume from which it was packed");
    place.threads = run.common.threads;
    MeshBox const box = get_mesh_box(medium->meta());
    PlacedMesh placed = place_solid(run, path, read_shape(path),
                                    [&](TriangleMesh mesh) { return place_mesh_in(box, std::move(mesh), place); });
    check_inside(placed, path, medium_path);
    return bound_volume(std::move(medium), std::move(placed));
}

} // namespace volpt
