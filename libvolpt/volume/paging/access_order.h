// Orders the bricks of each plane by how often a render looks them up, for volumes that do not fit into GPU memory, and
// copies their voxels in that order.
#pragma once

#include "libvolpt/core/scene_view.hd.h"

#include <array>
#include <span>
#include <vector>

namespace volpt {

/// Lookups of each brick's voxels in a render, by brick; both may be empty.
struct BrickLookups {
    std::vector<std::uint32_t> flights;    ///< of the extinction
    std::vector<std::uint32_t> collisions; ///< of albedo and phase function
};

/// Lookups of two sets of paths: `fit` orders the bricks, `holdout` estimates the hit rate, which `fit` would
/// overestimate.
struct BrickAccessCounts {
    BrickLookups fit;
    BrickLookups holdout;
};

/// density, one_minus_albedo, label
inline constexpr int kPlanes = 3;

/// Slots of a plane in a new order. No slots if the plane is absent or all its bricks are constant.
struct PlaneOrder {
    std::vector<std::uint32_t> old_slots; ///< by new slot
    std::vector<std::uint32_t> table;     ///< the plane's brick table with new slots; constant bricks unchanged
    std::vector<std::uint32_t> fit;       ///< by new slot, descending: lookups that the order was made from
    std::vector<std::uint32_t> holdout;   ///< by new slot: lookups that were not used for it
    std::size_t slot_bytes = 0;

    std::size_t size_bytes() const { return old_slots.size() * slot_bytes; }
};

/// `fit` and `holdout` hold lookups by brick, or are empty. Most looked-up bricks come first; among equals, those whose
/// surroundings (a cube of 32 voxels per edge) are looked up more, then those with the lower old slot.
PlaneOrder order_plane(PlaneReader const& plane, std::int32_t const (&brick_counts)[3],
                       std::span<std::uint32_t const> fit, std::span<std::uint32_t const> holdout);

/// order_plane for the three planes of a medium, each with the lookups that reach it.
std::array<PlaneOrder, kPlanes> order_planes(MediumView const& medium, BrickAccessCounts const& accesses);

/// Copies the plane's words in the new order, from `first_word` on; words past the last slot are not written.
void gather_words(PlaneReader const& plane, PlaneOrder const& order, std::size_t first_word,
                  std::span<std::uint32_t> words);

} // namespace volpt
