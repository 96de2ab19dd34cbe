// Polygons to triangles, by clipping ears.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace volpt {

using Point3 = std::array<double, 3>;

/// Tests of a corner against an ear that the polygons of a mesh share, beside 100 per corner: against files made to be
/// slow. A polygon of up to about 10,000 notches needs no more than this.
struct PolygonBudget {
    std::uint64_t tests = 200'000'000;
};

/// Cuts a polygon of n >= 3 corners into n - 2 triangles of the same orientation, which are appended as numbers of
/// corners: whatever the polygon is like, each of its edges is in exactly one of them, so that a closed mesh stays
/// closed. False if the polygon is not simple (crosses or touches itself), is far from plane, has NaN corners or needs
/// more than the budget: its rest is then a fan, or all of it where the number of its notches tells. Linear in n for
/// convex polygons, else n times its notches.
///
/// G. H. Meisters, Polygons have ears, Am. Math. Mon. 82 (1975).
bool triangulate_polygon(std::span<Point3 const> corners, std::vector<std::array<std::uint32_t, 3>>& triangles,
                         PolygonBudget& budget);

} // namespace volpt
