// Which voxels of a grid a box holds.
#pragma once

#include "formats/mitsuba/medium.h"

namespace volpt {

/// Voxels low .. low + dims - 1 along each axis; below 0 and beyond the grid there is nothing.
struct VoxelWindow {
    std::array<int, 3> low{0, 0, 0};
    std::array<int, 3> dims{0, 0, 0};
};

enum class WindowLimit { grid, box };

/// The whole voxels that cover `box` (the unit cube, to the world), within the grid if `limit` says so. `notices` say
/// what was widened. Error (input) names `where` if box and voxels are not parallel or do not meet.
VoxelWindow find_voxel_window(MitsubaGrid const& grid, Matrix4 const& box, WindowLimit limit, std::string const& where,
                              std::vector<std::string>& notices);

} // namespace volpt
