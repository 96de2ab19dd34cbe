// Boost.Math is used where the standard library has no function, and only in this file, as it is slow to compile.
#include "libvolpt/stats/verdict/value_test.h"

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <limits>
#include <numbers>

namespace volpt {
namespace {

/// Without promotion to long double, which takes twice the time and gains nothing here.
using Policy = boost::math::policies::policy<boost::math::policies::promote_double<false>>;

/// An upper estimate of the skewness of the difference under equal expectation; it cancels at equal counts. Radiance is
/// not negative: with c, deviation over mean, two-point values {0, a} have the skewness c - 1/c, exponential ones 2 c.
double estimate_skewness(NoisyValue test, NoisyValue reference, double sample_variance)
{
    double const mean =
        (test.mean * test.samples + reference.mean * reference.samples) / (test.samples + reference.samples);
    double const relative = mean > 0 ? std::sqrt(sample_variance) / mean : 1;
    double const inverse_test = 1 / test.samples, inverse_reference = 1 / reference.samples;
    return 2 * std::max(1.0, relative) * std::abs(inverse_test * inverse_test - inverse_reference * inverse_reference) /
           std::pow(inverse_test + inverse_reference, 1.5);
}

/// Variance of the difference over all ways to divide the samples of both sides among the two: about their common mean,
/// hence also right where one side has few samples and by chance no bright one, and where samples take few values.
struct Permutation {
    double sample_variance;
    double variance;
};
Permutation permute(NoisyValue test, NoisyValue reference)
{
    double const samples = test.samples + reference.samples, difference = test.mean - reference.mean;
    double const squares = (test.samples - 1) * test.variance * test.samples +
                           (reference.samples - 1) * reference.variance * reference.samples +
                           test.samples * reference.samples / samples * difference * difference;
    double const sample_variance = squares / (samples - 1);
    return {sample_variance, sample_variance * (1 / test.samples + 1 / reference.samples)};
}

} // namespace

NoisyDifference subtract(NoisyValue test, NoisyValue reference)
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
        size = normal_from_skewed(size, estimate_skewness(test, reference, permutation.sample_variance));
    }
    result.z = std::copysign(size, result.z);
    return result;
}

double divide_by_deviation(double difference, double variance)
{
    if (difference == 0) return 0;
    return variance > 0 ? difference / std::sqrt(variance)
                        : std::copysign(std::numeric_limits<double>::infinity(), difference);
}

double two_sided_normal(double z)
{
    return std::erfc(std::abs(z) / std::numbers::sqrt2);
}

double two_sided_quantile(double p)
{
    return boost::math::erfc_inv(p, Policy()) * std::numbers::sqrt2;
}

double chi_squared_tail(double x, double degrees)
{
    if (std::isinf(x)) return 0;
    return boost::math::gamma_q(degrees / 2, x / 2, Policy());
}

double normal_from_student(double t, double degrees)
{
    double const size = std::sqrt(degrees * std::log1p(t * t / degrees)) * (8 * degrees + 1) / (8 * degrees + 3);
    return std::copysign(size, t);
}

double normal_from_skewed(double z, double skewness)
{
    if (skewness < 1e-6) return z;
    double const normal = 6 / skewness * (std::cbrt(1 + skewness * z / 2) - 1) + skewness / 6;
    return normal < z ? normal : z;
}

} // namespace volpt
