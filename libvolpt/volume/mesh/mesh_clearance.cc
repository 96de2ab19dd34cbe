#include "libvolpt/volume/mesh/mesh_clearance.h"

#include "libvolpt/core/volume_view.hd.h"
#include "libvolpt/sys/parallel.h"
#include "libvolpt/volume/clearance/distance_transform.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

namespace volpt {
namespace {

using Point = std::array<double, 3>;
using Corners = std::array<Point, 3>;

constexpr std::size_t kTrianglesPerPiece = 1 << 14;
/// Bricks grow by it, so that rounding in double precision never takes a triangle for apart that touches.
constexpr double kReach_voxels = 0x1p-20;

/// Bricks first .. last along each axis.
struct BrickRange {
    std::array<int, 3> first;
    std::array<int, 3> last;

    bool is_single() const { return first == last; }
};

/// True where the corners' projections lie beyond the half width on one side.
bool is_apart(double a, double b, double c, double half)
{
    return std::min({a, b, c}) > half || std::max({a, b, c}) < -half;
}

/// Whether no point of the triangle lies in the box around the origin, by separating axes (T. Akenine-Moller, Fast 3D
/// Triangle-Box Overlap Testing, Journal of Graphics Tools 6(1), 2001); may be false for triangles close by.
bool is_separated(Corners const& t, Point const& half)
{
    for (std::size_t i = 0; i < 3; ++i)
        if (is_apart(t[0][i], t[1][i], t[2][i], half[i])) return true;
    std::array<Point, 3> edges;
    for (std::size_t e = 0; e < 3; ++e)
        for (std::size_t i = 0; i < 3; ++i) edges[e][i] = t[(e + 1) % 3][i] - t[e][i];
    for (Point const& edge : edges) {
        for (std::size_t i = 0; i < 3; ++i) {
            // The axis is the unit vector i x edge.
            std::size_t const j = (i + 1) % 3, k = (i + 2) % 3;
            auto const project = [&](Point const& p) { return p[k] * edge[j] - p[j] * edge[k]; };
            if (is_apart(project(t[0]), project(t[1]), project(t[2]),
                         half[j] * std::abs(edge[k]) + half[k] * std::abs(edge[j])))
                return true;
        }
    }
    double offset = 0, reach = 0, length_0 = 0, length_1 = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        std::size_t const j = (i + 1) % 3, k = (i + 2) % 3;
        double const normal = edges[0][j] * edges[1][k] - edges[0][k] * edges[1][j];
        offset += normal * t[0][i];
        reach += half[i] * std::abs(normal);
        length_0 += std::abs(edges[0][i]);
        length_1 += std::abs(edges[1][i]);
    }
    // The normal is off by 2^-51 of the product of its edges, corners are within 2^18 of the box.
    return std::abs(offset) > reach + 0x1p-30 * length_0 * length_1;
}

/// Marks the bricks that triangles touch.
class BrickMarker {
public:
    explicit BrickMarker(std::array<int, 3> counts)
        : counts_(counts), marks_(static_cast<std::size_t>(counts[0]) * static_cast<std::size_t>(counts[1]) *
                                  static_cast<std::size_t>(counts[2]))
    {
    }

    /// From any thread.
    void mark(Corners const& triangle)
    {
        BrickRange range;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            auto const [low, high] = std::minmax({triangle[0][axis], triangle[1][axis], triangle[2][axis]});
            range.first[axis] = find_brick(low - kReach_voxels, axis);
            range.last[axis] = find_brick(high + kReach_voxels, axis);
        }
        if (range.is_single())
            set(range.first);
        else
            mark_range(triangle, range);
    }

    std::vector<std::uint8_t> const& marks() const { return marks_; }

private:
    int find_brick(double voxel, std::size_t axis) const
    {
        return std::clamp(static_cast<int>(std::floor(voxel / kBrickEdge)), 0, counts_[axis] - 1);
    }

    void set(std::array<int, 3> const& at)
    {
        auto const index = [](int v) { return static_cast<std::size_t>(v); };
        std::uint8_t& mark =
            marks_[(index(at[2]) * index(counts_[1]) + index(at[1])) * index(counts_[0]) + index(at[0])];
        std::atomic_ref(mark).store(1, std::memory_order_relaxed);
    }

