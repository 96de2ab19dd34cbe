// Orders the bricks of a plane by how often they are looked up, and copies their voxels in that order.
#pragma once

#include "libvolpt/core/scene_view.hd.h"
#include "libvolpt/volume/paging/brick_access_counts.h"

#include <array>
#include <span>

namespace volpt {

/// density, one_minus_albedo, label
inline constexpr int kPlanes = 3;

/// Slots of a plane in a new order. Without slots where the plane is absent, or all its bricks are constant.
struct PlaneOrder {
    std::vector<std::uint32_t> old_slots; ///< by new slot
    std::vector<std::uint32_t> table;     ///< the plane's brick table with new slots; constant bricks are as they were
    std::vector<std::uint32_t> fit; ///< by new slot: lookups that the order was made from, none before a greater one
    std::vector<std::uint32_t> holdout; ///< by new slot: lookups that had no part in it
    std::size_t slot_bytes = 0;

    std::size_t size_bytes() const { return old_slots.size() * slot_bytes; }
};

/// `chosen` and `judged` hold lookups by brick, or nothing. Among bricks that are looked up alike, those come first
/// whose surroundings (32 voxels along an edge) are looked up more, then those with the lower old slot.
PlaneOrder order_plane(PlaneReader const& plane, std::int32_t const (&brick_counts)[3],
                       std::span<std::uint32_t const> fit, std::span<std::uint32_t const> holdout);

/// The three planes of a medium, each by the lookups that it gets.
std::array<PlaneOrder, kPlanes> order_planes(MediumView const& medium, BrickAccessCounts const& heat);

/// Words of the plane in the new order, from `first_word` on; what is past the last slot is left alone.
void gather_words(PlaneReader const& plane, PlaneOrder const& order, std::size_t first_word,
                  std::span<std::uint32_t> words);

} // namespace volpt
