// Blocks of voxels with one label: the largest of brick, 2 x 2 x 2 voxels and voxel that holds a place.
#pragma once

#include "libvolpt/core/lookup.hd.h"

namespace volpt {

/// A voxel, by its numbers along the axes, and the block that it is in.
struct BlockPlace {
    std::int32_t x, y, z;
    std::int32_t label;
    std::int32_t shift; ///< the block has 2^shift voxels along each axis
};

VOLPT_HD BlockPlace find_block(MediumView const& medium, std::int32_t x, std::int32_t y, std::int32_t z)
{
    VoxelRef const at = make_voxel_ref(medium, x, y, z);
    std::uint32_t const* const entry = medium.label.table + at.brick * medium.label.table_stride;
    bool const is_brick = entry[0] == kConstantBrick;
    static_assert(kBrickEdge == 8);
    // In Morton order, the labels of 2 x 2 x 2 voxels are two words. Read in any case: in a warp, some lane needs them.
    std::uint32_t const first = entry[0] * static_cast<std::uint32_t>(kBrickVoxels) + (at.morton & ~7u);
    std::uint32_t const* const words = is_brick ? entry : medium.label.words + first / 4u;
    std::uint32_t const low = words[0], high = words[1];
    std::uint32_t const word = is_brick || (at.morton & 4u) != 0u ? high : low;
    std::uint32_t const label = word >> (is_brick ? 0u : at.morton % 4u * 8u) & 0xffu;
    std::uint32_t const all = label * 0x01010101u;
    return {x, y, z, static_cast<std::int32_t>(label), is_brick ? 3 : low == all && high == all ? 1 : 0};
}

} // namespace volpt
