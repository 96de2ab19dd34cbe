// How often the voxels of each brick are looked up in a render.
#pragma once

#include <cstdint>
#include <vector>

namespace volpt {

/// By brick, how many lookups its voxels get; both may be empty.
struct BrickLookups {
    std::vector<std::uint32_t> flights;    ///< for the extinction
    std::vector<std::uint32_t> collisions; ///< for albedo and phase function
};

/// Lookups of two sets of paths: `fit` chooses the bricks, `holdout` estimates the hit rate, which `fit` would
/// overestimate.
struct BrickAccessCounts {
    BrickLookups fit;
    BrickLookups holdout;
};

} // namespace volpt
