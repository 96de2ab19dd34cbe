// The banks of outcomes (core/outcome.hd.h) that a film's long steps were drawn from: which samples used them, how
// large their error is, and what it adds to the variance of the film's means.
//
// R. DerSimonian & N. Laird, Meta-Analysis in Clinical Trials (Controlled Clinical Trials 1986), for the variance
// between groups.
#pragma once

#include "libvolpt/film/film.h"

#include <algorithm>
#include <span>

namespace volpt {

/// Banks [first, first + banks), each of which `samples` samples have used.
struct BankRun {
    std::uint64_t first;
    std::uint64_t banks;
    std::uint64_t samples; ///< 1 .. kBankSamples
    bool operator==(BankRun const&) const = default;
};

/// The banks that samples of sorted, disjoint ranges have used: each once, ascending.
std::vector<BankRun> list_bank_runs(SampleRanges const& ranges);

/// Banks [first, end).
struct BankInterval {
    std::uint64_t first;
    std::uint64_t end;
};

/// Banks that samples of any tile have used: sorted, disjoint, joined where they touch.
std::vector<BankInterval> list_banks(Film const& film);

/// For each of `banks` (ascending), the sum over tiles of weights[tile] times the tile's number of samples of that
/// bank. Exact for unsigned numbers.
template <class Number>
std::vector<Number> add_up_by_bank(Film const& film, std::span<std::uint32_t const> banks,
                                   std::span<Number const> weights)
{
    std::vector<Number> sums(banks.size() + 1);
    for (std::size_t tile = 0; tile < film.tile_ranges.size(); ++tile)
        for (BankRun const& run : list_bank_runs(film.tile_ranges[tile])) {
            Number const weight = weights[tile] * static_cast<Number>(run.samples);
            sums[static_cast<std::size_t>(std::ranges::lower_bound(banks, run.first) - banks.begin())] += weight;
            sums[static_cast<std::size_t>(std::ranges::lower_bound(banks, run.first + run.banks) - banks.begin())] -=
                weight;
        }
    for (std::size_t i = 1; i < sums.size(); ++i) sums[i] += sums[i - 1];
    sums.pop_back();
    return sums;
}

/// Prior of one bank's error, before any film is measured: root mean square, relative to the mean.
/// docs/statistical-verdict.md lists the scenes that it was measured on.
inline constexpr double kPriorBankError = 5e-4;
/// The same for LongSteps::layers, whose outcomes are nearly whole paths (docs/reports/performance.md, "Layers").
inline constexpr double kPriorLayerBankError = 2.5e-3;
/// The prior of the squared error: its logarithm has a Laplace distribution of this scale about the median. 95 % of
/// scenes are within a factor of 2.1 in error; the tails are so heavy that a few banks outweigh the prior.
inline constexpr double kPriorLogScale = 0.5;

/// The error model: a bank scales the brightness of all pixels by a common random factor, independent of other banks. A
/// mean over samples of several banks has the mean of their factors. Variances are relative to the mean's square.
struct BankErrors {
    std::vector<double> one_bank;    ///< variance of one bank, by band; empty without long steps
    std::vector<double> film_shares; ///< by band: share in the mean over all pixels, the sum of banks' squared shares
    std::vector<double> tile_shares; ///< by tile: share in the mean of a pixel

    double film_variance(std::size_t band) const { return one_bank.empty() ? 0 : one_bank[band] * film_shares[band]; }
    double pixel_variance(std::size_t tile, std::size_t band) const
    {
        return one_bank.empty() ? 0 : one_bank[band] * tile_shares[tile];
    }
};

/// By band. Let w be the banks' shares of the light, r their sums divided by what their samples would give with the
/// pixels' means, and v the variances of r that follow from the pixels' own variances. Then
///   sum w (r - 1)^2 / (1 - sum w^2)
/// has the expectation s + sum w (1 - w) v / (1 - sum w^2), where s is the square of one bank's error. It is taken as
/// chi-square with 1 / sum w^2 - 1 degrees of freedom, and one_bank is the posterior mean of s. With a single bank, or
/// pixels of one sample, that is the prior's mean, kPriorBankError (kPriorLayerBankError) squared; with many banks of
/// little noise, the prior has no influence.
BankErrors measure_bank_errors(Film const& film);

} // namespace volpt
