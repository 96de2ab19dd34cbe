// Mean, variance and summary of a film: from its exact sums, without cancellation, with the same bits on every host.
#pragma once

#include "libvolpt/film/film.h"
#include "libvolpt/sys/parallel.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace volpt {

/// The film's sums of one pixel and band.
struct PixelSums {
    std::uint64_t sum; ///< in units of 2^-sum_log2
    Wide squares;      ///< in units of 2^-square_log2
    std::uint64_t samples;
    /// Per sample, what may have reached the pixel: one path, or each particle of the film (count_trials_per_sample).
    std::uint64_t trials_per_sample = 1;
};

/// Particles reach any pixel: a sample of a film of N pixels is N of them, each of which adds to one pixel at most.
inline std::uint64_t count_trials_per_sample(Film const& film)
{
    return film.scene().integrator == Integrator::light ? std::uint64_t{film.width()} * film.height() : 1;
}

inline double mean_of(PixelSums const& pixel, int sum_log2)
{
    return std::ldexp(static_cast<double>(pixel.sum) / static_cast<double>(pixel.samples), -sum_log2);
}

/// value * 2^shift, or the largest number if that does not fit.
inline Wide shift_up(Wide value, int shift)
{
    auto const high = static_cast<std::uint64_t>(value >> 64);
    int const free_bits = high != 0 ? std::countl_zero(high) : 64 + std::countl_zero(static_cast<std::uint64_t>(value));
    if (value == 0) return 0;
    return shift > free_bits ? ~Wide{0} : value << shift;
}

/// The same as variance_of_mean where a sample is several trials, m in all: a sum has m / (m - 1) times (sum of squares
/// - sum^2 / m).
inline double variance_of_trials(PixelSums const& pixel, int sum_log2, int square_log2)
{
    double const n = static_cast<double>(pixel.samples), m = n * static_cast<double>(pixel.trials_per_sample);
    double const sum = std::ldexp(static_cast<double>(pixel.sum), -sum_log2);
    double const squares = std::ldexp(static_cast<double>(pixel.squares), -square_log2);
    return std::max(0.0, squares - sum * sum / m) * m / (m - 1) / (n * n);
}

/// Unbiased estimate of the variance of the mean, from 2 samples on: (sum of squares - sum^2 / n) / (n * (n - 1)). The
/// difference is computed in 128-bit integers, exactly for the scales of a film. Where squares were rounded it can be
/// negative: the result is 0 then.
inline double variance_of_mean(PixelSums const& pixel, int sum_log2, int square_log2)
{
    if (pixel.trials_per_sample > 1) return variance_of_trials(pixel, sum_log2, square_log2);
    int const finer = 2 * sum_log2 - square_log2; // bits by which the squared sum has the finer unit
    Wide const squares_times_n = shift_up(pixel.squares * pixel.samples, std::max(finer, 0));
    Wide const sum_squared = shift_up(Wide{pixel.sum} * pixel.sum, std::max(-finer, 0));
    if (squares_times_n <= sum_squared) return 0;
    double const n = static_cast<double>(pixel.samples);
    return std::ldexp(static_cast<double>(squares_times_n - sum_squared), -std::max(2 * sum_log2, square_log2)) /
           (n * n * (n - 1));
}

/// variance_of_mean plus that of the banks of long steps; `bank_variance` is relative to the mean's square
/// (film_banks.h), and 0 changes no bit.
inline double full_variance_of_mean(PixelSums const& pixel, int sum_log2, int square_log2, double bank_variance)
{
    double const mean = mean_of(pixel, sum_log2);
    return variance_of_mean(pixel, sum_log2, square_log2) + bank_variance * mean * mean;
}

/// Calls visit(pixel index in the plane, PixelSums, tile) for every pixel of a band in these rows, row by row.
template <class Visit>
void visit_pixels(Film const& film, std::uint32_t band, RowRange rows, Visit&& visit)
{
    std::vector<std::uint64_t> const samples = count_tile_samples(film);
    std::size_t const pixel_count = std::size_t{film.width()} * film.height();
    std::uint64_t const trials = count_trials_per_sample(film);
    std::uint64_t const* const sums = film.sums.data() + band * pixel_count;
    Wide const* const squares = film.squares.data() + band * pixel_count;
    auto const first = static_cast<std::uint32_t>(rows.first), end = static_cast<std::uint32_t>(rows.end);
    std::size_t pixel = std::size_t{first} * film.width();
    for (std::uint32_t y = first; y < end; ++y)
        for (std::uint32_t x = 0; x < film.width(); ++x, ++pixel) {
            std::size_t const tile = tile_index(film, x, y);
            visit(pixel, PixelSums{sums[pixel], squares[pixel], samples[tile], trials}, tile);
        }
}

/// The same for all rows.
template <class Visit>
void visit_pixels(Film const& film, std::uint32_t band, Visit&& visit)
{
    visit_pixels(film, band, RowRange{0, static_cast<int>(film.height())}, visit);
}

/// What rounding adds to the variance of a sample at most, in a film whose squares are exact: their variances include
/// it, but few samples may not show it. Where squares are rounded: what the variances may miss.
inline double find_rounding_variance(Film const& film)
{
    return film.rounds_squares() ? std::ldexp(0.5, -film.square_log2()) : std::ldexp(0.25, -2 * film.sum_log2());
}

/// A mean below so many of the film's units is noisier by the rounding of its samples: 1 % in variance where samples
/// spread by a third of their mean.
inline constexpr std::uint64_t kDimUnits = 16;

/// All pixels together, by band; pixels without samples are left out. The mean is that of the pixels' means. Its
/// standard error follows from the pixels' variances: pixels are independent except for the banks of long steps, whose
/// error they share (film_banks.h). A pixel with one sample has no variance of its own: its squared distance from the
/// mean is used, which overestimates it. NaN where the samples do not suffice.
struct FilmSummary {
    std::vector<double> mean;
    std::vector<double> standard_error; ///< of the mean
    std::uint64_t samples_min = 0;      ///< per pixel
    std::uint64_t samples_max = 0;
    double dim_share = 0; ///< of the values that are not 0: those below kDimUnits
};
FilmSummary summarize_film(Film const& film);

/// By g: samples s of all pixels with s % groups = g.
std::vector<std::uint64_t> count_group_samples(Film const& film, std::uint32_t groups);

} // namespace volpt
