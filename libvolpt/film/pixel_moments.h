// Mean and spread of a pixel from its exact sums, without cancellation and with the same bits on every host.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace volpt {

/// What the film holds of one pixel and band.
struct PixelSums {
    std::uint64_t sum;     ///< in units of 2^-sum_log2
    std::uint64_t squares; ///< in units of 2^-square_log2
    std::uint64_t samples;
};

inline double mean_of(PixelSums const& pixel, int sum_log2)
{
    return std::ldexp(static_cast<double>(pixel.sum) / static_cast<double>(pixel.samples), -sum_log2);
}

/// Unbiased estimate of the variance of the mean, from 2 samples: (sum of squares - sum^2 / n) / (n * (n - 1)). The difference
/// is formed in 128-bit integers; rounding of the squares can make it negative, which counts as 0.
inline double variance_of_mean(PixelSums const& pixel, int sum_log2, int square_log2)
{
    __extension__ using Wide = unsigned __int128;
    Wide squares_times_n = Wide{pixel.squares} * pixel.samples;
    Wide sum_squared = Wide{pixel.sum} * pixel.sum;
    int unit_log2 = 2 * sum_log2;
    int const finer = unit_log2 - square_log2; // bits by which sum_squared has the finer unit
    if (finer < 0) {
        sum_squared = finer > -128 ? sum_squared >> -finer : 0;
        unit_log2 = square_log2;
    } else if (squares_times_n != 0) {
        int const high_zeros = squares_times_n >> 64 != 0
                                   ? std::countl_zero(static_cast<std::uint64_t>(squares_times_n >> 64))
                                   : 64 + std::countl_zero(static_cast<std::uint64_t>(squares_times_n));
        // Never for sums that samples of at most 2^kSampleLog2 can reach with scales of one peak value.
        if (finer > high_zeros) return HUGE_VAL;
        squares_times_n <<= finer;
    }
    if (squares_times_n <= sum_squared) return 0;
    double const n = static_cast<double>(pixel.samples);
    return std::ldexp(static_cast<double>(squares_times_n - sum_squared), -unit_log2) / (n * n * (n - 1));
}

} // namespace volpt
