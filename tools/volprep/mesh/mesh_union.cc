#include "tools/volprep/mesh/mesh_union.h"

#include "formats/openvdb/surface.h"
#include "libvolpt/print/mesh/soup_solid.h"
#include "tools/volprep/losses.h"
#include "tools/volprep/mesh/mesh_source.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace volpt {
namespace {

/// Around the mesh, so that no voxel at the border of the box is inside.
constexpr double kUnionMargin_voxels = 1.25;

/// Positions become mm; the box of place_mesh is not turned.
void move_to_mm(TriangleMesh& mesh, MeshBox const& box)
{
    for (Vec3& p : mesh.positions_mm) {
        auto const move = [&](float voxels, std::size_t axis) {
            return static_cast<float>(box.placement.origin_world_mm[axis] +
                                      static_cast<double>(voxels) * static_cast<double>(box.pitch_mm[axis]));
        };
        p = {move(p.x, 0), move(p.y, 1), move(p.z, 2)};
    }
}

MeshBox fit_union_box(TriangleMesh const& mesh_mm, int bricks)
{
    std::array<double, 3> lower_mm{}, size_mm{};
    for (std::size_t a = 0; a < 3; ++a) {
        auto const [least, most] =
            std::ranges::minmax(mesh_mm.positions_mm, {}, [&](Vec3 p) { return get_axis(p, static_cast<int>(a)); });
        lower_mm[a] = static_cast<double>(get_axis(least, static_cast<int>(a)));
        size_mm[a] = static_cast<double>(get_axis(most, static_cast<int>(a))) - lower_mm[a];
    }
    double const voxels = bricks * kBrickEdge - 2 * kUnionMargin_voxels;
    auto const pitch_mm = static_cast<float>(std::ranges::max(size_mm) / voxels * (1 + 1e-6));
    MeshBox box;
    box.pitch_mm.fill(pitch_mm);
    for (std::size_t a = 0; a < 3; ++a) {
        box.dims[a] = static_cast<int>(std::ceil(size_mm[a] / static_cast<double>(pitch_mm) + 2 * kUnionMargin_voxels));
        box.placement.origin_world_mm[a] = lower_mm[a] - kUnionMargin_voxels * static_cast<double>(pitch_mm);
    }
    return box;
}

} // namespace

PlacedMesh place_union(ToolRun const& run, std::string const& path, PlacedMesh placed, int bricks)
{
    std::string const defects = list_defects(placed.report);
    auto const repaired = placed.repaired;
    int const threads = run.common.threads;
    move_to_mm(placed.mesh, placed.box);
    MeshBox const box = fit_union_box(placed.mesh, bricks);
    SoupSolid const solid =
        find_soup_solid(place_mesh_in(box, std::move(placed.mesh), {.threads = threads}), path, threads);
    tell_losses(run, std::array{describe_soup(defects, solid.voxels, solid.doubtful_voxels)}, path);
    QuadMesh const quads = find_smooth_surface(*solid.inside, path);
    SmoothedMesh surface =
        place_smoothed(box, quads, *solid.inside, threads, make_surface_target(solid.outer_surface, threads));
    run.notice(fmt::format("the surface of its voxels of {:.3g} mm, drawn to the mesh, bounds the solid: {} triangles, "
                           "{:.6g} mm3; --mesh-bricks says how fine it is (here {})",
                           static_cast<double>(box.pitch_mm[0]), surface.placed.mesh.triangles.size(),
                           surface.placed.report.volume_mm3, bricks));
    surface.placed.repaired = repaired;
    return std::move(surface.placed);
}

} // namespace volpt
