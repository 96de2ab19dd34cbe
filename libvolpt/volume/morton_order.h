// The Morton order of the bricks of a volume, in which files store their voxels.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace volpt {

/// Calls visit(brick index, x fastest) for every brick of the grid, by ascending Morton code of its coordinates (x is
/// the lowest bit). Needs no memory; octants outside the grid are skipped, so flat grids cost no more than their
/// bricks.
template <typename Visit>
void for_each_brick_in_morton_order(std::array<int, 3> counts, Visit&& visit)
{
    auto const walk = [&](auto const& self, std::array<int, 3> corner, int edge) -> void {
        if (corner[0] >= counts[0] || corner[1] >= counts[1] || corner[2] >= counts[2]) return;
        if (edge == 1) {
            visit((static_cast<std::uint64_t>(corner[2]) * static_cast<std::uint64_t>(counts[1]) +
                   static_cast<std::uint64_t>(corner[1])) *
                      static_cast<std::uint64_t>(counts[0]) +
                  static_cast<std::uint64_t>(corner[0]));
            return;
        }
        int const half = edge / 2;
        for (int octant = 0; octant < 8; ++octant) {
            self(self,
                 {corner[0] + (octant & 1) * half, corner[1] + (octant >> 1 & 1) * half,
                  corner[2] + (octant >> 2) * half},
                 half);
        }
    };
    auto const largest = static_cast<unsigned>(*std::max_element(counts.begin(), counts.end()));
    walk(walk, {0, 0, 0}, static_cast<int>(std::bit_ceil(largest)));
}

} // namespace volpt
