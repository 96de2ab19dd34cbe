#include "libvolpt/surface/solid_locator.h"

#include <algorithm>
#include <cmath>

namespace volpt {
namespace {

constexpr float kTouch = 1e-4f; ///< of an edge's length
constexpr float kBeyondAll = 0x1p60f;

bool are_apart(BoundingBox const& a, BoundingBox const& b)
{
    return a.lower.x > b.upper.x || b.lower.x > a.upper.x || a.lower.y > b.upper.y || b.lower.y > a.upper.y ||
           a.lower.z > b.upper.z || b.lower.z > a.upper.z;
}

/// The point of a triangle that is nearest to the origin (C. Ericson, Real-Time Collision Detection, 2005, 5.1.5).
Vec3 find_nearest_to_origin(Vec3 a, Vec3 b, Vec3 c)
{
    Vec3 const ab = b - a, ac = c - a;
    float const d1 = -dot(ab, a), d2 = -dot(ac, a);
    if (d1 <= 0 && d2 <= 0) return a;
    float const d3 = -dot(ab, b), d4 = -dot(ac, b);
    if (d3 >= 0 && d4 <= d3) return b;
    float const vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return move_along(a, d1 / (d1 - d3), ab);
    float const d5 = -dot(ab, c), d6 = -dot(ac, c);
    if (d6 >= 0 && d5 <= d6) return c;
    float const vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return move_along(a, d2 / (d2 - d6), ac);
    float const va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 >= d3 && d5 >= d6) return move_along(b, (d4 - d3) / (d4 - d3 + d5 - d6), c - b);
    float const sum = va + vb + vc;
    return move_along(move_along(a, vb / sum, ab), vc / sum, ac);
}

} // namespace

SolidLocator::SolidLocator(TriangleMesh const& mesh, int threads)
    : mesh_{mesh.positions_mm, mesh.triangles, {}, {}, {}}, bvh_(build_bvh(mesh_, {.threads = threads})),
      triangles_(gather_leaf_triangles(mesh_, bvh_.order, threads)), view_{bvh_.nodes.data(), triangles_.data(),
                                                                           bvh_.bounds, bvh_.root}
{
}

std::uint32_t SolidLocator::find_enclosing(Vec3 point) const
{
    BvhRay const ray = make_bvh_ray(view_, point, {0, 0, 1});
    SurfaceHit const hit = find_triangle(view_, ray, Facing::any, 0, kBeyondAll);
    if (hit.triangle == kNoTriangle) return kNoTriangle;
    auto const& corners = mesh_.triangles[hit.triangle];
    auto const& at = mesh_.positions_mm;
    bool const is_back =
        intersect_triangle(ray.triangle, at[corners[0]], at[corners[1]], at[corners[2]], Facing::back).met;
    return is_back ? hit.triangle : kNoTriangle;
}

bool SolidLocator::meets_edge_of(TriangleMesh const& mesh) const
{
    return std::ranges::any_of(mesh.triangles, [&](auto const& corners) {
        for (std::size_t i = 0; i < 3; ++i) {
            Vec3 const from = mesh.positions_mm[corners[i]];
            Vec3 const edge = mesh.positions_mm[corners[(i + 1) % 3]] - from;
            float const longest = std::max({std::abs(edge.x), std::abs(edge.y), std::abs(edge.z)});
            if (!(longest > 0x1p-30f)) continue;
            BvhRay const ray = make_bvh_ray(view_, from, (1 / longest) * edge);
            float const first = kTouch * longest, last = longest - first;
            if (find_triangle<BvhSearch::any>(view_, ray, Facing::any, first, last).triangle != kNoTriangle)
                return true;
        }
        return false;
    });
}

PlaceInSolid SolidLocator::locate(TriangleMesh const& surface) const
{
    if (surface.triangles.empty()) return PlaceInSolid::outside;
    SolidLocator const other(surface);
    if (are_apart(view_.bounds, other.view_.bounds)) return PlaceInSolid::outside;
    if (meets_edge_of(other.mesh_) || other.meets_edge_of(mesh_)) return PlaceInSolid::across;
    // Apart: a middle of a triangle tells, which is not on an edge that both may share.
    auto const& corners = surface.triangles.front();
    auto const& at = surface.positions_mm;
    Vec3 const middle = (1.0f / 3) * (at[corners[0]] + at[corners[1]] + at[corners[2]]);
    return find_enclosing(middle) != kNoTriangle ? PlaceInSolid::inside : PlaceInSolid::outside;
}

PlaceInSolid SolidLocator::locate_sphere(Vec3 centre, float radius) const
{
    float nearest2 = kBeyondAll, farthest2 = 0;
    for (LeafTriangle const& triangle : triangles_) {
        Vec3 const a = triangle.a - centre, b = triangle.b - centre, c = triangle.c - centre;
        Vec3 const nearest = find_nearest_to_origin(a, b, c);
        nearest2 = std::min(nearest2, dot(nearest, nearest));
        farthest2 = std::max({farthest2, dot(a, a), dot(b, b), dot(c, c)});
    }
    if (radius <= std::sqrt(nearest2) * (1 + kTouch))
        return find_enclosing(centre) != kNoTriangle ? PlaceInSolid::inside : PlaceInSolid::outside;
    return radius >= std::sqrt(farthest2) ? PlaceInSolid::outside : PlaceInSolid::across;
}

} // namespace volpt
