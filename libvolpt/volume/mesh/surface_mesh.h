// The triangle mesh that bounds the medium of a volume.
#pragma once

#include "libvolpt/core/scene_view.hd.h"
#include "libvolpt/surface/bvh.h"

#include <span>

namespace volpt {

/// The interface of one of several solids, in place of the scene's. Its bytes are those of the file.
struct SolidBoundary {
    std::uint32_t first_triangle = 0; ///< the solid's are those from here to the next one's first
    BoundaryKindView kind = BoundaryKindView::none;
    MicrofacetsView microfacets = MicrofacetsView::single; ///< if it is rough
    std::uint32_t reserved = 0;
    double int_ior = 1, ext_ior = 1; ///< 0.1 to 10; 1 without an interface
    double alpha = 0;                ///< 0 to 1, if it is rough
};
static_assert(sizeof(SolidBoundary) == 40);

/// Where one of several solids lies, some of which lie in others, and its medium, which does not vary. Its bytes are
/// those of the file.
struct SolidNesting {
    std::uint32_t around = 0; ///< 1 + number of the solid in which it lies, next around it; 0: in none
    std::uint32_t label = 0;  ///< of its material
};
static_assert(sizeof(SolidNesting) == 8);

/// Solids of a mesh of which some lie in others.
inline constexpr std::size_t kMaxNestedSolids = 255;

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
    std::span<SolidBoundary const> solids; ///< ascending; empty: the boundary is the scene's
    std::span<SolidNesting const> nesting; ///< by solid; empty: none lies in another
    /// The last ones are those that were under support material when the solid was printed; 0 with `solids`.
    std::uint32_t supported_triangles = 0;
    BoundingBox bounds_voxels;
    double volume_mm3 = 0;
    double area_mm2 = 0;

    bool is_empty() const { return triangles.empty(); }

    /// Of what is stored by triangle, vertex and node.
    std::uint64_t size_bytes() const
    {
        return vertices_voxels.size_bytes() + triangles.size_bytes() + normals.size_bytes() +
               texture_coordinates.size_bytes() + bvh_nodes.size_bytes() + bvh_order.size_bytes() +
               solids.size_bytes() + nesting.size_bytes();
    }
};

inline std::size_t count_solids_in_others(SurfaceMeshView const& mesh)
{
    std::size_t count = 0;
    for (SolidNesting const& solid : mesh.nesting) count += solid.around != 0 ? 1 : 0;
    return count;
}

} // namespace volpt
