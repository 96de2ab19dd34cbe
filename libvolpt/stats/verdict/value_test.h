// How unlikely the difference of two noisy means is if both have the same expectation: of a single value, and of a sum
// of values. With the tails and quantiles of the distributions that these tests need.
#pragma once

namespace volpt {

/// A mean over samples.
struct NoisyValue {
    double mean;
    double variance; ///< of the mean; 0 for an exact value
    double samples;  ///< infinite for an exact value or an unknown number
};

/// A difference of noisy values, or a sum of independent ones, with its moments under equal expectations; all but the
/// skewness, which is an upper estimate, without bias. Values are floats; their rounding counts as noise, so that equal
/// constants computed in two ways pass.
struct NoisyDifference {
    double difference = 0;
    double variance = 0; ///< the sum of both sides' own, which is too small if a side missed rare bright samples
    /// About the common mean of both sides' samples, as the permutation test has it; right wherever both have the same
    /// distribution. Equal to `variance` if a number of samples is unknown.
    double pooled_variance = 0;
    /// Positive if the test's side has fewer samples, hence the longer upper tail; 0 at equal or unknown numbers.
    double third_cumulant = 0;
    double variance_scatter = 0; ///< variance^2 over the degrees of freedom of Welch and Satterthwaite

    void add(NoisyDifference const& other);
};
NoisyDifference subtract(NoisyValue test, NoisyValue reference);

/// The standard normal value as unlikely as the difference of two values is under equal expectations, by the less
/// significant one of two tests: Welch's t (1947), which allows for different variances, and the permutation test
/// (Pitman 1937), which holds for any distribution if it is the same on both sides. If a number of samples is unknown,
/// it is Welch's with an exact variance.
double test_value(NoisyValue test, NoisyValue reference);
/// The same for a sum over many values, of which the moments are known, by Welch's t and the pooled variance.
double test_sum(NoisyDifference const& sum);

/// A side of a region: the sum of its means, and what a contribution adds to it. Of N contributions of sizes x, `size`
/// is (sum of x^2) / (sum of x): the variance over the mean, so that `sum` is that of sum / size equal ones (effective
/// number: Kish 1965; Bohm and Zech 2014). 0 for an exact side.
struct Contributions {
    double sum;
    double size;
};
/// The common expectation of both sides, if they have the same, each weighted by how many contributions it has for the
/// same light. pool_sums / size is the number that a side is expected to have. Given the pooled sum, the difference of
/// Poisson counts does not depend on it: to test only where it suffices raises no false alarm. 0 if neither is known.
double pool_sums(Contributions test, Contributions reference);
/// The signed standard normal value of the difference of the two by the likelihood ratio of two Poisson counts (Li and
/// Ma 1983, equation 17). It holds for few contributions, of which a side's own variance says little. Infinite for two
/// exact sides that differ.
double test_contributions(Contributions test, Contributions reference);

/// Around `difference`: how far the true difference may lie below and above it, where test_sum gives `z` at most.
struct ConfidenceInterval {
    double low, high;
};
ConfidenceInterval find_interval(NoisyDifference const& sum, double z);

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
/// The inverse.
double student_from_normal(double normal, double degrees);
/// The standard normal value as far in the upper tail as z >= 0 is in a distribution of mean 0, variance 1 and this
/// skewness >= 0 (Wilson and Hilferty 1931); never more than z.
double normal_from_skewed(double z, double skewness);
/// The inverse; never less than `normal`.
double skewed_from_normal(double normal, double skewness);

} // namespace volpt
