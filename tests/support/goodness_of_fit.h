// Chi-square and Kolmogorov-Smirnov statistics that a test compares with a bound.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace volpt::test {

/// Pearson's chi-square of counts against expected probabilities (cells that expect fewer than 5 are pooled), as a
/// standard normal deviate: E. Wilson & M. Hilferty, The distribution of chi-square (1931). P(> 4) is 1 in 30,000.
inline double chi_square_deviate(std::span<double const> counts, std::span<double const> probabilities)
{
    double total = 0;
    for (double const count : counts) total += count;
    double chi2 = 0;
    double cells = 0;
    double pooled_count = 0;
    double pooled_expected = 0;
    auto const add = [&](double count, double expected) {
        chi2 += (count - expected) * (count - expected) / expected;
        cells += 1;
    };
    for (std::size_t i = 0; i < counts.size(); ++i) {
        double const expected = probabilities[i] * total;
        if (expected >= 5) {
            add(counts[i], expected);
        } else {
            pooled_count += counts[i];
            pooled_expected += expected;
        }
    }
    if (pooled_expected > 0 || pooled_count > 0) add(pooled_count, std::max(pooled_expected, 1e-9));
    double const freedom = cells - 1;
    return (std::cbrt(chi2 / freedom) - (1 - 2 / (9 * freedom))) / std::sqrt(2 / (9 * freedom));
}

/// The same for cells of equal probability.
inline double chi_square_deviate(std::span<double const> counts)
{
    return chi_square_deviate(counts, std::vector<double>(counts.size(), 1.0 / static_cast<double>(counts.size())));
}

/// Chi-square of two histograms of independent samples under the hypothesis that both have the same distribution, as a
/// standard normal deviate. Cells with fewer than 10 samples in both histograms together are pooled.
inline double compare_counts(std::span<double const> left, std::span<double const> right)
{
    double left_total = 0, right_total = 0;
    for (double const count : left) left_total += count;
    for (double const count : right) right_total += count;
    double chi2 = 0, cells = 0, left_rest = 0, right_rest = 0;
    auto const add = [&](double a, double b) {
        double const difference = a * std::sqrt(right_total / left_total) - b * std::sqrt(left_total / right_total);
        chi2 += difference * difference / (a + b);
        cells += 1;
    };
    for (std::size_t i = 0; i < left.size(); ++i) {
        if (left[i] + right[i] >= 10) {
            add(left[i], right[i]);
        } else {
            left_rest += left[i];
            right_rest += right[i];
        }
    }
    if (left_rest + right_rest > 0) add(left_rest, right_rest);
    double const freedom = cells - 1;
    return (std::cbrt(chi2 / freedom) - (1 - 2 / (9 * freedom))) / std::sqrt(2 / (9 * freedom));
}

/// sqrt(n) times the largest distance between the empirical distribution and `cdf`. P(> 1.95) is 1 in 1,000.
inline double kolmogorov_smirnov(std::vector<double> samples, std::function<double(double)> const& cdf)
{
    std::ranges::sort(samples);
    double const n = static_cast<double>(samples.size());
    double largest = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        double const p = cdf(samples[i]);
        double const below = static_cast<double>(i) / n;
        largest = std::max({largest, p - below, below + 1 / n - p});
    }
    return std::sqrt(n) * largest;
}

} // namespace volpt::test
