#include "libvolpt/scene/surfaces/solid_surface.h"

#include "libvolpt/volume/mesh/mesh_clearance.h"

#include <algorithm>

namespace volpt {

SolidSurface::SolidSurface(TriangleMesh const& mesh_voxels, MediumView const& medium, int threads)
    : bvh_(build_bvh(mesh_voxels, {.threads = threads})),
      triangles_(gather_leaf_triangles(mesh_voxels, bvh_.order, threads))
{
    for (auto const& corners : mesh_voxels.normals) normals_.insert(normals_.end(), corners.begin(), corners.end());
    fill_view({bvh_.nodes.data(), triangles_.data(), bvh_.bounds, bvh_.root}, bvh_.nodes.size(),
              normals_.empty() ? nullptr : normals_.data(), medium);
    std::size_t bricks = 1;
    for (std::int32_t const count : medium.brick_counts) bricks *= static_cast<std::size_t>(count);
    set_clearance_mm(std::vector<float>(bricks));
}

SolidSurface::SolidSurface(SurfaceMeshView const& mesh, MediumView const& medium, int threads)
    : triangles_(gather_leaf_triangles(mesh.vertices_voxels, mesh.triangles, mesh.bvh_order, threads))
{
    fill_view({mesh.bvh_nodes.data(), triangles_.data(), mesh.bounds_voxels, 0}, mesh.bvh_nodes.size(),
              mesh.normals.empty() ? nullptr : mesh.normals.front().data(), medium);
    view_.clearance_mm = mesh.clearance_mm.data();
}

void SolidSurface::fill_view(BvhView const& bvh, std::size_t nodes, Vec3 const* normals, MediumView const& medium)
{
    places_ = find_places(triangles_);
    view_.on = 1;
    view_.bvh = bvh;
    view_.triangle_count = static_cast<std::uint32_t>(triangles_.size());
    view_.node_count = static_cast<std::uint32_t>(nodes);
    view_.places = places_.data();
    view_.normals = normals;
    view_.pitch_mm = {1.0f / medium.inv_pitch.x, 1.0f / medium.inv_pitch.y, 1.0f / medium.inv_pitch.z};
    view_.margin_voxels = measure_margin_voxels(medium.size_voxels);
    for (int axis = 0; axis < 3; ++axis)
        dims_[static_cast<std::size_t>(axis)] = static_cast<int>(get_axis(medium.size_voxels, axis));
}

void SolidSurface::set_clearance_mm(std::vector<float> clearance_mm)
{
    clearance_mm_ = std::move(clearance_mm);
    view_.clearance_mm = clearance_mm_.data();
}

std::vector<float> SolidSurface::compute_clearance_mm(int threads) const
{
    return compute_mesh_clearance_mm(view_.bvh, {dims_, view_.pitch_mm}, threads);
}

} // namespace volpt
