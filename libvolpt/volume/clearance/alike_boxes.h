// Uniform boxes: boxes of bricks that are all the same constant.
#pragma once

#include "libvolpt/core/volume_view.hd.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace volpt {

/// Bricks low[a] .. high[a] - 1 along each axis.
struct BrickBox {
    std::array<std::int32_t, 3> low{};
    std::array<std::int32_t, 3> high{};
};

struct AlikeBoxes {
    std::vector<BrickBox> boxes;
    std::vector<std::uint32_t> box_of_brick; ///< by brick; kNoBox for bricks that are not constant
};
inline constexpr std::uint32_t kNoBox = 0xffffffffu;

/// For every constant brick, a box about it in which all bricks are the same constant. Boxes are grown on all sides in
/// turn as far as possible, starting from the brick of the largest clearance (`clearance_mm`, by brick, from
/// compute_clearance_mm); bricks share boxes. If boxes overlap so much that growing takes too long, each remaining
/// brick is a box of its own. Empty if the volume has no planes.
AlikeBoxes find_alike_boxes(VolumeView const& volume, std::span<float const> clearance_mm);

} // namespace volpt
