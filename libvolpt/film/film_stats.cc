#include "libvolpt/film/film_stats.h"

#include "libvolpt/film/film_banks.h"
#include "libvolpt/film/passes/pass_totals.h"

#include <limits>
#include <utility>

namespace volpt {
namespace {

/// Mean and standard error of one band; `bank_variance` is that of the mean, relative to its square.
std::pair<double, double> summarize_band(Film const& film, std::uint32_t band, double bank_variance)
{
    double mean_sum = 0;
    double variance_sum = 0;
    double splat_sum = 0, squared_splats = 0;
    double pixels = 0;
    double single_sample_pixels = 0;
    visit_pixels(film, band, [&](std::size_t, PixelSums const& pixel, std::size_t) {
        if (pixel.samples == 0) return;
        pixels += 1;
        double const mean = mean_of(pixel, film.sum_log2());
        double const splats = splat_mean_of(pixel, film.sum_log2());
        mean_sum += mean;
        splat_sum += splats;
        squared_splats += splats * splats;
        if (pixel.samples == 1)
            single_sample_pixels += 1;
        else
            variance_sum += variance_of_mean(pixel, film.sum_log2(), film.square_log2());
    });
    // Pixels share their particles: what one gets, the others do not.
    if (auto const particles = static_cast<double>(count_particles(film).count); particles > 1)
        variance_sum -= std::min(variance_sum, (splat_sum * splat_sum - squared_splats) / (particles - 1));
    double const unknown = std::numeric_limits<double>::quiet_NaN();
    if (pixels == 0) return {unknown, unknown};
    double const mean = mean_sum / pixels;
    // The error of a bank is common to all pixels: its part does not fall with their number.
    double const bank_sum = bank_variance * mean_sum * mean_sum;
    if (single_sample_pixels == 0) return {mean, std::sqrt(variance_sum + bank_sum) / pixels};
    if (pixels == 1) return {mean, unknown};

    visit_pixels(film, band, [&](std::size_t, PixelSums const& pixel, std::size_t) {
        if (pixel.samples != 1) return;
        double const distance = mean_of(pixel, film.sum_log2()) - mean;
        variance_sum += distance * distance * pixels / (pixels - 1);
    });
    return {mean, std::sqrt(variance_sum + bank_sum) / pixels};
}

double measure_dim_share(Film const& film)
{
    double lit = 0, dim = 0;
    for (std::uint32_t band = 0; band < film.bands(); ++band)
        visit_pixels(film, band, [&](std::size_t, PixelSums const& pixel, std::size_t) {
            Wide const sum = Wide{pixel.sum} + pixel.splat_sum;
            if (sum == 0) return;
            lit += 1;
            if (sum < Wide{pixel.samples} * kDimUnits) dim += 1;
        });
    return lit > 0 ? dim / lit : 0;
}

} // namespace

FilmSummary summarize_film(Film const& film)
{
    FilmSummary summary;
    BankErrors const banks = measure_bank_errors(film);
    for (std::uint32_t band = 0; band < film.bands(); ++band) {
        auto const [mean, standard_error] = summarize_band(film, band, banks.film_variance(band));
        summary.mean.push_back(mean);
        double const of_passes = measure_pass_variance(film, band);
        summary.standard_error.push_back(std::isnan(of_passes) ? standard_error : std::sqrt(of_passes));
    }
    std::vector<std::uint64_t> const samples = count_tile_samples(film);
    summary.samples_min = std::ranges::min(samples);
    summary.samples_max = std::ranges::max(samples);
    summary.dim_share = measure_dim_share(film);
    return summary;
}

std::vector<std::uint64_t> count_group_samples(Film const& film, std::uint32_t groups)
{
    std::vector<std::uint64_t> counts(groups);
    for (std::size_t tile = 0; tile < film.tile_ranges.size(); ++tile) {
        std::uint64_t const pixels = count_tile_pixels(film, tile);
        for (SampleRange const& range : film.tile_ranges[tile])
            for (std::uint32_t i = 0; i < groups; ++i) {
                // Of the range, samples i, i + groups, i + 2 groups, .. are in one group.
                std::uint64_t const samples = range.count > i ? (range.count - i - 1) / groups + 1 : 0;
                counts[(range.first + i) % groups] += pixels * samples;
            }
    }
    return counts;
}

} // namespace volpt
