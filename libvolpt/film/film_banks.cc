#include "libvolpt/film/film_banks.h"

#include "libvolpt/core/outcome.hd.h"
#include "libvolpt/film/film_stats.h"

#include <algorithm>
#include <cmath>

namespace volpt {
namespace {

/// The prior's mean of the squared error.
double get_prior_variance(LongSteps steps)
{
    double const error = steps == LongSteps::layers ? kPriorLayerBankError : kPriorBankError;
    return error * error;
}

/// Posterior mean of s, given a variance `measured` with `degrees` of freedom whose expectation is s + `noise`.
double expect_variance(double prior_variance, double measured, double noise, double degrees)
{
    double const median = prior_variance * (1 - kPriorLogScale * kPriorLogScale); // then the mean is prior_variance
    // Integrated over the logarithm of s: errors up to about 20 %.
    constexpr int kReach = 96;
    constexpr double kStep = 0.125;
    std::vector<double> logs, variances;
    for (int i = -kReach; i <= kReach; ++i) {
        double const variance = median * std::exp(i * kStep);
        double const total = variance + noise;
        variances.push_back(variance);
        logs.push_back(-std::abs(i * kStep) / kPriorLogScale - 0.5 * degrees * (std::log(total) + measured / total));
    }
    double const largest = *std::ranges::max_element(logs);
    double sum = 0, weights = 0;
    for (std::size_t i = 0; i < logs.size(); ++i) {
        double const weight = std::exp(logs[i] - largest);
        weights += weight;
        sum += weight * variances[i];
    }
    return sum / weights;
}

/// By tile, summed over its pixels: mean, and variance of one sample (NaN if the tile has one sample).
struct TileMoments {
    std::vector<double> mean, variance;
};

TileMoments measure_tiles(Film const& film, std::size_t band)
{
    std::vector<std::uint64_t> const samples = count_tile_samples(film);
    TileMoments tiles{std::vector<double>(samples.size()), std::vector<double>(samples.size())};
    std::size_t i = band * film.width() * film.height();
    for (std::uint32_t y = 0; y < film.height(); ++y)
        for (std::uint32_t x = 0; x < film.width(); ++x, ++i) {
            std::size_t const tile = tile_index(film, x, y);
            PixelSums const pixel{film.sums[i], film.squares[i], samples[tile]};
            if (pixel.samples == 0) continue;
            tiles.mean[tile] += mean_of(pixel, film.sum_log2());
            tiles.variance[tile] +=
                variance_of_mean(pixel, film.sum_log2(), film.square_log2()) * static_cast<double>(pixel.samples);
        }
    for (std::size_t tile = 0; tile < samples.size(); ++tile)
        if (samples[tile] == 1) tiles.variance[tile] = std::nan("");
    return tiles;
}

double sum_squared_shares(SampleRanges const& ranges)
{
    auto const samples = static_cast<double>(count_samples(ranges));
    double sum = 0;
    for (BankRun const& run : list_bank_runs(ranges))
        sum += static_cast<double>(run.banks) * std::pow(static_cast<double>(run.samples) / samples, 2);
    return sum;
}

struct BandError {
    double one_bank;
    double film_share;
};

BandError measure_band(Film const& film, std::span<std::uint32_t const> banks, std::size_t band)
{
    TileMoments const tiles = measure_tiles(film, band);
    std::vector<double> const expected = add_up_by_bank<double>(film, banks, tiles.mean);
    std::vector<double> const noise = add_up_by_bank<double>(film, banks, tiles.variance);
    double total = 0;
    for (double const light : expected) total += light;
    double between = 0, explained = 0, film_share = 0;
    std::size_t i = 0;
    for (auto const& [number, sums] : film.long_steps.bank_sums) {
        double const light = expected[i], variance = noise[i];
        ++i;
        if (!(light > 0)) continue;
        double const share = light / total;
        double const deviation = std::ldexp(static_cast<double>(sums[band]), -film.sum_log2()) / light - 1;
        between += share * deviation * deviation;
        explained += share * (1 - share) * variance / (light * light);
        film_share += share * share;
    }
    double const rest = 1 - film_share;
    bool const is_unknown = !(film_share > 0) || rest < 1e-9 || !std::isfinite(explained);
    double const prior = get_prior_variance(film.scene().long_steps);
    return {is_unknown ? prior : expect_variance(prior, between / rest, explained / rest, rest / film_share),
            film_share};
}

} // namespace

std::vector<BankRun> list_bank_runs(SampleRanges const& ranges)
{
    std::vector<BankRun> runs;
    auto const add = [&](std::uint64_t first, std::uint64_t banks, std::uint64_t samples) {
        if (banks == 0 || samples == 0) return;
        bool const same_bank = !runs.empty() && runs.back().first + runs.back().banks > first; // parts of one bank
        if (same_bank)
            runs.back().samples += samples;
        else
            runs.push_back({first, banks, samples});
    };
    for (SampleRange const& range : ranges) {
        std::uint64_t const end = range.first + range.count;
        std::uint64_t const full_first = (range.first + kBankSamples - 1) / kBankSamples, full_end = end / kBankSamples;
        if (full_first > full_end) { // within one bank, touching neither border
            add(full_end, 1, range.count);
            continue;
        }
        add(full_first - 1, 1, full_first * kBankSamples - range.first);
        add(full_first, full_end - full_first, kBankSamples);
        add(full_end, 1, end - full_end * kBankSamples);
    }
    return runs;
}

std::vector<BankInterval> list_banks(Film const& film)
{
    std::vector<BankInterval> intervals;
    SampleRanges const* last = nullptr; // most tiles have the ranges of the one before
    for (SampleRanges const& ranges : film.tile_ranges) {
        if (last != nullptr && *last == ranges) continue;
        last = &ranges;
        for (BankRun const& run : list_bank_runs(ranges)) intervals.push_back({run.first, run.first + run.banks});
    }
    std::ranges::sort(intervals, {}, &BankInterval::first);
    std::vector<BankInterval> joined;
    for (BankInterval const& interval : intervals) {
        if (joined.empty() || interval.first > joined.back().end)
            joined.push_back(interval);
        else
            joined.back().end = std::max(joined.back().end, interval.end);
    }
    return joined;
}

BankErrors measure_bank_errors(Film const& film)
{
    BankErrors errors;
    if (film.long_steps.steps == 0) return errors;
    for (SampleRanges const& ranges : film.tile_ranges) errors.tile_shares.push_back(sum_squared_shares(ranges));
    std::vector<std::uint32_t> banks;
    for (auto const& [number, sums] : film.long_steps.bank_sums) banks.push_back(number);
    for (std::size_t band = 0; band < film.bands(); ++band) {
        auto const [one_bank, film_share] = measure_band(film, banks, band);
        errors.one_bank.push_back(one_bank);
        errors.film_shares.push_back(film_share);
    }
    return errors;
}

} // namespace volpt
