// The closed triangle mesh that bounds a solid, as paths read it.
#pragma once

#include "libvolpt/core/surface/bvh.hd.h"

namespace volpt {

/// What bounds the solid: the volume's box, or triangles inside of it. `surroundings`: triangles, and other surfaces
/// may stand around it (SurroundingsView). `nested`: the same, and solids lie in others (nested_solids.hd.h).
enum class Surfaces : std::uint32_t { box = 0, triangles = 1, surroundings = 2, nested = 3 };

VOLPT_HD constexpr bool has_surroundings(Surfaces surfaces)
{
    return surfaces == Surfaces::surroundings || surfaces == Surfaces::nested;
}

/// Positions are in voxels from the box's corner, normals in the box's own axes.
struct SurfaceView {
    std::uint32_t on = 0; ///< 0: the solid is the box, and all else is empty
    std::uint32_t triangle_count = 0;
    std::uint32_t node_count = 0;
    BvhView bvh{};
    std::uint32_t const* places = nullptr; ///< by number of the triangle: its place in bvh.triangles
    Vec3 const* normals = nullptr;         ///< for shading, unit, outward, 3 per triangle number; or null
    /// By 8^3-voxel brick, x fastest: not above the distance from its centre to the surface, less 4 times
    /// margin_voxels along the longest pitch; 0 says nothing. What bounds the distance of all points of the brick will
    /// do; the distance of the centre itself keeps more flights from being searched for triangles.
    float const* clearance_mm = nullptr;
    Vec3 pitch_mm{1, 1, 1};
    /// How far a path may lie from where exact arithmetic would have it, along each axis (measure_margin_voxels).
    float margin_voxels = 0;
};

/// SurfaceView::margin_voxels in a box of this size: 2^-19 of its longest side s. With u = 2^-24, the computed t of a
/// triangle is off by 15 s u along the ray's longest axis (make_bvh_ray), a point of a triangle by its weights by 4 s
/// u, the end of a flight by s u. The margin is 32 s u.
VOLPT_HD float measure_margin_voxels(Vec3 size_voxels)
{
    return 0x1p-19f * exact::max(size_voxels.x, exact::max(size_voxels.y, size_voxels.z));
}

/// A mesh's triangles in its texture space: the corners lie at (u, v, 0), the numbers are those of the mesh.
struct TextureProbeView {
    BvhView charts{};
    std::uint32_t node_count = 0;
    std::uint32_t triangle_count = 0;
    std::uint32_t is_diffuse = 0; ///< 0: paths start along the normal; 1: in cosine-weighted directions about it
};

} // namespace volpt
