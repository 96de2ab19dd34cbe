#include "libvolpt/surface/self_intersections.h"

#include "libvolpt/surface/triangle_overlap.h"
#include "libvolpt/sys/parallel.h"

#include <algorithm>

namespace volpt {
namespace {

constexpr std::size_t kSlotsPerPiece = 4096;

bool overlap_boxes(BoundingBox const& a, BoundingBox const& b)
{
    return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y && b.lower.y <= a.upper.y &&
           a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}

NumberedTriangle get_triangle(TriangleMesh const& mesh, std::uint32_t number)
{
    auto const& v = mesh.triangles[number];
    return {{mesh.positions_mm[v[0]], mesh.positions_mm[v[1]], mesh.positions_mm[v[2]]}, v};
}

BoundingBox get_box(NumberedTriangle const& triangle)
{
    auto const& [a, b, c] = triangle.corners;
    return {{std::min({a.x, b.x, c.x}), std::min({a.y, b.y, c.y}), std::min({a.z, b.z, c.z})},
            {std::max({a.x, b.x, c.x}), std::max({a.y, b.y, c.y}), std::max({a.z, b.z, c.z})}};
}

/// visit(number) for the triangles of all leaves whose boxes overlap `box`.
template <typename Visit>
void visit_leaves(Bvh const& bvh, BoundingBox const& box, Visit const& visit)
{
    std::array<std::uint32_t, kMaxBvhDepth + 1> pending;
    std::size_t count = 0;
    pending[count++] = bvh.root;
    while (count > 0) {
        BvhNode const& node = bvh.nodes[pending[--count]];
        for (int side = 0; side < 2; ++side) {
            if (!overlap_boxes(box, node.box[side])) continue;
            std::uint32_t const child = node.child[side];
            if (!is_leaf(child)) {
                pending[count++] = child;
                continue;
            }
            std::uint32_t const first = get_leaf_first(child);
            for (std::uint32_t i = first; i < first + get_leaf_count(child); ++i) visit(bvh.order[i]);
        }
    }
}

bool have_same_vertices(NumberedTriangle const& a, NumberedTriangle const& b)
{
    return std::is_permutation(a.vertices.begin(), a.vertices.end(), b.vertices.begin());
}

void keep_first(SelfIntersections& found, std::size_t max_pairs)
{
    std::sort(found.pairs.begin(), found.pairs.end());
    if (found.pairs.size() > max_pairs) found.pairs.resize(max_pairs);
}

} // namespace

SelfIntersections find_self_intersections(TriangleMesh const& mesh, Bvh const& bvh,
                                          std::vector<std::uint8_t> const& is_degenerate, std::size_t max_pairs,
                                          int threads)
{
    std::size_t const pieces = (bvh.order.size() + kSlotsPerPiece - 1) / kSlotsPerPiece;
    std::vector<SelfIntersections> parts(pieces);
    parallel_for(threads, pieces, [&](std::size_t piece) {
        SelfIntersections& found = parts[piece];
        // In the order of leaves, whose neighbours ask the same nodes.
        std::size_t const end = std::min(bvh.order.size(), (piece + 1) * kSlotsPerPiece);
        for (std::size_t slot = piece * kSlotsPerPiece; slot < end; ++slot) {
            std::uint32_t const number = bvh.order[slot];
            if (is_degenerate[number] != 0) continue;
            NumberedTriangle const triangle = get_triangle(mesh, number);
            BoundingBox const box = get_box(triangle);
            visit_leaves(bvh, box, [&](std::uint32_t other) {
                if (other <= number || is_degenerate[other] != 0) return;
                NumberedTriangle const second = get_triangle(mesh, other);
                if (!overlap_boxes(box, get_box(second)) || have_same_vertices(triangle, second)) return;
                if (!overlap_triangles(triangle, second)) return;
                ++found.count;
                found.pairs.emplace_back(number, other);
            });
            if (found.pairs.size() > 4 * max_pairs) keep_first(found, max_pairs);
        }
    });
    SelfIntersections all;
    for (SelfIntersections const& part : parts) {
        all.count += part.count;
        all.pairs.insert(all.pairs.end(), part.pairs.begin(), part.pairs.end());
    }
    keep_first(all, max_pairs);
    return all;
}

std::vector<int> find_enclosures(TriangleMesh const& mesh, Bvh const& bvh,
                                 std::vector<std::uint32_t> const& component_of, std::size_t components, int threads)
{
    std::vector<std::uint32_t> first_triangle(components, kNoTriangle);
    for (std::uint32_t i = 0; i < component_of.size(); ++i) {
        if (first_triangle[component_of[i]] == kNoTriangle) first_triangle[component_of[i]] = i;
    }
    std::vector<int> enclosures(components, 0);
    parallel_for(threads, components, [&](std::size_t component) {
        // The middle of a triangle: components may touch each other in vertices.
        NumberedTriangle const start = get_triangle(mesh, first_triangle[component]);
        Vec3 const origin = (1.0f / 3.0f) * (start.corners[0] + start.corners[1] + start.corners[2]);
        TriangleRay const ray = make_triangle_ray(origin, {1, 0, 0});
        BoundingBox const ahead = {origin, {bvh.bounds.upper.x, origin.y, origin.z}};
        visit_leaves(bvh, ahead, [&](std::uint32_t number) {
            if (component_of[number] == component) return;
            auto const [a, b, c] = get_triangle(mesh, number).corners;
            if (TriangleHit const hit = intersect_triangle(ray, a, b, c, Facing::back); hit.met && hit.t > 0) {
                ++enclosures[component];
            }
            if (TriangleHit const hit = intersect_triangle(ray, a, b, c, Facing::front); hit.met && hit.t > 0) {
                --enclosures[component];
            }
        });
    });
    return enclosures;
}

} // namespace volpt
