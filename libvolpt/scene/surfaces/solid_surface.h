// The triangles that bound a solid, ready for paths.
#pragma once

#include "libvolpt/core/scene_view.hd.h"
#include "libvolpt/surface/bvh.h"
#include "libvolpt/volume/mesh/surface_mesh.h"

namespace volpt {

/// Owns what a SurfaceView points into.
class SolidSurface {
public:
    /// `mesh_voxels` is closed, and its positions are in voxels from the corner of the medium's box, inside of it;
    /// normals are in the box's axes. The clearance is 0 everywhere at first. Fails (input) as build_bvh does.
    SolidSurface(TriangleMesh const& mesh_voxels, MediumView const& medium, int threads);

    /// `mesh` is that of a volume with `medium`, which outlives this object; its clearance is used where it is.
    SolidSurface(SurfaceMeshView const& mesh, MediumView const& medium, int threads);

    SolidSurface(SolidSurface const&) = delete; // view() points into this object
    SolidSurface& operator=(SolidSurface const&) = delete;

    /// compute_mesh_clearance_mm of this surface.
    std::vector<float> compute_clearance_mm(int threads) const;
    /// One value per brick of the medium.
    void set_clearance_mm(std::vector<float> clearance_mm);

    SurfaceView const& view() const { return view_; }

private:
    void fill_view(BvhView const& bvh, std::size_t nodes, Vec3 const* normals, MediumView const& medium);

    std::array<int, 3> dims_{};
    Bvh bvh_;
    std::vector<LeafTriangle> triangles_;
    std::vector<std::uint32_t> places_;
    std::vector<Vec3> normals_;
    std::vector<float> clearance_mm_;
    SurfaceView view_;
};

} // namespace volpt
