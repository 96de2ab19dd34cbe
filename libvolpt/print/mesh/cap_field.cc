#include "libvolpt/print/mesh/cap_field.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace volpt {
namespace {

using Point = std::array<double, 3>;

/// Along x, of what is asked for at first.
constexpr int kBlockVoxels = 128;
/// Of a node's length against its distance: nearer ones are opened.
constexpr double kOpenNode = 1;

TriangleMesh take_caps(TriangleMesh const& closed, HoleCaps const& caps)
{
    TriangleMesh mesh;
    mesh.positions_mm = closed.positions_mm;
    mesh.triangles = caps.triangles;
    return mesh;
}

TriangleMesh take_edges(TriangleMesh const& closed, HoleCaps const& caps)
{
    TriangleMesh mesh;
    mesh.positions_mm = closed.positions_mm;
    for (auto const& [from, to] : caps.edges) mesh.triangles.push_back({from, to, to});
    return mesh;
}

/// Equal for values between which no voxel changes: the winding number of the mesh is a whole number less the value,
/// and is asked where it is beside 1/4, 1/2 and 3/4.
std::int64_t find_class(double value)
{
    double const whole = std::floor(value + 0.25), part = value - whole;
    return 3 * static_cast<std::int64_t>(whole) + (part < 0.25 ? 0 : part < 0.5 ? 1 : 2);
}

} // namespace

struct CapField::Target {
    VoxelBox box;
    std::vector<float>& values;

    void set(VoxelBox const& block, float value) const
    {
        for (int z = block.first[2]; z < block.end[2]; ++z)
            for (int y = block.first[1]; y < block.end[1]; ++y) {
                auto const width = static_cast<std::size_t>(box.end[0] - box.first[0]);
                auto const height = static_cast<std::size_t>(box.end[1] - box.first[1]);
                auto const row =
                    static_cast<std::size_t>(z - box.first[2]) * height + static_cast<std::size_t>(y - box.first[1]);
                auto const from = values.begin() + static_cast<std::ptrdiff_t>(row * width) - box.first[0];
                std::fill(from + block.first[0], from + block.end[0], value);
            }
    }
};

CapField::CapField(TriangleMesh const& closed, HoleCaps const& caps, std::array<float, 3> const& pitch_mm, int threads)
    : pitch_mm_{static_cast<double>(pitch_mm[0]), static_cast<double>(pitch_mm[1]), static_cast<double>(pitch_mm[2])},
      voxel_mm_(pitch_mm), winding_(take_caps(closed, caps), pitch_mm_, threads), edges_(take_edges(closed, caps))
{
    TriangleMesh const mesh = take_caps(closed, caps);
    bvh_ = build_bvh(mesh, {.threads = threads});
    triangles_ = gather_leaf_triangles(mesh, bvh_.order, threads);
    planes_ = make_triangle_planes(triangles_, pitch_mm);
    view_ = {bvh_.nodes.data(), triangles_.data(), bvh_.bounds, bvh_.root};
    for (Vec3& p : edges_.positions_mm) p = {p.x * pitch_mm[0], p.y * pitch_mm[1], p.z * pitch_mm[2]};
    edge_bvh_ = build_bvh(edges_, {.threads = threads});
    auto const measure = [&](std::uint32_t place) {
        auto const& edge = edges_.triangles[edge_bvh_.order[place]];
        Vec3 const along = edges_.positions_mm[edge[1]] - edges_.positions_mm[edge[0]];
        return std::sqrt(static_cast<double>(dot(along, along)));
    };
    length_mm_.resize(edge_bvh_.nodes.size());
    for (std::size_t i = edge_bvh_.nodes.size(); i-- > 0;) { // children come after their parents
        BvhNode const& node = edge_bvh_.nodes[i];
        for (std::uint32_t const child : node.child) {
            if (is_leaf(child))
                for (std::uint32_t at = 0; at < get_leaf_count(child); ++at)
                    length_mm_[i] += measure(get_leaf_first(child) + at);
            else
                length_mm_[i] += length_mm_[child];
        }
    }
}

