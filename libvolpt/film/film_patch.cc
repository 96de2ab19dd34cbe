#include "libvolpt/film/film_patch.h"

#include "libvolpt/film/film_banks.h"
#include "libvolpt/film/film_colour.h"
#include "libvolpt/film/film_stats.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace volpt {
namespace {

/// Of the mean of pixels: that of each, weighted by what its noise adds. `variances` are by band, then by pixel.
Matrix3 average_covariance(BandCovariances const& covariances, std::span<std::size_t const> pixels,
                           std::span<double const> variances)
{
    Matrix3 sums{};
    for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t b = 0; b < 3; ++b)
            for (std::size_t i = 0; i < pixels.size(); ++i)
                sums[a][b] += covariances.at(pixels[i])[a][b] *
                              std::sqrt(variances[a * pixels.size() + i] * variances[b * pixels.size() + i]);
    std::array<double, 3> totals{};
    for (std::size_t i = 0; i < variances.size(); ++i) totals[i / pixels.size()] += variances[i];
    for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t b = 0; b < 3; ++b)
            sums[a][b] = totals[a] > 0 && totals[b] > 0 ? sums[a][b] / std::sqrt(totals[a] * totals[b]) : a == b;
    return sums;
}

} // namespace

NoisyColour measure_patch(Film const& film, PixelRectangle const& rectangle, Illuminant illuminant)
{
    auto const [x_first, y_first, x_end, y_end] = rectangle;
    if (x_first >= x_end || y_first >= y_end || x_end > film.width() || y_end > film.height())
        fail_usage(fmt::format("columns {} to {} and rows {} to {} are no part of a film of {}x{} pixels", x_first,
                               x_end, y_first, y_end, film.width(), film.height()));
    ColourNoise const noise(film, illuminant);
    BankErrors const banks = measure_bank_errors(film);
    std::vector<std::size_t> places;
    for (std::uint32_t y = y_first; y < y_end; ++y)
        for (std::uint32_t x = x_first; x < x_end; ++x) places.push_back(std::size_t{y} * film.width() + x);
    std::vector<double> pixel_variances;
    std::vector<std::uint64_t> const samples = count_tile_samples(film);
    double const pixels = static_cast<double>(x_end - x_first) * static_cast<double>(y_end - y_first);
    std::uint64_t least_samples = std::numeric_limits<std::uint64_t>::max();
    std::vector<double> values(film.bands()), variances(film.bands());
    for (std::size_t band = 0; band < film.bands(); ++band) {
        BandReader const reader(film, band);
        double bank_variance = 0, deviations = 0;
        for (std::uint32_t y = y_first; y < y_end; ++y)
            for (std::uint32_t x = x_first; x < x_end; ++x) {
                std::size_t const tile = tile_index(film, x, y);
                PixelSums const sums = reader.read(std::size_t{y} * film.width() + x, samples[tile]);
                least_samples = std::min(least_samples, sums.samples);
                if (sums.samples == 0) fail_usage("pixels of the patch have no samples", "render them first");
                values[band] += mean_of(sums, film.sum_log2()) / pixels;
                double const variance =
                    sums.samples >= 2 ? variance_of_mean(sums, film.sum_log2(), film.square_log2()) : 0;
                variances[band] += variance / (pixels * pixels);
                pixel_variances.push_back(variance);
                deviations += std::sqrt(variance) / pixels;
                bank_variance = std::max(bank_variance, banks.pixel_variance(tile, band));
            }
        if (film.scene().integrator == Integrator::mlt) variances[band] = deviations * deviations;
        variances[band] += bank_variance * values[band] * values[band];
    }
    NoisyColour colour = noise.covariances().are_known()
                             ? propagate_noise(noise.weights(), values, variances,
                                               average_covariance(noise.covariances(), places, pixel_variances))
                             : noise.propagate(0, values, variances);
    constexpr double kUnknownError = std::numeric_limits<double>::infinity();
    if (least_samples < 2) {
        colour.lab_error = {kUnknownError, kUnknownError, kUnknownError};
        colour.de2000 = kUnknownError;
    }
    return colour;
}

} // namespace volpt
