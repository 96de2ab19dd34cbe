// Bounding volume hierarchies of triangle meshes.
#pragma once

#include "libvolpt/core/surface/bvh.hd.h"
#include "libvolpt/surface/triangle_mesh.h"

#include <span>
#include <string>

namespace volpt {

/// How nodes lie in memory. Nothing else depends on it; pre-order has the parent just before its first child.
enum class BvhNodeOrder { pre_order, in_order, post_order };

struct BvhOptions {
    BvhNodeOrder node_order = BvhNodeOrder::pre_order;
    int threads = 1;
};

struct Bvh {
    std::vector<BvhNode> nodes;
    std::vector<std::uint32_t> order; ///< numbers of the mesh's triangles, in the order of leaves
    BoundingBox bounds;               ///< of all triangles
    std::uint32_t root = 0;
};

/// By the surface area heuristic over 16 bins per axis (I. Wald, On fast Construction of SAH-based Bounding Volume
/// Hierarchies, IEEE Symposium on Interactive Ray Tracing 2007). Boxes are those of the corners, without any margin;
/// depth and leaves as bvh.hd.h limits them. The same bits for any number of threads. Takes 100 bytes per triangle
/// while it works. Fails (input) if there is no triangle, a corner is no vertex, a vertex of a triangle not finite, or
/// triangles are more than kMaxBvhTriangles.
Bvh build_bvh(TriangleMesh const& mesh, BvhOptions const& options);

/// The triangles with their corners, for BvhView.
std::vector<LeafTriangle> gather_leaf_triangles(std::span<Vec3 const> positions,
                                                std::span<std::array<std::uint32_t, 3> const> triangles,
                                                std::span<std::uint32_t const> order, int threads);
inline std::vector<LeafTriangle> gather_leaf_triangles(TriangleMesh const& mesh, std::span<std::uint32_t const> order,
                                                       int threads)
{
    return gather_leaf_triangles(mesh.positions_mm, mesh.triangles, order, threads);
}

/// By number of the triangle, its place in `triangles`.
std::vector<std::uint32_t> find_places(std::span<LeafTriangle const> triangles);

/// A hierarchy as a file holds it; owns nothing.
struct StoredBvhView {
    std::span<BvhNode const> nodes;
    std::span<std::uint32_t const> order;
    BoundingBox bounds;
    std::uint32_t root;
};

/// Fails (input, at `where`) unless the hierarchy is one of `mesh` that find_triangle can traverse: every triangle in
/// exactly one leaf, every node reached once and at most kMaxBvhDepth deep, links right, boxes finite and around
/// what they hold. The mesh is one that build_bvh accepts.
void validate_bvh(StoredBvhView const& bvh, TriangleMesh const& mesh, std::string const& where);

/// Fails (input, at `where`) unless find_triangle, whatever the boxes, reads nodes and places of leaves that are there
/// and comes to an end: the links are those of one tree in pre-order (the root first, every node after its parent), at
/// most kMaxBvhDepth deep, and the order names triangles of the mesh. In one pass over the nodes.
void validate_bvh_links(std::span<BvhNode const> nodes, std::span<std::uint32_t const> order, std::string const& where);

} // namespace volpt
