#pragma once

#include "libvolpt/core/vec.hd.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace volpt {

/// A grid of cubic voxels, in bricks of kBrickEdge^3.
struct VoxelGrid {
    std::array<int, 3> dims;
    float pitch_mm;
};

/// By brick, x fastest: a lower bound of the distance in mm of any point of the brick to any triangle; 0 for bricks
/// that a triangle touches, and for their neighbours. It is the distance to the nearest brick that a triangle touches,
/// less 2^-19 of the grid's longest side, which covers the rounding of positions and flights as the margin of
/// make_bvh_ray does. Corners are finite, in voxels, and inside the grid; indices are in range. The same bits on every
/// host and for any number of threads (parallel_for_joined).
std::vector<float> compute_mesh_clearance_mm(std::span<Vec3 const> vertices_voxels,
                                             std::span<std::array<std::uint32_t, 3> const> triangles,
                                             VoxelGrid const& grid, int threads);

/// For each distance, the share of the grid's voxels whose brick has at least that clearance.
std::vector<double> measure_mesh_clearance_shares(std::span<float const> clearance_mm, VoxelGrid const& grid,
                                                  std::span<double const> distances_mm);

} // namespace volpt
