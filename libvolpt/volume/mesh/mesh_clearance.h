#pragma once

#include "libvolpt/core/surface/bvh.hd.h"
#include "libvolpt/volume/meta.h"

#include <array>
#include <span>
#include <vector>

namespace volpt {

/// A grid of voxels, in bricks of kBrickEdge^3.
struct VoxelGrid {
    std::array<int, 3> dims;
    Vec3 pitch_mm;
};

inline VoxelGrid get_voxel_grid(VolumeMeta const& meta)
{
    return {meta.dims, {meta.pitch_mm[0], meta.pitch_mm[1], meta.pitch_mm[2]}};
}

/// SurfaceView::clearance_mm. By brick, x fastest: a lower bound of the distance in mm of the brick's centre to any
/// triangle, less 2^-17 of the grid's longest side (4 times measure_margin_voxels) along the longest pitch, and 2^-25
/// of it for the rounding of the search; not below 0. The centre is that of a whole brick where the grid ends within.
/// `bvh` is in voxels, its triangles finite and inside the grid. The same bits on every host and for any number of
/// threads (parallel_for_joined). The bound is at least the root of 1 - kDistanceLoss2 of the distance, 0.984; how much
/// is given away depends on the hierarchy.
std::vector<float> compute_mesh_clearance_mm(BvhView const& bvh, VoxelGrid const& grid, int threads);

/// For each distance, the share of the grid's voxels whose brick is at least so far from the surface in all its points,
/// as far as the clearance of its centre tells.
std::vector<double> measure_mesh_clearance_shares(std::span<float const> clearance_mm, VoxelGrid const& grid,
                                                  std::span<double const> distances_mm);

} // namespace volpt