/// Within the ball: the solid angle of a surface changes by the integral of dl / r^2 along its boundary.
double CapField::bound_gradient(Point const& middle_mm, double radius_mm) const
{
    constexpr double kUnbounded = std::numeric_limits<double>::infinity();
    std::array<std::uint32_t, kMaxBvhDepth + 1> pending;
    std::size_t count = 0;
    pending[count++] = edge_bvh_.root;
    double sum = 0;
    while (count > 0) {
        BvhNode const& node = edge_bvh_.nodes[pending[--count]];
        std::size_t const children = node.child[0] == node.child[1] ? 1 : 2;
        for (std::size_t i = 0; i < children; ++i) {
            BoundingBox const& box = node.box[i];
            double distance2 = 0;
            for (int axis = 0; axis < 3; ++axis) {
                double const at = middle_mm[static_cast<std::size_t>(axis)];
                double const gap = std::max({static_cast<double>(get_axis(box.lower, axis)) - at,
                                             at - static_cast<double>(get_axis(box.upper, axis)), 0.0});
                distance2 += gap * gap;
            }
            double const distance = std::sqrt(distance2) - radius_mm;
            Vec3 const size = box.upper - box.lower;
            double const size2 = static_cast<double>(dot(size, size));
            std::uint32_t const child = node.child[i];
            bool const is_far = distance > 0 && size2 < kOpenNode * kOpenNode * distance * distance;
            if (!is_leaf(child) && !is_far) {
                pending[count++] = child;
                continue;
            }
            if (!(distance > 0)) return kUnbounded;
            double length_mm = 0;
            if (is_leaf(child)) {
                for (std::uint32_t at = 0; at < get_leaf_count(child); ++at) {
                    auto const& edge = edges_.triangles[edge_bvh_.order[get_leaf_first(child) + at]];
                    Vec3 const along = edges_.positions_mm[edge[1]] - edges_.positions_mm[edge[0]];
                    length_mm += std::sqrt(static_cast<double>(dot(along, along)));
                }
            } else {
                length_mm = length_mm_[child];
            }
            sum += length_mm / (4 * std::numbers::pi * distance * distance);
        }
    }
    return sum;
}

void CapField::fill_block(VoxelBox const& block, Target const& target, NearestPointSearch& search) const
{
    Point middle{}, half_mm{};
    for (std::size_t a = 0; a < 3; ++a) {
        middle[a] = 0.5 * (block.first[a] + block.end[a]);
        half_mm[a] = 0.5 * (block.end[a] - 1 - block.first[a]) * pitch_mm_[a];
    }
    Point const middle_mm{middle[0] * pitch_mm_[0], middle[1] * pitch_mm_[1], middle[2] * pitch_mm_[2]};
    double const radius_mm = std::hypot(half_mm[0], half_mm[1], half_mm[2]);
    auto const is_one_class = [&](double value, double change) {
        return find_class(value - change) == find_class(value + change);
    };
    bool is_settled = radius_mm == 0;
    double value = 0;
    if (is_settled) {
        value = winding_.evaluate(middle_mm);
    } else {
        double const change = radius_mm * bound_gradient(middle_mm, radius_mm);
        // Classes are at most half as wide as the whole numbers are apart.
        if (change < 0.25 && search.find(middle, 1.001 * radius_mm).triangle == kNoTriangle) {
            value = winding_.evaluate(middle_mm);
            is_settled = is_one_class(value, change);
        }
    }
    if (is_settled) {
        target.set(block, static_cast<float>(value));
        return;
    }
    std::size_t const axis = static_cast<std::size_t>(std::ranges::max_element(half_mm) - half_mm.begin());
    int const cut = (block.first[axis] + block.end[axis] + 1) / 2;
    VoxelBox below = block, above = block;
    below.end[axis] = cut;
    above.first[axis] = cut;
    fill_block(below, target, search);
    fill_block(above, target, search);
}

void CapField::fill(VoxelBox const& box, std::vector<float>& values) const
{
    std::size_t voxels = 1;
    for (std::size_t a = 0; a < 3; ++a) voxels *= static_cast<std::size_t>(std::max(0, box.end[a] - box.first[a]));
    values.assign(voxels, 0);
    if (voxels == 0) return;
    NearestPointSearch search(view_, planes_, voxel_mm_);
    for (int x = box.first[0]; x < box.end[0]; x += kBlockVoxels) {
        VoxelBox block = box;
        block.first[0] = x;
        block.end[0] = std::min(x + kBlockVoxels, box.end[0]);
        fill_block(block, {box, values}, search);
    }
}

} // namespace volpt
