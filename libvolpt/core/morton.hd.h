// Bricks of 8x8x8 voxels and the Morton (Z) order of the voxels inside: x is the lowest bit.
#pragma once

#include "libvolpt/core/macros.hd.h"

namespace volpt {

/// Part of the .vpk format: changing either number breaks every file.
inline constexpr int kBrickEdge = 8;
inline constexpr int kBrickVoxels = kBrickEdge * kBrickEdge * kBrickEdge;

/// Bits 0..2 of `v` moved to bits 0, 3 and 6. On a GPU one selection of a byte among eight.
VOLPT_HD std::uint32_t spread_3_bits(std::uint32_t v)
{
#if VOLPT_ON_DEVICE
    return __byte_perm(0x09080100u, 0x49484140u, v & 7u) & 0xffu;
#else
    return (v & 1u) | ((v & 2u) << 2) | ((v & 4u) << 4);
#endif
}

/// Morton index 0..511 of a voxel inside its brick; only the low three bits of each coordinate count.
VOLPT_HD std::uint32_t morton_in_brick(std::uint32_t x, std::uint32_t y, std::uint32_t z)
{
    return spread_3_bits(x) | (spread_3_bits(y) << 1) | (spread_3_bits(z) << 2);
}

} // namespace volpt
