#include "libvolpt/surface/winding/winding_number.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace volpt {
namespace {

using Point = WindingNumber::Point;

/// Of a group's radius: the distance from which its expansion counts.
constexpr double kFar = 2;

Point subtract_vectors(Point const& a, Point const& b)
{
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

double multiply(Point const& a, Point const& b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Point multiply_across(Point const& a, Point const& b)
{
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

} // namespace

WindingNumber::WindingNumber(TriangleMesh const& mesh, Point const& scale, int threads)
{
    Bvh bvh = build_bvh(mesh, {.threads = threads});
    nodes_ = std::move(bvh.nodes);
    root_ = bvh.root;
    auto const widen = [&](std::uint32_t vertex) {
        Vec3 const p = mesh.positions_mm[vertex];
        return Point{static_cast<double>(p.x) * scale[0], static_cast<double>(p.y) * scale[1],
                     static_cast<double>(p.z) * scale[2]};
    };
    triangles_.reserve(bvh.order.size());
    for (std::uint32_t const number : bvh.order) {
        auto const& t = mesh.triangles[number];
        triangles_.push_back({widen(t[0]), widen(t[1]), widen(t[2])});
    }
    expansions_.resize(nodes_.size());
    expand(root_);
}

/// Leaves of a node follow each other. Returns its triangles.
WindingNumber::Range WindingNumber::expand(std::uint32_t node)
{
    Range range{0xffffffffu, 0};
    for (std::uint32_t const child : nodes_[node].child) {
        Range const part = is_leaf(child) ? Range{get_leaf_first(child), get_leaf_first(child) + get_leaf_count(child)}
                                          : expand(child);
        range = {std::min(range.first, part.first), std::max(range.end, part.end)};
    }
    sum_up(expansions_[node], range);
    return range;
}

void WindingNumber::sum_up(Expansion& expansion, Range const& range) const
{
    Point lower = triangles_[range.first].a, upper = lower;
    for (std::uint32_t i = range.first; i < range.end; ++i)
        for (Point const& corner : {triangles_[i].a, triangles_[i].b, triangles_[i].c})
            for (std::size_t axis = 0; axis < 3; ++axis) {
                lower[axis] = std::min(lower[axis], corner[axis]);
                upper[axis] = std::max(upper[axis], corner[axis]);
            }
    for (std::size_t axis = 0; axis < 3; ++axis) expansion.centre[axis] = 0.5 * (lower[axis] + upper[axis]);
    double radius2 = 0;
    for (std::uint32_t i = range.first; i < range.end; ++i) {
        Point const a = subtract_vectors(triangles_[i].a, expansion.centre),
                    b = subtract_vectors(triangles_[i].b, expansion.centre),
                    c = subtract_vectors(triangles_[i].c, expansion.centre);
        radius2 = std::max({radius2, multiply(a, a), multiply(b, b), multiply(c, c)});
        Point n = multiply_across(subtract_vectors(b, a), subtract_vectors(c, a)); // area * normal
        for (double& along : n) along *= 0.5;
        Point const sum{a[0] + b[0] + c[0], a[1] + b[1] + c[1], a[2] + b[2] + c[2]};
        auto const q = [&](std::size_t j, std::size_t k) { // the mean of d_j d_k over the triangle
            return (a[j] * a[k] + b[j] * b[k] + c[j] * c[k] + sum[j] * sum[k]) / 12;
        };
        auto const d = [&](std::size_t j) { return sum[j] / 3; };
        for (std::size_t axis = 0; axis < 3; ++axis) {
            expansion.dipole[axis] += n[axis];
            expansion.trace += n[axis] * d(axis);
            expansion.first[axis] += n[axis] * d(axis);
            expansion.second_trace[axis] += 2 * (n[0] * q(0, axis) + n[1] * q(1, axis) + n[2] * q(2, axis)) +
                                            n[axis] * (q(0, 0) + q(1, 1) + q(2, 2));
            expansion.second[axis] += n[axis] * q(axis, axis);
        }
        auto const pair = [&](std::size_t i0, std::size_t j0) { return n[i0] * d(j0) + n[j0] * d(i0); };
        expansion.first[3] += pair(0, 1);
        expansion.first[4] += pair(0, 2);
        expansion.first[5] += pair(1, 2);
        auto const triple = [&](std::size_t twice, std::size_t once) {
            return n[once] * q(twice, twice) + 2 * n[twice] * q(twice, once);
        };
        expansion.second[3] += triple(0, 1);
        expansion.second[4] += triple(0, 2);
        expansion.second[5] += triple(1, 0);
        expansion.second[6] += triple(1, 2);
        expansion.second[7] += triple(2, 0);
        expansion.second[8] += triple(2, 1);
        expansion.second[9] += 2 * (n[0] * q(1, 2) + n[1] * q(0, 2) + n[2] * q(0, 1));
    }
    expansion.radius = std::sqrt(radius2);
}

/// Derivatives of r_i / |r|^3 at the centre, times the moments.
double WindingNumber::evaluate_far(Expansion const& expansion, Point const& r)
{
    double const square = multiply(r, r);
    double const inverse = 1 / std::sqrt(square), inverse2 = 1 / square;
    double const inverse3 = inverse * inverse2;
    double const x = r[0], y = r[1], z = r[2];
    auto const& f = expansion.first;
    auto const& s = expansion.second;
    double const first = f[0] * x * x + f[1] * y * y + f[2] * z * z + f[3] * x * y + f[4] * x * z + f[5] * y * z;
    double const second = s[0] * x * x * x + s[1] * y * y * y + s[2] * z * z * z + s[3] * x * x * y + s[4] * x * x * z +
                          s[5] * x * y * y + s[6] * y * y * z + s[7] * x * z * z + s[8] * y * z * z + s[9] * x * y * z;
    double const sum = multiply(expansion.dipole, r) + (expansion.trace - 3 * first * inverse2) +
                       0.5 * inverse2 * (15 * second * inverse2 - 3 * multiply(expansion.second_trace, r));
    return sum * inverse3 / (4 * std::numbers::pi);
}

double WindingNumber::measure_solid_angle(Corners const& triangle, Point const& point)
{
    Point const a = subtract_vectors(triangle.a, point), b = subtract_vectors(triangle.b, point),
                c = subtract_vectors(triangle.c, point);
    double const length_a = std::sqrt(multiply(a, a)), length_b = std::sqrt(multiply(b, b)),
                 length_c = std::sqrt(multiply(c, c));
    double const volume = multiply(a, multiply_across(b, c));
    double const beside = length_a * length_b * length_c + multiply(a, b) * length_c + multiply(b, c) * length_a +
                          multiply(c, a) * length_b;
    return 2 * std::atan2(volume, beside);
}

double WindingNumber::evaluate(Point const& point) const
{
    std::array<std::uint32_t, kMaxBvhDepth + 1> pending;
    std::size_t count = 0;
    pending[count++] = root_;
    double sum = 0;
    while (count > 0) {
        std::uint32_t const at = pending[--count];
        Expansion const& expansion = expansions_[at];
        Point const from_point = subtract_vectors(expansion.centre, point);
        if (multiply(from_point, from_point) > kFar * kFar * expansion.radius * expansion.radius) {
            sum += evaluate_far(expansion, from_point);
            continue;
        }
        BvhNode const& node = nodes_[at];
        std::size_t const children = node.child[0] == node.child[1] ? 1 : 2;
        for (std::size_t i = 0; i < children; ++i) {
            std::uint32_t const child = node.child[i];
            if (!is_leaf(child)) {
                pending[count++] = child;
                continue;
            }
            std::uint32_t const first = get_leaf_first(child), end = first + get_leaf_count(child);
            for (std::uint32_t place = first; place < end; ++place)
                sum += measure_solid_angle(triangles_[place], point) / (4 * std::numbers::pi);
        }
    }
    return sum;
}

} // namespace volpt
