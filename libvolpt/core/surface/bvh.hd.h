// The nearest triangle of a ray, by a bounding volume hierarchy in memory.
//
// A node holds the boxes of both its children (T. Aila, S. Laine, Understanding the Efficiency of Ray Traversal on
// GPUs, High Performance Graphics 2009): one fetch of 64 bytes, half a cache line of a GPU, decides both, and which is
// nearer; a node of one box each takes twice as many dependent fetches. Leaves are no nodes: a reference holds their
// triangles.
#pragma once

#include "libvolpt/core/surface/triangle.hd.h"

namespace volpt {

/// `lower` > `upper`: empty. No box of a node is: a ray would cross it.
struct BoundingBox {
    Vec3 lower{0x1.fffffep127f, 0x1.fffffep127f, 0x1.fffffep127f};
    Vec3 upper{-0x1.fffffep127f, -0x1.fffffep127f, -0x1.fffffep127f};
};

/// Part of the .vpk format. Nodes on the way from the root to a node, both included: the bits of the trail below.
inline constexpr int kMaxBvhDepth = 64;
inline constexpr std::uint32_t kMaxLeafTriangles = 4;
inline constexpr std::uint32_t kMaxBvhTriangles = (1u << 29) - 4;
inline constexpr std::uint32_t kNoTriangle = 0xffffffffu;

/// Part of the .vpk format. A child is the number of a node, or with the highest bit set a leaf: two bits of the number
/// of triangles less 1, 29 bits of the first one's place. The sibling is the other child of the parent where that is a
/// node, else and in the root the node itself. Of a single triangle both children are the same leaf.
struct alignas(16) BvhNode {
    BoundingBox box[2];
    std::uint32_t child[2];
    std::uint32_t parent;
    std::uint32_t sibling;
};
static_assert(sizeof(BvhNode) == 64);

/// A triangle in the order of leaves, with its corners, so that a leaf takes one fetch and not three after each other.
struct alignas(16) LeafTriangle {
    Vec3 a;
    std::uint32_t number; ///< in the mesh
    Vec3 b;
    std::uint32_t reserved_0;
    Vec3 c;
    std::uint32_t reserved_1;
};
static_assert(sizeof(LeafTriangle) == 48);

struct BvhView {
    BvhNode const* nodes;
    LeafTriangle const* triangles;
    BoundingBox bounds; ///< of all triangles
    std::uint32_t root;
};

struct BvhRay {
    TriangleRay triangle;
    Vec3 inverse;      ///< of the direction, finite
    Vec3 lower_offset; ///< plane * inverse + offset = t of a lower and an upper face of a box
    Vec3 upper_offset;
};

/// `triangle` is kNoTriangle if none is met.
struct SurfaceHit {
    float t;
    std::uint32_t triangle;
    float weight_b, weight_c;
};

enum class BvhSearch : std::uint32_t { nearest, any };

VOLPT_HD bool is_leaf(std::uint32_t child)
{
    return (child >> 31) != 0u;
}
VOLPT_HD std::uint32_t get_leaf_count(std::uint32_t child)
{
    return (child >> 29 & 3u) + 1u;
}
VOLPT_HD std::uint32_t get_leaf_first(std::uint32_t child)
{
    return child & 0x1fffffffu;
}
VOLPT_HD std::uint32_t make_leaf(std::uint32_t first, std::uint32_t count)
{
    return 0x80000000u | (count - 1u) << 29 | first;
}

/// 1 / d, and of components near 0 a number so large that no box is left through their faces.
VOLPT_HD float invert_direction(float d)
{
    return exact::reciprocal(exact::abs(d) < 0x1p-60f ? exact::copysign(0x1p-60f, d) : d);
}

/// Boxes grow by a margin, so that a ray that meets a triangle as computed never misses its box as computed, nor finds
/// it later than the triangle (T. Ize, Robust BVH Ray Traversal, JCGT 2(2), 2013; here absolute, per ray).
///
/// In units of u = 2^-24, with R the largest distance of origin and bounds along an axis: a vertex in the ray's space
/// lies off by 4 R; t from corners by 15 R; the t of a face by 3 R + 2 |origin|, all as lengths along that axis. The
/// margin is 32 (R + |origin|).
VOLPT_HD BvhRay make_bvh_ray(BvhView const& bvh, Vec3 origin, Vec3 direction)
{
    Vec3 const below = bvh.bounds.lower - origin;
    Vec3 const above = bvh.bounds.upper - origin;
    float const reach = exact::max(exact::max(exact::max(exact::abs(below.x), exact::abs(above.x)),
                                              exact::max(exact::abs(below.y), exact::abs(above.y))),
                                   exact::max(exact::abs(below.z), exact::abs(above.z)));
    Vec3 const margin = {0x1p-19f * (reach + exact::abs(origin.x)), 0x1p-19f * (reach + exact::abs(origin.y)),
                         0x1p-19f * (reach + exact::abs(origin.z))};
    Vec3 const inverse = {invert_direction(direction.x), invert_direction(direction.y), invert_direction(direction.z)};
    return {make_triangle_ray(origin, direction), inverse, -((origin + margin) * inverse),
            -((origin - margin) * inverse)};
}

struct BoxCrossing {
    bool crossed;
    float t; ///< where the box begins, or t_min
};

VOLPT_HD BoxCrossing cross_box(BvhRay const& ray, BoundingBox const& box, float t_min, float t_max)
{
    Vec3 const lower = multiply_add(box.lower, ray.inverse, ray.lower_offset);
    Vec3 const upper = multiply_add(box.upper, ray.inverse, ray.upper_offset);
    using exact::ordered_max;
    using exact::ordered_min;
    float const begin = ordered_max(ordered_max(ordered_min(lower.x, upper.x), ordered_min(lower.y, upper.y)),
                                    ordered_max(ordered_min(lower.z, upper.z), t_min));
    float const end = ordered_min(ordered_min(ordered_max(lower.x, upper.x), ordered_max(lower.y, upper.y)),
                                  ordered_min(ordered_max(lower.z, upper.z), t_max));
    return {begin <= end, begin};
}

/// Makes `hit` the triangle if that is met from t_min on and before the hit, or at the same t and has the lower number.
VOLPT_HD void take_nearer(TriangleRay const& ray, LeafTriangle const& triangle, Facing facing, float t_min,
                          SurfaceHit& hit)
{
    TriangleHit const met = intersect_triangle(ray, triangle.a, triangle.b, triangle.c, facing);
    if (!met.met || !(met.t >= t_min)) return;
    if (met.t < hit.t || (met.t == hit.t && triangle.number < hit.triangle)) {
        hit = {met.t, triangle.number, met.weight_b, met.weight_c};
    }
}

/// In three fetches of a GPU; member by member, they would be ten.
VOLPT_HD LeafTriangle load_leaf_triangle(LeafTriangle const* from)
{
#if VOLPT_ON_DEVICE
    auto const* const words = reinterpret_cast<float4 const*>(from);
    float4 const a = __ldg(words), b = __ldg(words + 1), c = __ldg(words + 2);
    return {{a.x, a.y, a.z}, bits_from_float(a.w), {b.x, b.y, b.z}, 0u, {c.x, c.y, c.z}, 0u};
#else
    return *from;
#endif
}

template <class Hit>
VOLPT_HD void visit_leaf(BvhView const& bvh, BvhRay const& ray, std::uint32_t leaf, Facing facing, float t_min,
                         Hit& hit)
{
    std::uint32_t const first = get_leaf_first(leaf);
    std::uint32_t const end = first + get_leaf_count(leaf);
    for (std::uint32_t i = first; i < end; ++i)
        take_nearer(ray.triangle, load_leaf_triangle(bvh.triangles + i), facing, t_min, hit);
}

/// What a ray crosses of a node: the nearer child, if any, then the farther one.
struct NodeCrossing {
    std::uint32_t nearer, farther;
    float farther_t;
    bool visits_nearer, visits_farther;
};

VOLPT_HD NodeCrossing cross_node(BvhNode const& node, BvhRay const& ray, float t_min, float t_max)
{
    BoxCrossing const crossing_0 = cross_box(ray, node.box[0], t_min, t_max);
    BoxCrossing const crossing_1 = cross_box(ray, node.box[1], t_min, t_max);
    bool const swapped = crossing_1.crossed && (!crossing_0.crossed || crossing_1.t < crossing_0.t);
    // Selections: an index that varies would put the node into the stack frame.
    return {swapped ? node.child[1] : node.child[0], swapped ? node.child[0] : node.child[1],
            swapped ? crossing_0.t : crossing_1.t, crossing_0.crossed || crossing_1.crossed,
            crossing_0.crossed && crossing_1.crossed};
}

/// From node `place` on to a child that is to be visited, or to the nearest sibling of an ancestor that waits for it;
/// false if there is none.
VOLPT_HD bool go_to_next_node(BvhView const& bvh, NodeCrossing const& crossing, std::uint32_t& place,
                              std::uint64_t& trail)
{
    if (crossing.visits_nearer || crossing.visits_farther) {
        trail = trail << 1 | (crossing.visits_nearer && crossing.visits_farther ? 1u : 0u);
        place = crossing.visits_nearer ? crossing.nearer : crossing.farther;
        return true;
    }
    if (trail == 0u) return false;
    for (; (trail & 1u) == 0u; trail >>= 1) place = bvh.nodes[place].parent;
    place = bvh.nodes[place].sibling;
    trail ^= 1u;
    return true;
}

/// The triangle of the lowest t in t_min .. t_max, of those the lowest number: no matter how the tree was built. With
/// BvhSearch::any some triangle in that range, which may depend on the tree.
///
/// No stack: a bit per level says whether the sibling is still to be visited, and nodes know parent and sibling
/// (A. T. Afra, L. Szirmay-Kalos, Stackless Multi-BVH Traversal for CPU, MIC and GPU Ray Tracing, Computer Graphics
/// Forum 33(1), 2014). Nodes are crossed until one has a leaf to visit: on a GPU, the lanes of a warp meet there
/// (Aila and Laine 2009, "while-while").
///
/// `hit` is a SurfaceHit, or derived from one with a take_nearer of its own: {t_max, kNoTriangle, 0, 0} at first.
template <BvhSearch kSearch, class Hit>
VOLPT_HD Hit find_triangle_from(BvhView const& bvh, BvhRay const& ray, Facing facing, float t_min, Hit hit)
{
    std::uint32_t place = bvh.root;
    std::uint64_t trail = 0;
    for (;;) {
        NodeCrossing crossing = cross_node(bvh.nodes[place], ray, t_min, hit.t);
        while (!(crossing.visits_nearer && is_leaf(crossing.nearer)) &&
               !(crossing.visits_farther && is_leaf(crossing.farther))) {
            if (!go_to_next_node(bvh, crossing, place, trail)) return hit;
            crossing = cross_node(bvh.nodes[place], ray, t_min, hit.t);
        }
        for (int i = 0; i < 2; ++i) {
            std::uint32_t const child = i == 0 ? crossing.nearer : crossing.farther;
            bool const visits =
                i == 0 ? crossing.visits_nearer : crossing.visits_farther && crossing.farther_t <= hit.t;
            bool const visits_leaf = visits && is_leaf(child);
            if (visits_leaf) visit_leaf(bvh, ray, child, facing, t_min, hit);
            (i == 0 ? crossing.visits_nearer : crossing.visits_farther) = visits && !visits_leaf;
        }
        if (kSearch == BvhSearch::any && hit.triangle != kNoTriangle) return hit;
        if (!go_to_next_node(bvh, crossing, place, trail)) return hit;
    }
}

/// find_triangle_from without anything known.
template <BvhSearch kSearch = BvhSearch::nearest>
VOLPT_HD SurfaceHit find_triangle(BvhView const& bvh, BvhRay const& ray, Facing facing, float t_min, float t_max)
{
    return find_triangle_from<kSearch>(bvh, ray, facing, t_min, SurfaceHit{t_max, kNoTriangle, 0.0f, 0.0f});
}

} // namespace volpt
