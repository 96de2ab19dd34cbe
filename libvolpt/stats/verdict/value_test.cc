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

constexpr double kRounding = 0x1p-24 * 0x1p-24;

/// Moments of one sample of both sides together.
struct PooledSample {
    double variance;
    double third_cumulant; ///< an upper estimate
};

/// Over all ways to divide the samples of both sides among the two: about their common mean, hence also right where one
/// side has few samples and by chance no bright one, and where samples take few values. Radiance is not negative: with
/// c, deviation over mean, two-point values {0, a} have the skewness c - 1/c, exponential ones 2 c.
PooledSample pool_samples(NoisyValue test, NoisyValue reference)
{
    double const samples = test.samples + reference.samples, difference = test.mean - reference.mean;
    double const squares = (test.samples - 1) * test.variance * test.samples +
                           (reference.samples - 1) * reference.variance * reference.samples +
                           test.samples * reference.samples / samples * difference * difference;
    double const variance = squares / (samples - 1), deviation = std::sqrt(variance);
    double const mean = (test.mean * test.samples + reference.mean * reference.samples) / samples;
    return {variance, 2 * variance * std::max(deviation, mean > 0 ? variance / mean : deviation)};
}

bool have_counts(NoisyValue test, NoisyValue reference)
{
    return std::isfinite(test.samples) && std::isfinite(reference.samples);
}

double find_degrees(NoisyDifference const& difference)
{
    return difference.variance * difference.variance / difference.variance_scatter;
}

/// Towards 0 if `variance_scatter` tells of few degrees of freedom.
double find_student_size(NoisyDifference const& difference)
{
    double const size = std::abs(divide_by_deviation(difference.difference, difference.variance)),
                 degrees = find_degrees(difference);
    return std::isfinite(degrees) && std::isfinite(size) ? normal_from_student(size, degrees) : size;
}

/// (1 + x) ln(1 + x) - x, without cancellation.
double find_deviance(double x)
{
    if (std::abs(x) < 1e-3) return x * x * (0.5 - x * (1.0 / 6 - x / 12));
    return x <= -1 ? 1 : (1 + x) * std::log1p(x) - x;
}

double find_skewness(NoisyDifference const& difference, double variance)
{
    return variance > 0 ? std::abs(difference.third_cumulant) / (variance * std::sqrt(variance)) : 0;
}

} // namespace

void NoisyDifference::add(NoisyDifference const& other)
{
    difference += other.difference;
    variance += other.variance;
    pooled_variance += other.pooled_variance;
    third_cumulant += other.third_cumulant;
    variance_scatter += other.variance_scatter;
}

NoisyDifference subtract(NoisyValue test, NoisyValue reference)
{
    double const rounding = kRounding * (test.mean * test.mean + reference.mean * reference.mean);
    NoisyDifference result;
    result.difference = test.mean - reference.mean;
    result.variance = result.pooled_variance = test.variance + reference.variance + rounding;
    result.variance_scatter = test.variance * test.variance / (test.samples - 1) +
                              reference.variance * reference.variance / (reference.samples - 1);
    if (!have_counts(test, reference)) return result;
    PooledSample const sample = pool_samples(test, reference);
    double const part = 1 / test.samples, other = 1 / reference.samples;
    result.pooled_variance = sample.variance * (part + other) + rounding;
    result.third_cumulant = sample.third_cumulant * (part * part - other * other);
    return result;
}

double test_value(NoisyValue test, NoisyValue reference)
{
    NoisyDifference const difference = subtract(test, reference);
    if (difference.difference == 0) return 0;
    double size = find_student_size(difference);
    if (have_counts(test, reference)) {
        size = std::min(size, std::abs(divide_by_deviation(difference.difference, difference.pooled_variance)));
        size = normal_from_skewed(size, find_skewness(difference, difference.pooled_variance));
    }
    return std::copysign(size, difference.difference);
}

double test_sum(NoisyDifference const& sum)
{
    double size = std::min(find_student_size(sum), std::abs(divide_by_deviation(sum.difference, sum.pooled_variance)));
    // The other tail is shorter than a normal one.
    if (sum.difference * sum.third_cumulant > 0)
        size = normal_from_skewed(size, find_skewness(sum, std::max(sum.variance, sum.pooled_variance)));
    return std::copysign(size, sum.difference);
}

ConfidenceInterval find_interval(NoisyDifference const& sum, double z)
{
    double const variance = std::max(sum.variance, sum.pooled_variance), degrees = find_degrees(sum);
    auto const find_half = [&](double normal) {
        double const t = std::isfinite(degrees) ? student_from_normal(normal, degrees) : normal;
        return std::max(t * std::sqrt(sum.variance), normal * std::sqrt(sum.pooled_variance));
    };
    double const longer = skewed_from_normal(z, find_skewness(sum, variance));
    return {sum.difference - find_half(sum.third_cumulant > 0 ? longer : z),
            sum.difference + find_half(sum.third_cumulant < 0 ? longer : z)};
}

double pool_sums(Contributions test, Contributions reference)
{
    if (test.size == 0) return reference.size == 0 ? 0.5 * (test.sum + reference.sum) : test.sum;
    if (reference.size == 0) return reference.sum;
    if (std::isinf(test.size) && std::isinf(reference.size)) return 0;
    return (test.sum / test.size + reference.sum / reference.size) / (1 / test.size + 1 / reference.size);
}

double test_contributions(Contributions test, Contributions reference)
{
    double const pooled = pool_sums(test, reference);
    if (test.sum == reference.sum) return 0;
    double const sign = test.sum > reference.sum ? 1 : -1;
    if (test.size == 0 && reference.size == 0) return sign * std::numeric_limits<double>::infinity();
    double squares = 0;
    for (Contributions const& side : {test, reference})
        if (side.size > 0) squares += 2 * pooled * find_deviance((side.sum - pooled) / pooled) / side.size;
    return sign * std::sqrt(squares);
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

double student_from_normal(double normal, double degrees)
{
    double const scaled = normal * (8 * degrees + 3) / (8 * degrees + 1);
    return std::copysign(std::sqrt(degrees * std::expm1(scaled * scaled / degrees)), normal);
}

double normal_from_skewed(double z, double skewness)
{
    if (skewness < 1e-6) return z;
    double const normal = 6 / skewness * (std::cbrt(1 + skewness * z / 2) - 1) + skewness / 6;
    return normal < z ? normal : z;
}

double skewed_from_normal(double normal, double skewness)
{
    if (skewness < 1e-6) return normal;
    double const root = 1 + skewness / 6 * (normal - skewness / 6);
    return std::max(normal, 2 / skewness * (root * root * root - 1));
}

} // namespace volpt
