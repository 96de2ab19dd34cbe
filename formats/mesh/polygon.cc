#include "formats/mesh/polygon.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace volpt {
namespace {

using Point2 = std::array<double, 2>;

/// Twice the signed area.
double turn(Point2 const& a, Point2 const& b, Point2 const& c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/// Along the largest component of Newell's normal, so that the polygon turns counter-clockwise.
std::vector<Point2> project_polygon(std::span<Point3 const> corners)
{
    Point3 normal{};
    for (std::size_t i = 0; i < corners.size(); ++i) {
        Point3 const& a = corners[i];
        Point3 const& b = corners[(i + 1) % corners.size()];
        for (std::size_t k = 0; k < 3; ++k) {
            std::size_t const u = (k + 1) % 3, v = (k + 2) % 3;
            normal[k] += (a[u] - b[u]) * (a[v] + b[v]);
        }
    }
    std::size_t axis = 0;
    for (std::size_t k = 1; k < 3; ++k)
        if (std::abs(normal[k]) > std::abs(normal[axis])) axis = k;
    // Newell's sum over (u, v) is positive for a turn from u to v.
    std::size_t const u = (axis + 1) % 3, v = (axis + 2) % 3;
    double const sign = normal[axis] < 0 ? -1 : 1;
    std::vector<Point2> plane;
    plane.reserve(corners.size());
    for (Point3 const& corner : corners) plane.push_back({corner[u], sign * corner[v]});
    return plane;
}

class EarClipper {
public:
    EarClipper(std::vector<Point2> plane, PolygonBudget& budget)
        : plane_(std::move(plane)), own_tests_(100 * plane_.size()), budget_(budget)
    {
        auto const count = static_cast<std::uint32_t>(plane_.size());
        next_.resize(count);
        previous_.resize(count);
        for (std::uint32_t i = 0; i < count; ++i) {
            next_[i] = (i + 1) % count;
            previous_[i] = (i + count - 1) % count;
        }
        for (std::uint32_t i = 0; i < count; ++i)
            if (!is_convex(i)) blockers_.push_back(i);
        is_blocker_.resize(count);
        for (std::uint32_t const i : blockers_) is_blocker_[i] = true;
    }

    bool clip(std::vector<std::array<std::uint32_t, 3>>& triangles)
    {
        bool is_simple = can_be_done();
        std::uint32_t at = 1 % static_cast<std::uint32_t>(plane_.size());
        std::size_t failures = 0;
        for (std::size_t left = plane_.size(); left > 3;) {
            if (is_simple && !is_ear(at)) {
                at = next_[at];
                if (++failures > left || !has_tests()) is_simple = false;
                continue;
            }
            triangles.push_back({previous_[at], at, next_[at]});
            next_[previous_[at]] = next_[at];
            previous_[next_[at]] = previous_[at];
            is_blocker_[at] = false;
            for (std::uint32_t const i : {previous_[at], next_[at]}) is_blocker_[i] = is_blocker_[i] && !is_convex(i);
            at = next_[at]; // of a convex polygon, this makes a fan about its first corner
            failures = 0;
            --left;
        }
        triangles.push_back({previous_[at], at, next_[at]});
        return is_simple && turn(plane_[previous_[at]], plane_[at], plane_[next_[at]]) > 0;
    }

private:
    /// An ear is tested against all notches that are left, and cutting it off ends at most two of them.
    bool can_be_done() const
    {
        std::uint64_t const notches = blockers_.size();
        return notches * notches / 4 <= own_tests_ + budget_.tests;
    }

    bool has_tests() const { return own_tests_ > 0 || budget_.tests > 0; }

    bool is_convex(std::uint32_t i) const { return turn(plane_[previous_[i]], plane_[i], plane_[next_[i]]) > 0; }

    bool is_ear(std::uint32_t at)
    {
        if (!is_convex(at)) return false;
        Point2 const &a = plane_[previous_[at]], &b = plane_[at], &c = plane_[next_[at]];
        for (std::size_t k = 0; k < blockers_.size();) {
            if (!has_tests()) return false;
            --(own_tests_ > 0 ? own_tests_ : budget_.tests);
            std::uint32_t const i = blockers_[k];
            if (!is_blocker_[i]) {
                blockers_[k] = blockers_.back();
                blockers_.pop_back();
                continue;
            }
            ++k;
            Point2 const& p = plane_[i];
            if (p == a || p == b || p == c) continue; // a bridge to a hole has each of its corners twice
            if (turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0) return false;
        }
        return true;
    }

    std::vector<Point2> plane_;
    std::vector<std::uint32_t> next_, previous_;
    std::vector<std::uint32_t> blockers_; ///< corners that are not convex, and former ones: only they can lie in an ear
    std::vector<bool> is_blocker_;
    std::uint64_t own_tests_;
    PolygonBudget& budget_;
};

} // namespace

bool triangulate_polygon(std::span<Point3 const> corners, std::vector<std::array<std::uint32_t, 3>>& triangles,
                         PolygonBudget& budget)
{
    if (corners.size() == 3) {
        triangles.push_back({0, 1, 2});
        return true;
    }
    return EarClipper(project_polygon(corners), budget).clip(triangles);
}

} // namespace volpt
