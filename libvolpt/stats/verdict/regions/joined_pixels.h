// z of every value of a channel; pixels of few contributions are joined until both sides have enough.
#pragma once

#include "libvolpt/stats/verdict/regions/noisy_region.h"

#include <vector>

namespace volpt {

/// A value of the test of single values: a pixel, or an aligned square of 2 x 2 or 4 x 4.
struct TestedValue {
    float z = 0;
    PixelSquare square;
};

struct TestedBlock {
    Region region;
    RegionTest test; ///< z without the part that pixels share
    PixelSquare square;
};

/// One channel. Regions are pixels and aligned squares of 2, 4, 8 and 16 pixels.
struct ChannelTest {
    ChannelNoise noise;
    std::vector<float> z;            ///< by pixel, of the smallest region around it that has enough; NaN: none has
    std::vector<float> values;       ///< z of each value, in no order that means anything
    std::uint64_t joined = 0;        ///< of the values: those of more than a pixel
    TestedValue largest;             ///< of the values, by magnitude
    std::vector<TestedBlock> blocks; ///< of kBlockEdge, row by row
    std::vector<TestedBlock> halves; ///< of half of it
    Region all;
    double usable = 0, light = 0;        ///< pixels with noise on both sides, and the sum of both sides over them
    double judged = 0, judged_light = 0; ///< of these: where z is a number
    double test_samples = 0, reference_samples = 0; ///< the most of a pixel
};

/// A pixel belongs to one value at most: the smallest of the regions around it, up to 4 x 4, in which both sides are
/// expected to have kEnoughContributions. That is a function of the common expectation of both sides, not of their
/// difference (pool_sums).
ChannelTest test_channel(NoisyChannel const& test, NoisyChannel const& reference, int width, int height, int threads);

} // namespace volpt
