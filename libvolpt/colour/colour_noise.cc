// First-order propagation from bands to L*a*b* and to CIEDE2000.
#include "libvolpt/colour/colour_noise.h"

#include <cmath>
#include <numbers>

namespace volpt {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

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

/// Derivative of L*a*b* by one band.
using BandSlopes = std::vector<Triple>;

void propagate_independent(BandSlopes const& slopes, std::span<double const> variances, Matrix3 const& metric,
                           NoisyColour& colour)
{
    Matrix3 covariance{};
    for (std::size_t band = 0; band < slopes.size(); ++band)
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) covariance[i][j] += slopes[band][i] * slopes[band][j] * variances[band];
    for (std::size_t i = 0; i < 3; ++i) colour.lab_error[i] = std::sqrt(covariance[i][i]);
    Matrix3 const form = metric * covariance;
    Matrix3 const square = form * form;
    colour.de2000 = expect_root(form[0][0] + form[1][1] + form[2][2], square[0][0] + square[1][1] + square[2][2]);
}

/// |covariance| is at most the product of the standard errors.
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

} // namespace

Matrix3 differentiate_de2000(Triple const& lab)
{
    double const chroma_ab = std::hypot(lab[1], lab[2]);
    auto const share = [](double chroma) { return std::sqrt(1 / (1 + std::pow(25 / chroma, 7))); };
    // Both colours of a pair are stretched by the same factor, so its derivative plays no part.
    double const stretch = 1 + 0.5 * (1 - share(chroma_ab));
    double const a = stretch * lab[1], b = lab[2];
    double const chroma = std::hypot(a, b), hue = std::atan2(b, a) / kDegree;
    double const weight = 1 - 0.17 * std::cos((hue - 30) * kDegree) + 0.24 * std::cos(2 * hue * kDegree) +
                          0.32 * std::cos((3 * hue + 6) * kDegree) - 0.20 * std::cos((4 * hue - 63) * kDegree);
    double const lightness2 = (lab[0] - 50) * (lab[0] - 50);
    double const scale_l = 1 + 0.015 * lightness2 / std::sqrt(20 + lightness2);
    double const scale_c = 1 + 0.045 * chroma, scale_h = 1 + 0.015 * chroma * weight;
    double const off_blue = ((hue < 0 ? hue + 360 : hue) - 275) / 25;
    double const twist = -2 * share(chroma) * std::sin(60 * kDegree * std::exp(-off_blue * off_blue));
    // Steps of chroma and hue per step of a* and b*; along no hue, which steps they are makes no difference.
    double const cosine = chroma > 0 ? a / chroma : 1, sine = chroma > 0 ? b / chroma : 0;
    Triple const to_c{0, stretch * cosine / scale_c, sine / scale_c},
        to_h{0, -stretch * sine / scale_h, cosine / scale_h};
    Matrix3 metric{};
    metric[0][0] = 1 / (scale_l * scale_l);
    for (std::size_t i = 1; i < 3; ++i)
        for (std::size_t j = 1; j < 3; ++j)
            metric[i][j] =
                to_c[i] * to_c[j] + to_h[i] * to_h[j] + 0.5 * twist * (to_c[i] * to_h[j] + to_h[i] * to_c[j]);
    return metric;
}

NoisyColour propagate_noise(std::span<Triple const> weights, std::span<double const> values,
                            std::span<double const> variances, BandNoise noise)
{
    NoisyColour colour{};
    for (std::size_t band = 0; band < weights.size(); ++band)
        for (std::size_t i = 0; i < 3; ++i) colour.xyz[i] += weights[band][i] * values[band];
    colour.lab = to_lab(colour.xyz);
    Matrix3 const by_xyz = differentiate_lab(colour.xyz);
    BandSlopes slopes;
    slopes.reserve(weights.size());
    for (Triple const& weight : weights) slopes.push_back(by_xyz * weight);
    Matrix3 const metric = differentiate_de2000(colour.lab);
    bool const shared = noise == BandNoise::shared && weights.size() > 1;
    (shared ? propagate_shared : propagate_independent)(slopes, variances, metric, colour);
    return colour;
}

} // namespace volpt