    /// Halves the range: the number of tests grows with the area of a triangle, not with the volume of its box.
    void mark_range(Corners const& triangle, BrickRange const& range)
    {
        Point half{};
        Corners moved{};
        std::size_t longest = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            int const bricks = range.last[axis] - range.first[axis] + 1;
            half[axis] = 0.5 * kBrickEdge * bricks + kReach_voxels;
            double const centre = 0.5 * kBrickEdge * (range.first[axis] + range.last[axis] + 1);
            for (std::size_t i = 0; i < 3; ++i) moved[i][axis] = triangle[i][axis] - centre;
            if (bricks > range.last[longest] - range.first[longest] + 1) longest = axis;
        }
        if (is_separated(moved, half)) return;
        if (range.is_single()) return set(range.first);
        int const middle = (range.first[longest] + range.last[longest]) / 2;
        BrickRange lower = range, upper = range;
        lower.last[longest] = middle;
        upper.first[longest] = middle + 1;
        mark_range(triangle, lower);
        mark_range(triangle, upper);
    }

    std::array<int, 3> counts_;
    std::vector<std::uint8_t> marks_;
};

std::array<int, 3> count_grid_bricks(VoxelGrid const& grid)
{
    std::array<int, 3> counts{};
    for (std::size_t axis = 0; axis < 3; ++axis) counts[axis] = (grid.dims[axis] + kBrickEdge - 1) / kBrickEdge;
    return counts;
}

/// Squared distances in mm^2 of bricks to the nearest one whose square is 0.
void transform_squares(VoxelGrid const& grid, std::array<int, 3> const& counts, std::vector<float>& squares)
{
    std::vector<std::uint8_t> const joins(squares.size(), 1);
    std::size_t stride = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        BrickLineTransform line({.voxels = grid.dims[axis], .pitch_mm = grid.pitch_mm});
        std::size_t const block = stride * static_cast<std::size_t>(counts[axis]);
        for (std::size_t start = 0; start < squares.size(); start += block)
            for (std::size_t first = start; first < start + stride; ++first)
                line.transform(squares.data() + first, joins.data() + first, 1, stride);
        stride = block;
    }
}

/// Along an axis; the last brick may be partial.
double count_brick_voxels(VoxelGrid const& grid, std::size_t axis, std::size_t brick)
{
    return std::min(kBrickEdge, grid.dims[axis] - kBrickEdge * static_cast<int>(brick));
}

} // namespace

std::vector<double> measure_mesh_clearance_shares(std::span<float const> clearance_mm, VoxelGrid const& grid,
                                                  std::span<double const> distances_mm)
{
    std::array<int, 3> const counts = count_grid_bricks(grid);
    auto const x_count = static_cast<std::size_t>(counts[0]), y_count = static_cast<std::size_t>(counts[1]);
    std::vector<double> shares(distances_mm.size());
    for (std::size_t brick = 0; brick < clearance_mm.size(); ++brick) {
        double const voxels = count_brick_voxels(grid, 0, brick % x_count) *
                              count_brick_voxels(grid, 1, brick / x_count % y_count) *
                              count_brick_voxels(grid, 2, brick / x_count / y_count);
        for (std::size_t i = 0; i < shares.size(); ++i)
            if (static_cast<double>(clearance_mm[brick]) >= distances_mm[i]) shares[i] += voxels;
    }
    for (double& share : shares) share /= static_cast<double>(grid.dims[0]) * grid.dims[1] * grid.dims[2];
    return shares;
}

std::vector<float> compute_mesh_clearance_mm(std::span<Vec3 const> vertices_voxels,
                                             std::span<std::array<std::uint32_t, 3> const> triangles,
                                             VoxelGrid const& grid, int threads)
{
    std::array<int, 3> const counts = count_grid_bricks(grid);
    BrickMarker marker(counts);
    parallel_for_joined(
        threads, (triangles.size() + kTrianglesPerPiece - 1) / kTrianglesPerPiece, [&](std::size_t piece, int) {
            std::size_t const end = std::min(triangles.size(), (piece + 1) * kTrianglesPerPiece);
            for (std::size_t i = piece * kTrianglesPerPiece; i < end; ++i) {
                Corners corners{};
                for (std::size_t c = 0; c < 3; ++c) {
                    Vec3 const p = vertices_voxels[triangles[i][c]];
                    corners[c] = {static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)};
                }
                marker.mark(corners);
            }
        });
    std::vector<float> clearance(marker.marks().size());
    for (std::size_t brick = 0; brick < clearance.size(); ++brick)
        clearance[brick] = marker.marks()[brick] != 0 ? 0.0f : std::numeric_limits<float>::infinity();
    transform_squares(grid, counts, clearance);
    double const margin_mm = 0x1p-19 * *std::ranges::max_element(grid.dims) * static_cast<double>(grid.pitch_mm);
    for (float& value : clearance) value = round_down(std::max(0.0, std::sqrt(static_cast<double>(value)) - margin_mm));
    return clearance;
}

} // namespace volpt
