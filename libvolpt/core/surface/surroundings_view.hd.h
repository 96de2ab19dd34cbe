// Surfaces that stand around a solid and bound no medium, as paths read them: triangles, spheres, a ground plane.
#pragma once

#include "libvolpt/core/surface/bvh.hd.h"

namespace volpt {

struct BsdfView;

/// Positions are in mm from the box's corner, along its axes.
struct SphereView {
    Vec3 centre_mm;
    float radius_mm;
};

/// A plane without end that is met from above alone.
struct GroundView {
    std::uint32_t on = 0;
    std::uint32_t bsdf = 0;
    Vec3 up{0, 0, 1}; ///< unit, in the box's axes, as the two others, which are its u and v
    Vec3 u_axis{1, 0, 0};
    Vec3 v_axis{0, 1, 0};
    Vec3 origin_mm{0, 0, 0}; ///< a point of it, from the box's corner: u = v = 0
    float margin_mm = 0;     ///< a path that is below by less counts as on it
};

/// Primitives have one numbering: triangles first, then spheres.
struct SurroundingsView {
    std::uint32_t on = 0; ///< 0: nothing stands around the solid, and all else is empty
    std::uint32_t primitive_count = 0;
    std::uint32_t triangle_count = 0;
    std::uint32_t node_count = 0;
    std::uint32_t bsdf_count = 0;
    BvhView bvh{}; ///< in voxels from the box's corner; a sphere lies in it as a triangle that has its box
    std::uint32_t const* places = nullptr;  ///< by triangle: its place in bvh.triangles
    SphereView const* spheres = nullptr;    ///< primitive_count - triangle_count
    std::uint32_t const* bsdf_of = nullptr; ///< by primitive
    Vec3 const* normals = nullptr;          ///< for shading, unit, 3 per triangle; 0 0 0: the triangle's own; or null
    float const* texture_coordinates = nullptr; ///< u, v of 3 corners per triangle; or null
    BsdfView const* bsdfs = nullptr;
    GroundView ground;
};

} // namespace volpt
