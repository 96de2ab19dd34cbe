// Mean and spread of a pixel from its exact sums, without cancellation and with the same bits on every host.
#pragma once

#include <algorithm>
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

__extension__ using Wide = unsigned __int128;

/// value * 2^shift, or the largest number if that does not fit.
inline Wide shift_up(Wide value, int shift)
{
    auto const high = static_cast<std::uint64_t>(value >> 64);
    int const room = high != 0 ? std::countl_zero(high) : 64 + std::countl_zero(static_cast<std::uint64_t>(value));
    if (value == 0) return 0;
    return shift > room ? ~Wide{0} : value << shift;
}

/// Unbiased estimate of the variance of the mean, from 2 samples: (sum of squares - sum^2 / n) / (n * (n - 1)). The
/// difference is formed in 128-bit integers, which hold it exactly for the scales of one peak value (square_log2 =
/// 2 * sum_log2 - 31); rounding of the squares can make it negative, which counts as 0.
inline double variance_of_mean(PixelSums const& pixel, int sum_log2, int square_log2)
{
    int const finer = 2 * sum_log2 - square_log2; // bits by which the squared sum has the finer unit
    Wide const squares_times_n = shift_up(Wide{pixel.squares} * pixel.samples, std::max(finer, 0));
    Wide const sum_squared = shift_up(Wide{pixel.sum} * pixel.sum, std::max(-finer, 0));
    if (squares_times_n <= sum_squared) return 0;
    double const n = static_cast<double>(pixel.samples);
    return std::ldexp(static_cast<double>(squares_times_n - sum_squared), -std::max(2 * sum_log2, square_log2)) /
           (n * n * (n - 1));
}

/// The same and what the banks of long steps add to it; `bank_variance` is relative to the mean's square
/// (film/bank_error.h), and 0 leaves the bits alone.
inline double full_variance_of_mean(PixelSums const& pixel, int sum_log2, int square_log2, double bank_variance)
{
    double const mean = mean_of(pixel, sum_log2);
    return variance_of_mean(pixel, sum_log2, square_log2) + bank_variance * mean * mean;
}

} // namespace volpt
