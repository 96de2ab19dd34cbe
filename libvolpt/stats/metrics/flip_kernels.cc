// Samples the filters of Andersson et al. 2020, sections 4.1.1 and 4.2.1, as products of one-dimensional ones.
#include "libvolpt/stats/metrics/flip_kernels.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace volpt {
namespace {

constexpr double kPi = std::numbers::pi;
/// Table 1 of the paper: a sqrt(pi / b) exp(-pi^2 x^2 / b), x in degrees.
struct Sensitivity {
    double a, b;
};
constexpr Sensitivity kLuminance{1, 0.0047}, kRedGreen{1, 0.0053}, kBlueYellow1{34.1, 0.04}, kBlueYellow2{13.5, 0.025};
constexpr double kFeatureWidthDegrees = 0.082;

/// The factor whose product with itself across is the two-dimensional filter.
std::vector<double> sample(Sensitivity s, int radius, double pixels_per_degree)
{
    std::vector<double> weights;
    for (int x = -radius; x <= radius; ++x) {
        double const degrees = x / pixels_per_degree;
        weights.push_back(std::sqrt(s.a * std::sqrt(kPi / s.b)) * std::exp(-kPi * kPi * degrees * degrees / s.b));
    }
    return weights;
}

double sum_of(std::vector<double> const& weights)
{
    double sum = 0;
    for (double const weight : weights) sum += weight;
    return sum;
}

Kernel scale(std::vector<double> const& weights, double divisor)
{
    Kernel kernel;
    for (double const weight : weights) kernel.push_back(static_cast<float>(weight / divisor));
    return kernel;
}

/// Zeros on both sides up to `radius`.
std::vector<double> widen(std::vector<double> weights, int radius)
{
    auto const missing = static_cast<std::size_t>(radius) - weights.size() / 2;
    weights.insert(weights.begin(), missing, 0.0);
    weights.insert(weights.end(), missing, 0.0);
    return weights;
}

Kernel balance(std::vector<double> const& weights)
{
    double positive = 0, negative = 0;
    for (double const weight : weights) (weight > 0 ? positive : negative) += std::abs(weight);
    Kernel kernel;
    for (double const weight : weights)
        kernel.push_back(static_cast<float>(weight == 0 ? 0 : weight / (weight > 0 ? positive : negative)));
    return kernel;
}

} // namespace

FlipKernels make_flip_kernels(double pixels_per_degree)
{
    double const deviation = 0.5 * kFeatureWidthDegrees * pixels_per_degree;
    int const feature_radius = static_cast<int>(std::ceil(3 * deviation));
    int const colour_radius =
        static_cast<int>(std::ceil(3 * std::sqrt(kBlueYellow1.b / (2 * kPi * kPi)) * pixels_per_degree));
    FlipKernels kernels;
    kernels.radius = std::max(feature_radius, colour_radius);

    auto const colour = [&](Sensitivity s) {
        return widen(sample(s, colour_radius, pixels_per_degree), kernels.radius);
    };
    kernels.luminance = scale(colour(kLuminance), sum_of(colour(kLuminance)));
    kernels.red_green = scale(colour(kRedGreen), sum_of(colour(kRedGreen)));
    auto const wide = colour(kBlueYellow1), narrow = colour(kBlueYellow2);
    double const total = std::sqrt(sum_of(wide) * sum_of(wide) + sum_of(narrow) * sum_of(narrow));
    kernels.blue_yellow_wide = scale(wide, total);
    kernels.blue_yellow_narrow = scale(narrow, total);

    std::vector<double> gauss, edge, point;
    for (int x = -feature_radius; x <= feature_radius; ++x) {
        gauss.push_back(std::exp(-x * x / (2 * deviation * deviation)));
        edge.push_back(-x * gauss.back());
        point.push_back((x * x / (deviation * deviation) - 1) * gauss.back());
    }
    kernels.gauss = scale(widen(gauss, kernels.radius), sum_of(gauss));
    kernels.edge = balance(widen(edge, kernels.radius));
    kernels.point = balance(widen(point, kernels.radius));
    return kernels;
}

} // namespace volpt
