// Clearance of a brick: the distance of its points to anything but the brick's own constant.
#pragma once

#include "libvolpt/core/volume_view.hd.h"

#include <cstdint>
#include <span>
#include <vector>

namespace volpt {

/// Clearance if the whole volume is one constant: finite, so that results of arithmetic are finite.
inline constexpr float kUnboundedClearance_mm = 3e38f;

/// By brick, in table order: the radius in mm of a ball that, about any point of the brick, meets only bricks that have
/// this brick's constant in every plane; lookups, jittered by up to half a voxel per axis with Filter::trilinear, count
/// as part of the ball. Exact except for rounding, which is always down; 0 for bricks that are not constant,
/// kUnboundedClearance_mm if all bricks are one constant. The space outside the volume does not count; along the axes a
/// whose bit `wrapped_axes` has, the volume repeats without end. Reads tables, dims, pitch and filter only. Empty if
/// the volume has no plane. The same bits on every host: IEEE double, fixed order of operations.
std::vector<float> compute_clearance_mm(VolumeView const& volume, std::uint32_t wrapped_axes);

/// The clearances for which tools report shares of a volume.
inline constexpr double kClearanceSteps_mm[] = {0.1, 0.3, 1, 3, 10};

/// For each distance, the share of the voxels with at least that clearance: that of the view if it has one, else
/// computed without wrapped axes; 1 without planes.
std::vector<double> measure_clearance_shares(VolumeView const& volume, std::span<double const> distances_mm);

} // namespace volpt
