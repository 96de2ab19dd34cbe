// Boxes of bricks that are all the same constant: how far a point is from anything else, to the voxel.
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

/// A box about every constant brick in which all bricks are the same constant as it, grown brick by brick from the
/// brick of the largest clearance first (`clearance_mm`, one a brick, as compute_clearance_mm's), on all sides in turn
/// as far as it goes. Bricks share boxes. Where boxes overlap so much that growing them takes too long, the rest of the
/// bricks stay alone in theirs. Empty if the volume has no planes.
AlikeBoxes find_alike_boxes(VolumeView const& volume, std::span<float const> clearance_mm);

} // namespace volpt
