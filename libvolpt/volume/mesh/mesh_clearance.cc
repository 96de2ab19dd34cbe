#include "libvolpt/volume/mesh/mesh_clearance.h"

#include "libvolpt/core/surface/surface_view.hd.h"
#include "libvolpt/core/volume_view.hd.h"
#include "libvolpt/sys/parallel.h"
#include "libvolpt/volume/clearance/distance_transform.h"
#include "libvolpt/volume/mesh/distance_search.h"

#include <algorithm>
#include <cmath>

namespace volpt {
namespace {

std::array<std::size_t, 3> count_grid_bricks(VoxelGrid const& grid)
{
    std::array<std::size_t, 3> counts{};
    for (std::size_t axis = 0; axis < 3; ++axis)
        counts[axis] = static_cast<std::size_t>((grid.dims[axis] + kBrickEdge - 1) / kBrickEdge);
    return counts;
}

/// Along an axis; the last brick may be partial.
double count_brick_voxels(VoxelGrid const& grid, std::size_t axis, std::size_t brick)
{
    return std::min(kBrickEdge, grid.dims[axis] - kBrickEdge * static_cast<int>(brick));
}

double measure_margin_mm(VoxelGrid const& grid)
{
    auto const longest_voxels = static_cast<double>(*std::ranges::max_element(grid.dims));
    float const longest_pitch_mm = std::max({grid.pitch_mm.x, grid.pitch_mm.y, grid.pitch_mm.z});
    return (4 * 0x1p-19 + 2 * kDistanceError) * longest_voxels * static_cast<double>(longest_pitch_mm);
}

} // namespace

std::vector<float> compute_mesh_clearance_mm(BvhView const& bvh, VoxelGrid const& grid, int threads)
{
    std::array<std::size_t, 3> const counts = count_grid_bricks(grid);
    double const margin_mm = measure_margin_mm(grid);
    auto const find_centre = [](std::size_t brick) { return (static_cast<double>(brick) + 0.5) * kBrickEdge; };
    std::vector<float> clearance_mm(counts[0] * counts[1] * counts[2]);
    // A search for each row: each of its bricks begins with what the one before found.
    parallel_for_joined(threads, counts[1] * counts[2], [&](std::size_t row, int) {
        DistanceSearch search(bvh, grid.pitch_mm);
        double const y = find_centre(row % counts[1]), z = find_centre(row / counts[1]);
        for (std::size_t x = 0; x < counts[0]; ++x) {
            double const nearest2 = search.bound_nearest2_mm2({find_centre(x), y, z});
            clearance_mm[row * counts[0] + x] = round_down(std::max(0.0, std::sqrt(nearest2) - margin_mm));
        }
    });
    return clearance_mm;
}

std::vector<double> measure_mesh_clearance_shares(std::span<float const> clearance_mm, VoxelGrid const& grid,
                                                  std::span<double const> distances_mm)
{
    std::array<std::size_t, 3> const counts = count_grid_bricks(grid);
    double const half_diagonal_mm =
        0.5 * kBrickEdge * std::sqrt(static_cast<double>(dot(grid.pitch_mm, grid.pitch_mm)));
    std::vector<double> shares(distances_mm.size());
    for (std::size_t brick = 0; brick < clearance_mm.size(); ++brick) {
        double const voxels = count_brick_voxels(grid, 0, brick % counts[0]) *
                              count_brick_voxels(grid, 1, brick / counts[0] % counts[1]) *
                              count_brick_voxels(grid, 2, brick / counts[0] / counts[1]);
        double const least_mm = static_cast<double>(clearance_mm[brick]) - half_diagonal_mm;
        for (std::size_t i = 0; i < shares.size(); ++i)
            if (least_mm >= distances_mm[i]) shares[i] += voxels;
    }
    for (double& share : shares) share /= static_cast<double>(grid.dims[0]) * grid.dims[1] * grid.dims[2];
    return shares;
}

} // namespace volpt
