// Voxel axes as formats give them, one vector a step, taken apart into pitch and rotation.
#pragma once

#include <array>
#include <string>

namespace volpt {

struct VoxelAxes {
    std::array<double, 3> pitch_mm{1, 1, 1};
    std::array<double, 9> rotation{1, 0, 0, 0, 1, 0, 0, 0, 1}; ///< row-major, columns are the voxel axes
};

/// `steps_mm[a]` leads from a voxel to the next along axis a. Axes that are perpendicular to 1e-3 are made so exactly
/// (Gram-Schmidt; headers carry few digits); Error (input) names `where` and `field` for others, and for steps of no
/// length.
VoxelAxes split_axes(std::array<std::array<double, 3>, 3> const& steps_mm, std::string const& where,
                     std::string const& field);

} // namespace volpt
