// The triangle mesh that bounds the medium of a volume.
#pragma once

#include "libvolpt/surface/bvh.h"

#include <span>

namespace volpt {

/// A mesh as a .vpk holds it; owns nothing. Positions are in voxels from the box corner, along the box's axes. The
/// mesh is one that check_mesh accepts, its hierarchy in pre-order.
struct SurfaceMeshView {
    std::span<Vec3 const> vertices_voxels;                   ///< all of them used
    std::span<std::array<std::uint32_t, 3> const> triangles; ///< counter-clockwise as seen from outside
    std::span<std::array<Vec3, 3> const> normals;            ///< per triangle and corner, unit; empty: none
    std::span<std::array<TextureCoordinates, 3> const> texture_coordinates; ///< likewise
    std::span<BvhNode const> bvh_nodes;                                     ///< boxes in voxels; node 0 is the root
    std::span<std::uint32_t const> bvh_order;                               ///< triangle numbers in the order of leaves
    /// By brick, x fastest: compute_mesh_clearance_mm, by this hierarchy.
    std::span<float const> clearance_mm;
    BoundingBox bounds_voxels;
    double volume_mm3 = 0;
    double area_mm2 = 0;

    bool is_empty() const { return triangles.empty(); }

    /// Of what is stored by triangle, vertex and node.
    std::uint64_t size_bytes() const
    {
        return vertices_voxels.size_bytes() + triangles.size_bytes() + normals.size_bytes() +
               texture_coordinates.size_bytes() + bvh_nodes.size_bytes() + bvh_order.size_bytes();
    }
};

} // namespace volpt
