#include "libvolpt/print/mesh/row_crossings.h"

#include <algorithm>
#include <cmath>

namespace volpt {
namespace {

/// A corner as seen from the row.
struct Corner {
    double x, y, z;
};

/// Whether p * q > r * s, exactly, and -1, 0 or 1: rounding keeps the order of products, so that only equal ones need
/// their errors.
int compare_products(double p, double q, double r, double s)
{
    double const left = p * q, right = r * s;
    if (left != right) return left > right ? 1 : -1;
    double const left_error = std::fma(p, q, -left), right_error = std::fma(r, s, -right);
    return left_error == right_error ? 0 : left_error > right_error ? 1 : -1;
}

/// On which side of the edge a -> b the row lies; never 0 unless the edge is a point as seen along the row.
int find_side(Corner const& a, Corner const& b)
{
    int const side = compare_products(a.y, b.z, a.z, b.y);
    if (side != 0) return side;
    // The row moves by e along y and e^2 along z; the corners by as much against it.
    if (a.z != b.z) return a.z > b.z ? 1 : -1;
    return a.y == b.y ? 0 : b.y > a.y ? 1 : -1;
}

} // namespace

void RowCrossings::cross(LeafTriangle const& triangle)
{
    auto const move = [&](Vec3 p) { // exact: floats from 2^-4 on are multiples of 2^-28
        return Corner{static_cast<double>(p.x), static_cast<double>(p.y) - y_, static_cast<double>(p.z) - z_};
    };
    Corner const a = move(triangle.a), b = move(triangle.b), c = move(triangle.c);
    int const side = find_side(a, b);
    if (side == 0 || find_side(b, c) != side || find_side(c, a) != side) return;
    double const weight_a = b.y * c.z - b.z * c.y, weight_b = c.y * a.z - c.z * a.y, weight_c = a.y * b.z - a.z * b.y;
    double const sum = weight_a + weight_b + weight_c;
    double const x = sum == 0 ? (a.x + b.x + c.x) / 3 : (weight_a * a.x + weight_b * b.x + weight_c * c.x) / sum;
    crossings_.push_back({std::clamp(x, std::min({a.x, b.x, c.x}), std::max({a.x, b.x, c.x})), -side});
}

void RowCrossings::visit(std::uint32_t reference)
{
    if (is_leaf(reference)) {
        std::uint32_t const first = get_leaf_first(reference), end = first + get_leaf_count(reference);
        for (std::uint32_t place = first; place < end; ++place) cross(bvh_.triangles[place]);
        return;
    }
    BvhNode const& node = bvh_.nodes[reference];
    // Of a single triangle both children are the same leaf.
    std::size_t const children = node.child[0] == node.child[1] ? 1 : 2;
    for (std::size_t i = 0; i < children; ++i) {
        BoundingBox const& box = node.box[i];
        bool const is_beside = y_ < static_cast<double>(box.lower.y) || y_ > static_cast<double>(box.upper.y) ||
                               z_ < static_cast<double>(box.lower.z) || z_ > static_cast<double>(box.upper.z);
        if (!is_beside) visit(node.child[i]);
    }
}

std::vector<RowCrossing> const& RowCrossings::find_crossings(int y, int z)
{
    crossings_.clear();
    y_ = y + 0.5;
    z_ = z + 0.5;
    visit(bvh_.root);
    std::ranges::sort(crossings_, {}, &RowCrossing::x);
    return crossings_;
}

void RowCrossings::find_runs(int y, int z, int width, std::vector<std::array<int, 2>>& runs)
{
    runs.clear();
    find_crossings(y, z);
    auto const find_voxel = [&](double x) { // the first one whose centre is not before x
        return std::clamp(static_cast<int>(std::ceil(x - 0.5)), 0, width);
    };
    for (std::size_t i = 0; i + 1 < crossings_.size(); i += 2) {
        int const first = find_voxel(crossings_[i].x), end = find_voxel(crossings_[i + 1].x);
        if (first < end) runs.push_back({first, end});
    }
}

} // namespace volpt
