#include "libvolpt/colour/colour_noise.h"

#include "libvolpt/colour/delta_e.h"

#include <cmath>

namespace volpt {
namespace {

/// E sqrt(Q) of a quadratic form Q of normal variables from its mean and half its variance (Patnaik 1949).
double expect_root(double mean, double half_variance)
{
    if (!(mean > 0)) return mean; // 0 or NaN
    double const degrees = mean * mean / half_variance;
    return std::sqrt(2 * mean / degrees) * std::tgamma((degrees + 1) / 2) / std::tgamma(degrees / 2);
}

double dot(Triple const& a, Triple const& b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Derivatives of L*, a*, b* by the value of each band.
using BandSlopes = std::vector<Triple>;

/// Not below 0 by rounding; NaN stays.
double clip_negative(double value)
{
    return value < 0 ? 0 : value;
}

/// Adds what the covariance of two bands gives that of L*a*b*.
void add_covariance(Matrix3& sum, Triple const& a, Triple const& b, double of_bands)
{
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) sum[i][j] += a[i] * b[j] * of_bands;
}

void propagate_covariance(Matrix3 const& of_lab, Matrix3 const& metric, NoisyColour& colour)
{
    for (std::size_t i = 0; i < 3; ++i) colour.lab_error[i] = std::sqrt(clip_negative(of_lab[i][i]));
    Matrix3 const form = metric * of_lab;
    Matrix3 const square = form * form;
    colour.de2000 =
        expect_root(clip_negative(form[0][0] + form[1][1] + form[2][2]), square[0][0] + square[1][1] + square[2][2]);
}

/// Upper bounds: |covariance| is at most the product of the standard errors.
void propagate_shared(BandSlopes const& slopes, std::span<double const> variances, Matrix3 const& metric,
                      NoisyColour& colour)
{
    colour.lab_error = {};
    double mean_square = 0;
    for (std::size_t a = 0; a < slopes.size(); ++a) {
        double const error = std::sqrt(variances[a]);
        for (std::size_t i = 0; i < 3; ++i) colour.lab_error[i] += std::abs(slopes[a][i]) * error;
        Triple const turned = metric * slopes[a];
        for (std::size_t b = 0; b < slopes.size(); ++b)
            mean_square += std::abs(dot(turned, slopes[b])) * error * std::sqrt(variances[b]);
    }
    colour.de2000 = std::sqrt(mean_square);
}

/// A colour without noise, and what its noise follows from.
struct LinearColour {
    NoisyColour colour{};
    BandSlopes slopes;
    Matrix3 metric;
};

LinearColour linearize(std::span<Triple const> weights, std::span<double const> values)
{
    LinearColour result;
    NoisyColour& colour = result.colour;
    for (std::size_t band = 0; band < weights.size(); ++band)
        for (std::size_t i = 0; i < 3; ++i) colour.xyz[i] += weights[band][i] * values[band];
    colour.lab = to_lab(colour.xyz);
    Matrix3 const by_xyz = differentiate_lab(colour.xyz);
    result.slopes.reserve(weights.size());
    for (Triple const& weight : weights) result.slopes.push_back(by_xyz * weight);
    result.metric = differentiate_de2000(colour.lab);
    return result;
}

} // namespace

NoisyColour propagate_noise(std::span<Triple const> weights, std::span<double const> values,
                            std::span<double const> variances, BandNoise noise)
{
    LinearColour linear = linearize(weights, values);
    if (noise == BandNoise::shared && weights.size() > 1) {
        propagate_shared(linear.slopes, variances, linear.metric, linear.colour);
        return linear.colour;
    }
    Matrix3 of_lab{};
    for (std::size_t band = 0; band < weights.size(); ++band)
        add_covariance(of_lab, linear.slopes[band], linear.slopes[band], variances[band]);
    propagate_covariance(of_lab, linear.metric, linear.colour);
    return linear.colour;
}

NoisyColour propagate_noise(std::span<Triple const> weights, std::span<double const> values,
                            std::span<double const> variances, Matrix3 const& covariance)
{
    LinearColour linear = linearize(weights, values);
    Matrix3 of_lab{};
    for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t b = 0; b < 3; ++b)
            add_covariance(of_lab, linear.slopes[a], linear.slopes[b],
                           covariance[a][b] * std::sqrt(variances[a] * variances[b]));
    propagate_covariance(of_lab, linear.metric, linear.colour);
    return linear.colour;
}

} // namespace volpt
