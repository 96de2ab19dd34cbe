// The test of a single value: how unlikely the difference of two noisy means is if both have the same expectation. With
// the tails and quantiles of the distributions that this and the other tests need.
#pragma once

namespace volpt {

/// A mean over samples.
struct NoisyValue {
    double mean;
    double variance; ///< of the mean; 0 for an exact value
    double samples;  ///< infinite for an exact value or an unknown number
};

struct NoisyDifference {
    double difference;
    double variance; ///< sum of both variances, without bias, as sums over pixels need it
    double z;        ///< the standard normal value that is as unlikely under equal expectations
};

/// z is the less significant one of two tests: Welch's t (1947), which allows for different variances, and the
/// permutation test (Pitman 1937), which holds for any distribution if it is the same on both sides. If a number of
/// samples is unknown, it is Welch's with an exact variance. Values are floats; their rounding counts as noise, so that
/// equal constants computed in two ways pass.
NoisyDifference subtract(NoisyValue test, NoisyValue reference);

/// Difference over standard deviation; infinite for a difference without noise.
double divide_by_deviation(double difference, double variance);

/// Probability that a standard normal value is farther from 0 than z.
double two_sided_normal(double z);
/// The z for which two_sided_normal(z) is p, 0 < p < 1.
double two_sided_quantile(double p);
/// Probability that a chi-square value with this number of degrees of freedom exceeds x >= 0.
double chi_squared_tail(double x, double degrees);
/// The standard normal value as far in the tail as t is in Student's distribution (Wallace 1959). It errs towards 0 at
/// very few degrees of freedom: by 8 % at 2, by less than 1 % from 10.
double normal_from_student(double t, double degrees);
/// The standard normal value as far in the upper tail as z >= 0 is in a distribution of mean 0, variance 1 and this
/// skewness >= 0 (Wilson and Hilferty 1931); never more than z.
double normal_from_skewed(double z, double skewness);

} // namespace volpt
