// Sort keys of paths: paths that are near in space are near in order, ended paths come last.
#pragma once

#include "libvolpt/core/scene_view.hd.h"

namespace volpt {

/// Bits of a key: 15 for the cell, one for ended paths.
inline constexpr int kSortKeyBits = 16;
inline constexpr std::uint32_t kDeadKey = 0x8000u;

/// Spreads the low five bits of `x` to every third place.
__device__ inline std::uint32_t spread_bits(std::uint32_t x)
{
    x = (x | x << 8) & 0x100fu;
    x = (x | x << 4) & 0x10c3u;
    return (x | x << 2) & 0x1249u;
}

/// Morton code of the cell of a 32x32x32 grid over the box that holds `position` (voxels).
__device__ inline std::uint32_t find_sort_cell(Vec3 position, Vec3 size)
{
    auto const cell = [](float p, float edge) {
        return static_cast<std::uint32_t>(
            static_cast<std::int32_t>(exact::max(0.0f, exact::min(32.0f * p / edge, 31.0f))));
    };
    return spread_bits(cell(position.x, size.x)) | spread_bits(cell(position.y, size.y)) << 1 |
           spread_bits(cell(position.z, size.z)) << 2;
}

} // namespace volpt
