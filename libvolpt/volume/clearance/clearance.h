// How far every point of a brick is from anything but the brick's own constant.
#pragma once

#include "libvolpt/core/volume_view.hd.h"

#include <cstdint>
#include <span>
#include <vector>

namespace volpt {

/// Clearance where nothing else is anywhere: finite, so that arithmetic on it stays so.
inline constexpr float kUnboundedClearance_mm = 3e38f;

/// One value a brick, in table order: the radius in mm of a ball that, about any point of the brick's box, meets only
/// bricks that have this brick's constant in every plane, and whose every lookup, jittered by up to half a voxel an
/// axis with Filter::trilinear, names such a brick. Exact but for roundings, all of them down; 0 for bricks that are
/// not constant, kUnboundedClearance_mm where all bricks are one constant. What lies outside the box does not count;
/// along the axes of which `wrapped_axes` has bit a, the volume repeats without end instead. Reads tables, dims, pitch
/// and filter alone. Empty if the volume has no plane. The same bits everywhere: IEEE double, one order of operations.
std::vector<float> compute_clearance_mm(VolumeView const& volume, std::uint32_t wrapped_axes);

/// At which the tools say what share of a volume is that far from anything else.
inline constexpr double kClearanceSteps_mm[] = {0.1, 0.3, 1, 3, 10};

/// Of each distance, what share of the voxels has at least that clearance: of `clearance_mm` if the view has it, else
/// of the one computed without wrapped axes; 1 without planes.
std::vector<double> measure_clearance_shares(VolumeView const& volume, std::span<double const> distances_mm);

} // namespace volpt
