#include "libvolpt/print/mesh/soup_solid.h"

#include "libvolpt/print/mesh/inside_by_winding.h"
#include "libvolpt/print/mesh/mesh_slices.h"
#include "libvolpt/sys/error.h"

#include <algorithm>

namespace volpt {

SoupSolid find_soup_solid(PlacedMesh mesh, std::string const& where, int threads)
{
    InsideByWinding found = find_inside_by_winding(mesh, threads);
    SoupSolid solid;
    solid.voxels = found.inside.count();
    solid.doubtful_voxels = found.doubtful_voxels;
    if (solid.voxels == 0)
        fail_input("the mesh surrounds no voxel", where,
                   "it is open nearly everywhere, or thinner than a voxel; a solid has to have an inside",
                   "give it thickness in a mesh editor, or larger lengths");
    PlacedMesh& outer = solid.outer_surface;
    outer.box = mesh.box;
    outer.mesh = take_outer_surface(mesh.mesh, found.inside);
    if (outer.mesh.triangles.empty()) outer.mesh = std::move(mesh.mesh);
    outer.bvh = build_bvh(outer.mesh, {.threads = threads});
    auto const& pitch_mm = mesh.box.pitch_mm;
    outer.report.triangles = outer.mesh.triangles.size();
    outer.report.area_mm2 = measure_area_mm2(outer.mesh.positions_mm, outer.mesh.triangles, pitch_mm);
    outer.report.volume_mm3 = static_cast<double>(solid.voxels) * static_cast<double>(pitch_mm[0]) *
                              static_cast<double>(pitch_mm[1]) * static_cast<double>(pitch_mm[2]);
    solid.inside = std::make_shared<Occupancy const>(std::move(found.inside));
    return solid;
}

SurfaceTarget make_surface_target(PlacedMesh const& surface, int threads)
{
    struct SearchedSurface {
        SearchedSurface(PlacedMesh const& placed, int build_threads)
            : bvh(placed, build_threads), planes(make_triangle_planes(bvh.triangles, placed.box.pitch_mm)),
              pitch_mm(placed.box.pitch_mm)
        {
        }
        OwnBvh bvh;
        std::vector<TrianglePlane> planes;
        std::array<float, 3> pitch_mm;
    };
    auto const own = std::make_shared<SearchedSurface const>(surface, threads);
    return [own](Vec3 p) {
        auto const& pitch_mm = own->pitch_mm;
        NearestPointSearch search(own->bvh.view, own->planes, pitch_mm);
        double const most_mm = 2 * static_cast<double>(std::ranges::max(pitch_mm));
        NearestPoint const nearest =
            search.find({static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)}, most_mm);
        if (nearest.triangle == kNoTriangle) return p;
        auto const move = [&](float at, std::size_t axis) {
            return static_cast<float>(static_cast<double>(at) +
                                      nearest.offset_mm[axis] / static_cast<double>(pitch_mm[axis]));
        };
        return Vec3{move(p.x, 0), move(p.y, 1), move(p.z, 2)};
    };
}

} // namespace volpt
