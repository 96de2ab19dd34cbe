#include "libvolpt/surface/triangle_overlap.h"

#include "libvolpt/surface/exact_predicates.h"

#include <algorithm>

namespace volpt {
namespace {

using Corners = std::array<Vec3, 3>;

/// An axis along which the triangle is not seen from its edge.
int find_projection(Corners const& t)
{
    for (int axis = 0; axis < 2; ++axis) {
        if (find_turn(t[0], t[1], t[2], axis) != 0) return axis;
    }
    return 2;
}

bool have_opposite_signs(int a, int b)
{
    return a * b < 0;
}

/// Whether p lies in the range of coordinates of a and b; for points on their line, between them.
bool is_between(Vec3 p, Vec3 a, Vec3 b, int dropped)
{
    for (int axis = 0; axis < 3; ++axis) {
        if (axis == dropped) continue;
        float const low = std::min(get_axis(a, axis), get_axis(b, axis));
        float const high = std::max(get_axis(a, axis), get_axis(b, axis));
        if (get_axis(p, axis) < low || get_axis(p, axis) > high) return false;
    }
    return true;
}

bool cross_segments(Vec3 a, Vec3 b, Vec3 c, Vec3 d, int axis)
{
    int const side_a = find_turn(c, d, a, axis);
    int const side_b = find_turn(c, d, b, axis);
    int const side_c = find_turn(a, b, c, axis);
    int const side_d = find_turn(a, b, d, axis);
    if (have_opposite_signs(side_a, side_b) && have_opposite_signs(side_c, side_d)) return true;
    return (side_a == 0 && is_between(a, c, d, axis)) || (side_b == 0 && is_between(b, c, d, axis)) ||
           (side_c == 0 && is_between(c, a, b, axis)) || (side_d == 0 && is_between(d, a, b, axis));
}

bool contains_in_plane(Corners const& t, Vec3 p, int axis)
{
    int const u = find_turn(t[0], t[1], p, axis);
    int const v = find_turn(t[1], t[2], p, axis);
    int const w = find_turn(t[2], t[0], p, axis);
    return !have_opposite_signs(u, v) && !have_opposite_signs(v, w) && !have_opposite_signs(w, u);
}

/// In one plane.
bool meet_in_plane(Corners const& t, Vec3 p, Vec3 q, int axis)
{
    if (contains_in_plane(t, p, axis) || contains_in_plane(t, q, axis)) return true;
    for (std::size_t i = 0; i < 3; ++i) {
        if (cross_segments(p, q, t[i], t[(i + 1) % 3], axis)) return true;
    }
    return false;
}

/// `side_p` and `side_q` are those of the triangle's plane.
bool meet_segment(Corners const& t, Vec3 p, Vec3 q, int side_p, int side_q)
{
    if (side_p * side_q > 0) return false;
    if (side_p == 0 && side_q == 0) return meet_in_plane(t, p, q, find_projection(t));
    int const u = find_side_of_plane(p, q, t[0], t[1]);
    int const v = find_side_of_plane(p, q, t[1], t[2]);
    if (have_opposite_signs(u, v)) return false;
    int const w = find_side_of_plane(p, q, t[2], t[0]);
    return !have_opposite_signs(v, w) && !have_opposite_signs(w, u);
}

std::array<int, 3> find_sides(Corners const& plane, Corners const& t)
{
    return {find_side_of_plane(plane[0], plane[1], plane[2], t[0]),
            find_side_of_plane(plane[0], plane[1], plane[2], t[1]),
            find_side_of_plane(plane[0], plane[1], plane[2], t[2])};
}

bool is_apart(std::array<int, 3> const& sides)
{
    return sides[0] != 0 && sides[0] == sides[1] && sides[1] == sides[2];
}

bool overlap_apart(Corners const& a, Corners const& b)
{
    std::array<int, 3> const sides_b = find_sides(a, b);
    if (is_apart(sides_b)) return false;
    std::array<int, 3> const sides_a = find_sides(b, a);
    if (is_apart(sides_a)) return false;
    for (std::size_t i = 0; i < 3; ++i) {
        std::size_t const next = (i + 1) % 3;
        if (meet_segment(a, b[i], b[next], sides_b[i], sides_b[next])) return true;
        if (meet_segment(b, a[i], a[next], sides_a[i], sides_a[next])) return true;
    }
    return false;
}

bool meets_edge(Corners const& t, Vec3 p, Vec3 q)
{
    return meet_segment(t, p, q, find_side_of_plane(t[0], t[1], t[2], p), find_side_of_plane(t[0], t[1], t[2], q));
}

} // namespace

bool overlap_triangles(NumberedTriangle const& a, NumberedTriangle const& b)
{
    // What is shared comes first.
    std::array<std::size_t, 3> order_a{};
    std::array<std::size_t, 3> order_b{};
    std::size_t shared = 0;
    std::size_t end_a = 3;
    std::array<bool, 3> used_b{};
    for (std::size_t i = 0; i < 3; ++i) {
        auto const found = std::find(b.vertices.begin(), b.vertices.end(), a.vertices[i]);
        if (found == b.vertices.end()) {
            order_a[--end_a] = i;
        } else {
            auto const j = static_cast<std::size_t>(found - b.vertices.begin());
            used_b[j] = true;
            order_a[shared] = i;
            order_b[shared++] = j;
        }
    }
    std::size_t end_b = 3;
    for (std::size_t j = 0; j < 3; ++j) {
        if (!used_b[j]) order_b[--end_b] = j;
    }
    Corners const p = {a.corners[order_a[0]], a.corners[order_a[1]], a.corners[order_a[2]]};
    Corners const q = {b.corners[order_b[0]], b.corners[order_b[1]], b.corners[order_b[2]]};
    if (shared == 0) return overlap_apart(p, q);
    // What both have beyond the shared vertex goes on until one of them ends, which is at the edge opposite of it.
    if (shared == 1) return meets_edge(p, q[1], q[2]) || meets_edge(q, p[1], p[2]);
    if (find_side_of_plane(p[0], p[1], p[2], q[2]) != 0) return false;
    int const axis = find_projection(p);
    return find_turn(p[0], p[1], p[2], axis) == find_turn(p[0], p[1], q[2], axis);
}

} // namespace volpt
