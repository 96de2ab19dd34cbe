// Mean, variance and summary of a film: from its exact sums, without cancellation, with the same bits on every host.
#pragma once

#include "libvolpt/film/film.h"
#include "libvolpt/sys/parallel.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace volpt {

/// Of a film that particles add to: those of all pixels so far, each of which may have added to any pixel, but to one
/// at most.
struct FilmParticles {
    std::uint64_t count = 0; ///< 0: there are none
    std::uint64_t pixels = 1;

    /// As a real number: of an incomplete film it is none of integers.
    double per_pixel() const { return static_cast<double>(count) / static_cast<double>(pixels); }
};

/// Tiles may have different numbers of samples while a film is not complete.
inline FilmParticles count_particles(Film const& film)
{
    if (!has_film_particles(film.scene())) return {};
    FilmParticles particles{0, std::uint64_t{film.width()} * film.height()};
    std::vector<std::uint64_t> const samples = count_tile_samples(film);
    for (std::uint32_t y = 0; y < film.height(); y += kFileTileEdge)
        for (std::uint32_t x = 0; x < film.width(); x += kFileTileEdge)
            particles.count += samples[tile_index(film, x, y)] * std::min(kFileTileEdge, film.width() - x) *
                               std::min(kFileTileEdge, film.height() - y);
    return particles;
}

/// The film's sums of one pixel and band: of paths that begin at the pixel, and of particles, which may have begun at
/// any. Their means are added up.
struct PixelSums {
    std::uint64_t sum;     ///< in units of 2^-sum_log2
    Wide squares;          ///< in units of 2^-square_log2
    std::uint64_t samples; ///< where there are particles alone, their number per pixel, rounded down but for 0
    FilmParticles particles = {};
    std::uint64_t splat_sum = 0; ///< of particles
    Wide splat_squares = 0;
};

/// The sums of a band of a film with planes; the film must outlive it.
class BandReader {
public:
    BandReader(Film const& film, std::size_t band)
        : particles_(count_particles(film)), integrator_(film.scene().integrator)
    {
        std::size_t const plane = std::size_t{film.width()} * film.height();
        sums_ = film.sums.data() + band * plane;
        squares_ = film.squares.data() + band * plane;
        splats_ = (film.planes() - film.bands()) * plane;
    }

    /// `samples` is that of the pixel's tile.
    PixelSums read(std::size_t pixel, std::uint64_t samples) const
    {
        if (integrator_ == Integrator::path || integrator_ == Integrator::mlt)
            return {sums_[pixel], squares_[pixel], samples};
        if (integrator_ == Integrator::bdpt)
            return {sums_[pixel], squares_[pixel],        samples,
                    particles_,   sums_[splats_ + pixel], squares_[splats_ + pixel]};
        if (particles_.count > 0) samples = std::max<std::uint64_t>(1, particles_.count / particles_.pixels);
        return {0, 0, samples, particles_, sums_[pixel], squares_[pixel]};
    }

private:
    FilmParticles particles_;
    Integrator integrator_;
    std::uint64_t const* sums_;
    Wide const* squares_;
    std::size_t splats_; ///< from a path's sum to that of splats
};

/// The particles' part of the mean.
inline double splat_mean_of(PixelSums const& pixel, int sum_log2)
{
    if (pixel.particles.count == 0) return 0;
    return std::ldexp(static_cast<double>(pixel.splat_sum) / pixel.particles.per_pixel(), -sum_log2);
}

inline double mean_of(PixelSums const& pixel, int sum_log2)
{
    return std::ldexp(static_cast<double>(pixel.sum) / static_cast<double>(pixel.samples), -sum_log2) +
           splat_mean_of(pixel, sum_log2);
}

/// value * 2^shift, or the largest number if that does not fit.
inline Wide shift_up(Wide value, int shift)
{
    auto const high = static_cast<std::uint64_t>(value >> 64);
    int const free_bits = high != 0 ? std::countl_zero(high) : 64 + std::countl_zero(static_cast<std::uint64_t>(value));
    if (value == 0) return 0;
    return shift > free_bits ? ~Wide{0} : value << shift;
}

/// Of the mean of what m particles add: a sum has the variance m / (m - 1) times (sum of squares - sum^2 / m). Light
/// that comes straight from the background is found by one particle of each pixel: there it is an upper bound.
inline double variance_of_particles(PixelSums const& pixel, int sum_log2, int square_log2)
{
    if (pixel.particles.count < 2) return 0;
    double const n = pixel.particles.per_pixel(), m = static_cast<double>(pixel.particles.count);
    double const sum = std::ldexp(static_cast<double>(pixel.splat_sum), -sum_log2);
    double const squares = std::ldexp(static_cast<double>(pixel.splat_squares), -square_log2);
    return std::max(0.0, squares - sum * sum / m) * m / (m - 1) / (n * n);
}

/// Of the mean of paths, from 2 samples on: (sum of squares - sum^2 / n) / (n * (n - 1)). The difference is computed in
/// 128-bit integers, exactly for the scales of a film. Where squares were rounded it can be negative: the result is 0
/// then.
inline double variance_of_paths(PixelSums const& pixel, int sum_log2, int square_log2)
{
    int const finer = 2 * sum_log2 - square_log2; // bits by which the squared sum has the finer unit
    Wide const squares_times_n = shift_up(pixel.squares * pixel.samples, std::max(finer, 0));
    Wide const sum_squared = shift_up(Wide{pixel.sum} * pixel.sum, std::max(-finer, 0));
    if (squares_times_n <= sum_squared) return 0;
    double const n = static_cast<double>(pixel.samples);
    return std::ldexp(static_cast<double>(squares_times_n - sum_squared), -std::max(2 * sum_log2, square_log2)) /
           (n * n * (n - 1));
}

/// Unbiased estimate of the variance of the mean, from 2 samples on.
inline double variance_of_mean(PixelSums const& pixel, int sum_log2, int square_log2)
{
    return variance_of_paths(pixel, sum_log2, square_log2) + variance_of_particles(pixel, sum_log2, square_log2);
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
    BandReader const reader(film, band);
    auto const first = static_cast<std::uint32_t>(rows.first), end = static_cast<std::uint32_t>(rows.end);
    std::size_t pixel = std::size_t{first} * film.width();
    for (std::uint32_t y = first; y < end; ++y)
        for (std::uint32_t x = 0; x < film.width(); ++x, ++pixel) {
            std::size_t const tile = tile_index(film, x, y);
            visit(pixel, reader.read(pixel, samples[tile]), tile);
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
