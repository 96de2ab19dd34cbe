#include "libvolpt/stats/convergence/convergence_fit.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace volpt {
namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

/// Everything that is fitted, of one set of blocks.
struct Numbers {
    std::vector<double> squares, slopes;
    double slope_samples = kUnknown, slope_time = kUnknown, floor_share = kUnknown, noise_share = kUnknown;
};

double sum_without(std::vector<double> const& values, std::size_t left_out)
{
    double sum = 0;
    for (std::size_t block = 0; block < values.size(); ++block)
        if (block != left_out) sum += values[block];
    return sum;
}

/// Least squares of log(square) / 2 over log(x).
double fit_slope(std::vector<double> const& xs, std::vector<double> const& squares)
{
    double mean_x = 0, mean_y = 0, square = 0, product = 0;
    auto const count = static_cast<double>(xs.size());
    for (std::size_t i = 0; i < xs.size(); ++i) {
        mean_x += std::log(xs[i]) / count;
        mean_y += std::log(squares[i]) / 2 / count;
    }
    for (std::size_t i = 0; i < xs.size(); ++i) {
        double const apart = std::log(xs[i]) - mean_x;
        square += apart * apart;
        product += apart * (std::log(squares[i]) / 2 - mean_y);
    }
    return square > 0 ? product / square : kUnknown;
}

NoiseRelation resolve(NoiseRelation relation, NoiseRelation assumed)
{
    return relation == NoiseRelation::unknown ? assumed : relation;
}

/// D, corrected by v, or by the reference's samples with this slope.
double correct(double difference, double reference_noise, double sample_ratio, NoiseRelation relation, double slope)
{
    if (!std::isnan(reference_noise))
        return relation == NoiseRelation::part ? difference + reference_noise : difference - reference_noise;
    if (relation == NoiseRelation::unknown || std::isnan(sample_ratio)) return difference;
    double const share = std::pow(sample_ratio, -2 * slope);
    return difference / (relation == NoiseRelation::part ? 1 - share : 1 + share);
}

/// Of positive squares: a and c of a / samples + c over the last square, by relative residuals.
void fit_floor(std::vector<double> const& samples, Numbers& numbers)
{
    double uu = 0, uw = 0, ww = 0, u1 = 0, w1 = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        double const w = numbers.squares.back() / numbers.squares[i], u = w * samples.back() / samples[i];
        uu += u * u, uw += u * w, ww += w * w, u1 += u, w1 += w;
    }
    double const determinant = uu * ww - uw * uw;
    if (!(determinant > 1e-12 * uu * ww)) return;
    numbers.noise_share = (u1 * ww - w1 * uw) / determinant;
    numbers.floor_share = (uu * w1 - uw * u1) / determinant;
}

Numbers fit_without(MeasuredSquares const& squares, NoiseRelation assumed, std::size_t left_out)
{
    double const count = sum_without(squares.counts, left_out);
    double const noise =
        squares.reference_noise.empty() ? kUnknown : sum_without(squares.reference_noise, left_out) / count;
    std::vector<double> samples, seconds;
    for (PointSquares const& point : squares.points) {
        samples.push_back(point.samples);
        seconds.push_back(point.seconds);
    }
    Numbers numbers;
    numbers.slope_samples = -0.5;
    // The correction depends on the slope, and the slope on the correction, by less each time.
    constexpr int kMostRounds = 100;
    for (int round = 0; round < kMostRounds; ++round) {
        double const slope = std::clamp(numbers.slope_samples, -2.0, -0.05);
        numbers.squares.clear();
        for (PointSquares const& point : squares.points)
            numbers.squares.push_back(correct(sum_without(point.differences, left_out) / count, noise,
                                              point.samples / squares.reference_samples,
                                              resolve(point.relation, assumed), slope));
        double const before = numbers.slope_samples;
        numbers.slope_samples = fit_slope(samples, numbers.squares);
        if (!(std::abs(numbers.slope_samples - before) > 1e-10)) break;
    }
    numbers.slope_time = fit_slope(seconds, numbers.squares);
    numbers.slopes.push_back(kUnknown);
    for (std::size_t i = 1; i < samples.size(); ++i)
        numbers.slopes.push_back(fit_slope({samples[i - 1], samples[i]}, {numbers.squares[i - 1], numbers.squares[i]}));
    fit_floor(samples, numbers);
    return numbers;
}

/// The delete-one jackknife (Tukey 1958): sqrt((n - 1) / n sum of (x_i - mean)^2).
Estimate estimate(Numbers const& whole, std::vector<Numbers> const& parts,
                  std::function<double(Numbers const&)> const& pick)
{
    auto const n = static_cast<double>(parts.size());
    double mean = 0, sum = 0;
    for (Numbers const& part : parts) mean += pick(part) / n;
    for (Numbers const& part : parts) sum += (pick(part) - mean) * (pick(part) - mean);
    return {pick(whole), n < 2 ? kUnknown : std::sqrt((n - 1) / n * sum)};
}

} // namespace

ConvergenceFit fit_convergence(MeasuredSquares const& squares, NoiseRelation assumed)
{
    Numbers const whole = fit_without(squares, assumed, kNone);
    std::vector<Numbers> parts;
    for (std::size_t block = 0; block < squares.counts.size(); ++block)
        if (squares.counts[block] > 0) parts.push_back(fit_without(squares, assumed, block));
    ConvergenceFit fit;
    for (std::size_t i = 0; i < whole.squares.size(); ++i) {
        fit.errors.push_back(whole.squares[i] > 0 ? std::sqrt(whole.squares[i]) : kUnknown);
        fit.slopes.push_back(estimate(whole, parts, [&](Numbers const& numbers) { return numbers.slopes[i]; }));
    }
    fit.slope_samples = estimate(whole, parts, [](Numbers const& numbers) { return numbers.slope_samples; });
    fit.slope_time = estimate(whole, parts, [](Numbers const& numbers) { return numbers.slope_time; });
    fit.floor_share = estimate(whole, parts, [](Numbers const& numbers) { return numbers.floor_share; });
    fit.noise_share = whole.noise_share;
    return fit;
}

} // namespace volpt
