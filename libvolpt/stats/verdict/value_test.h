// The test of a single value: two noisy numbers, how sure they differ.
#pragma once

#include "libvolpt/stats/verdict/distributions.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace volpt {

/// A mean over samples.
struct NoisyValue {
    double mean;
    double variance; ///< of the mean; 0 for an exact value
    double samples;  ///< infinite for an exact value or an unknown number
};

/// A difference of two of them.
struct NoisyDifference {
    double difference;
    double variance; ///< sum of both, without bias: what sums over pixels need
    double z;        ///< the standard normal value that is as unlikely, if both have the same expectation
};

/// A difference that no noise explains is infinitely many deviations.
inline double divide_by_deviation(double difference, double variance)
{
    if (difference == 0) return 0;
    return variance > 0 ? difference / std::sqrt(variance)
                        : std::copysign(std::numeric_limits<double>::infinity(), difference);
}

/// Under equal expectation, an upper guess of the skewness of the difference, which cancels at equal counts. Radiance
/// is not negative: with c, deviation over mean, two-point values {0, a} have the skewness c - 1/c, exponential ones 2
/// c.
inline double guess_skewness(NoisyValue test, NoisyValue reference, double sample_variance)
{
    double const mean =
        (test.mean * test.samples + reference.mean * reference.samples) / (test.samples + reference.samples);
    double const relative = mean > 0 ? std::sqrt(sample_variance) / mean : 1;
    double const inverse_test = 1 / test.samples, inverse_reference = 1 / reference.samples;
    return 2 * std::max(1.0, relative) * std::abs(inverse_test * inverse_test - inverse_reference * inverse_reference) /
           std::pow(inverse_test + inverse_reference, 1.5);
}

/// Variance of the difference over all ways to deal the samples of both to the two sides (Pitman 1937): about their
/// common mean, hence also right where one side has few samples and by chance no bright one among them, and where
/// samples take few values.
struct Permutation {
    double sample_variance;
    double variance;
};
inline Permutation permute(NoisyValue test, NoisyValue reference)
{
    double const samples = test.samples + reference.samples, difference = test.mean - reference.mean;
    double const squares = (test.samples - 1) * test.variance * test.samples +
                           (reference.samples - 1) * reference.variance * reference.samples +
                           test.samples * reference.samples / samples * difference * difference;
    double const sample_variance = squares / (samples - 1);
    return {sample_variance, sample_variance * (1 / test.samples + 1 / reference.samples)};
}

/// z is the least sure of two tests: Welch's t (1947), which knows that variances may differ, and the permutation test,
/// which holds for any distribution if it is the same on both sides. Where a count is unknown it is Welch's with an
/// exact variance. Values are floats, and their rounding counts as noise, so that equal constants computed in two ways
/// pass.
inline NoisyDifference subtract(NoisyValue test, NoisyValue reference)
{
    constexpr double kRounding = 0x1p-24 * 0x1p-24;
    double const rounding = kRounding * (test.mean * test.mean + reference.mean * reference.mean);
    double const noise = test.variance + reference.variance;
    NoisyDifference result{test.mean - reference.mean, noise + rounding, 0};
    result.z = divide_by_deviation(result.difference, result.variance);
    if (result.z == 0) return result;
    double size = std::abs(result.z);
    double const degrees = noise * noise /
                           (test.variance * test.variance / (test.samples - 1) +
                            reference.variance * reference.variance / (reference.samples - 1));
    if (std::isfinite(degrees) && std::isfinite(size)) size = normal_from_student(size, degrees);
    if (std::isfinite(test.samples) && std::isfinite(reference.samples)) {
        Permutation const permutation = permute(test, reference);
        size = std::min(size, std::abs(divide_by_deviation(result.difference, permutation.variance + rounding)));
        size = normal_from_skewed(size, guess_skewness(test, reference, permutation.sample_variance));
    }
    result.z = std::copysign(size, result.z);
    return result;
}

} // namespace volpt
