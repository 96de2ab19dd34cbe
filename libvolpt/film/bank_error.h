// How far banks of outcomes are off, measured between them, and what that adds to the variance of a film's means.
//
// R. DerSimonian & N. Laird, Meta-Analysis in Clinical Trials (Controlled Clinical Trials 1986), for the variance
// between groups.
#pragma once

#include "libvolpt/film/film.h"

namespace volpt {

/// What one bank's error is before a film says anything: root mean square, relative to the mean.
/// docs/statistical-verdict.md has the scenes that it was measured on.
inline constexpr double kPriorBankError = 5e-4;
/// The prior of its square: the logarithm is Laplace's of this scale about the median, so that 95 % of scenes are
/// within a factor 2.1 in error, and the tails are so heavy that a few banks overrule it.
inline constexpr double kPriorLogScale = 0.5;

/// A bank makes all pixels brighter or darker by a common factor, other banks by independent ones; so does a mean over
/// samples of a few banks. Variances are relative to the mean's square.
struct BankErrors {
    std::vector<double> one_bank; ///< by band; empty if there are no long steps
    std::vector<double>
        film_shares; ///< by band: what the mean over all pixels has of it, the sum of the banks' squared shares
    std::vector<double> tile_shares; ///< by tile: what the mean of a pixel has of it

    double film_variance(std::size_t band) const { return one_bank.empty() ? 0 : one_bank[band] * film_shares[band]; }
    double pixel_variance(std::size_t tile, std::size_t band) const
    {
        return one_bank.empty() ? 0 : one_bank[band] * tile_shares[tile];
    }
};

/// By band, with w the banks' shares of the light, r their sums relative to what their samples would have brought at
/// the pixels' means, and v the variances of r that the pixels' own variances explain: sum w (r - 1)^2 / (1 - sum w^2)
/// has the expectation s + v, s being the square of one bank's error and v = sum w (1 - w) v / (1 - sum w^2). It is
/// taken for chi-square of 1 / sum w^2 - 1 degrees of freedom, and one_bank is the mean of s given it. A lone bank, or
/// pixels of one sample, tell nothing and leave the prior's mean, kPriorBankError squared; many banks of little noise
/// leave nothing of the prior.
BankErrors measure_bank_errors(Film const& film);

/// What all pixels of a layer of film_to_image have in common: the variance of its mean from banks, relative to the
/// mean's square. R, G and B of bands with wavelengths have the bands' average. Empty without long steps.
std::map<std::string, double> list_shared_variances(Film const& film);

} // namespace volpt
