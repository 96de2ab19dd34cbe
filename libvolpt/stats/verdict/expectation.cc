// z of every value and sums over blocks; from these the three kinds of test.
#include "libvolpt/stats/verdict/expectation.h"

#include "libvolpt/stats/verdict/regions/joined_pixels.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace volpt {
namespace {

/// d' C^-1 d of the blocks' differences d. Their covariance is C = diag(v) + e^2 m m', with the relative error e that
/// all blocks share and their sums m, about equal on both sides (inverse: Sherman & Morrison 1950). v is the variance
/// of a normal distribution in which d is as unlikely as the block's test finds it.
class BlockTest {
public:
    explicit BlockTest(double shared_variance) : shared_(shared_variance) {}

    void add(TestedBlock const& block)
    {
        double const difference = block.region.difference.difference, z = block.test.z,
                     sum = 0.5 * block.region.light();
        squares_ += z * z;
        if (shared_ == 0 || std::isinf(z)) return;
        double const deviations = z / difference; // of which the difference is z
        along_ += sum * z * deviations;
        length_ += sum * sum * deviations * deviations;
    }
    double chi_squared() const { return squares_ - find_common_error() * along_; }
    /// z of a block without the error that all blocks have in common, as estimated from all that were added.
    double find_residual(TestedBlock const& block) const
    {
        double const difference = block.region.difference.difference, z = block.test.z;
        if (shared_ == 0 || difference == 0 || std::isinf(z)) return z;
        return z - find_common_error() * 0.5 * block.region.light() * z / difference;
    }

private:
    double find_common_error() const { return shared_ == 0 ? 0 : along_ / (1 / shared_ + length_); }

    double shared_;
    double squares_ = 0, along_ = 0, length_ = 0;
};

bool is_tested(TestedBlock const& block)
{
    return block.region.values > 0 && block.test.has_enough();
}

/// The normal value that of `count` independent ones the largest by magnitude exceeds with this probability.
double find_limit(double alpha, std::uint64_t count)
{
    return two_sided_quantile(-std::expm1(std::log1p(-alpha) / static_cast<double>(count))); // Sidak 1967
}

/// Probability that the largest of `count` independent normal values exceeds z by magnitude.
double find_largest_p(double z, std::uint64_t count)
{
    return -std::expm1(static_cast<double>(count) * std::log1p(-std::min(two_sided_normal(z), 1 - 1e-16)));
}

void keep_larger(float& mapped, float z)
{
    if (std::isnan(mapped) || std::abs(z) > std::abs(mapped)) mapped = z;
}

void paint_square(std::vector<float>& map, int width, PixelSquare const& square, float z)
{
    int const height = static_cast<int>(map.size()) / width;
    for (int y = square.y; y < std::min(square.y + square.edge, height); ++y)
        for (int x = square.x; x < std::min(square.x + square.edge, width); ++x)
            keep_larger(
                map[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)], z);
}

/// The sum of squares over blocks, and the largest of them and of their quarters.
void test_blocks(ChannelTest const& channel, int width, ChannelEffect& effect, std::vector<float>& block_map)
{
    BlockTest test(channel.noise.shared_test + channel.noise.shared_reference);
    for (TestedBlock const& block : channel.blocks) {
        // A background without noise tests nothing.
        if (!is_tested(block) || block.region.difference.difference == 0) continue;
        test.add(block);
        ++effect.blocks;
    }
    effect.chi_squared = test.chi_squared();
    if (effect.blocks > 0) effect.blocks_p = chi_squared_tail(effect.chi_squared, static_cast<double>(effect.blocks));
    std::uint64_t tested = 0;
    for (auto const* const blocks : {&channel.blocks, &channel.halves})
        for (TestedBlock const& block : *blocks) {
            if (!is_tested(block)) continue;
            double const z = test.find_residual(block);
            ++tested;
            if (blocks == &channel.blocks) paint_square(block_map, width, block.square, static_cast<float>(z));
            if (std::abs(z) <= std::abs(effect.block_z)) continue;
            effect.block_z = z;
            effect.block = block.square;
        }
    if (tested > 0) effect.block_p = find_largest_p(effect.block_z, tested);
}

/// The value that half of the light is at or above; 0 if there is none.
double find_median(std::vector<std::pair<double, double>> values_and_light)
{
    std::ranges::sort(values_and_light, std::greater<>());
    double light = 0, seen = 0;
    for (auto const& [value, weight] : values_and_light) light += weight;
    for (auto const& [value, weight] : values_and_light)
        if ((seen += weight) >= 0.5 * light) return value;
    return 0;
}

/// Relative shift of a quarter of a block that is found in 95 of 100 pairs, at this alpha for the largest of them.
double find_block_shift(ChannelTest const& channel, double alpha)
{
    constexpr double kNormal95 = 1.645;
    std::uint64_t const tested = static_cast<std::uint64_t>(std::ranges::count_if(channel.halves, is_tested) +
                                                            std::ranges::count_if(channel.blocks, is_tested));
    if (tested == 0) return std::numeric_limits<double>::infinity();
    double const needed = find_limit(alpha, tested) + kNormal95;
    std::vector<std::pair<double, double>> resolutions; // inverse of the shift
    for (TestedBlock const& block : channel.halves) {
        NoisyDifference const difference = channel.noise.correlate(block.region);
        double const deviation = std::sqrt(std::max(difference.variance, difference.pooled_variance));
        if (block.region.values > 0)
            resolutions.emplace_back(is_tested(block) ? 0.5 * block.region.light() / (needed * deviation) : 0,
                                     std::abs(block.region.light()));
    }
    return 1 / find_median(std::move(resolutions));
}

/// The variance of the sum over all pixels of a side; `is_whole`: these are all of the image.
double find_sum_variance(RegionSide const& side, NoisyChannel const& channel, double values, bool is_whole)
{
    if (is_whole && !std::isnan(channel.mean_variance())) return channel.mean_variance() * values * values;
    return side.find_variance(channel.pixel_noise());
}

void set_variance(RegionSide& side, double variance, NoisyDifference& difference)
{
    double const change = variance - side.variance;
    if (change == 0) return;
    difference.variance = std::max(0.0, difference.variance + change);
    difference.pooled_variance = std::max(0.0, difference.pooled_variance + change);
    difference.variance_scatter += variance * variance / (side.samples - 1);
    side.variance = variance;
    side.deviation = std::sqrt(variance);
}

void test_means(ChannelTest const& channel, NoisyChannel const& test, NoisyChannel const& reference, double alpha,
                ChannelEffect& effect)
{
    Region all = channel.all;
    if (all.values == 0) return;
    bool const is_whole = all.values == static_cast<double>(channel.z.size());
    set_variance(all.test, find_sum_variance(all.test, test, all.values, is_whole), all.difference);
    set_variance(all.reference, find_sum_variance(all.reference, reference, all.values, is_whole), all.difference);
    ChannelNoise noise = channel.noise;
    noise.test = noise.reference = PixelNoise::independent; // the variances are those of the sums
    NoisyDifference const difference = noise.complete(all);
    effect.test_mean = all.test.sum / all.values;
    effect.reference_mean = all.reference.sum / all.values;
    ConfidenceInterval const interval = find_interval(difference, two_sided_quantile(alpha));
    effect.difference = difference.difference / all.values;
    effect.low = interval.low / all.values;
    effect.high = interval.high / all.values;
    effect.relative_difference = effect.difference / effect.reference_mean;
    RegionTest const result = noise.test_region(all, test_sum(difference), noise.find_sizes_around(all, all));
    effect.z = result.z;
    if (result.has_enough()) effect.mean_p = two_sided_normal(effect.z);
}

/// Adds the channel's z to map, histogram and largest value.
void collect(ChannelTest const& channel, std::string const& name, ExpectationComparison& comparison)
{
    for (std::size_t i = 0; i < channel.z.size(); ++i)
        if (!std::isnan(channel.z[i])) keep_larger(comparison.z_map[i], channel.z[i]);
    comparison.values_tested += channel.values.size();
    comparison.values_joined += channel.joined;
    comparison.values_without_noise += channel.z.size() - static_cast<std::size_t>(channel.usable);
    for (float const z : channel.values) {
        double const value = static_cast<double>(z);
        if (value == 0) continue; // equal, such as a background without noise
        double const bin =
            std::floor((std::clamp(value, -kHistogramEnd, kHistogramEnd) + kHistogramEnd) / kHistogramStep);
        ++comparison.histogram[std::min(static_cast<std::size_t>(bin), comparison.histogram.size() - 1)];
    }
    if (std::abs(static_cast<double>(channel.largest.z)) <= std::abs(comparison.largest_z)) return;
    comparison.largest_z = static_cast<double>(channel.largest.z);
    comparison.largest = channel.largest.square;
    comparison.channel = name;
}

/// How many values differ, each at a share of alpha that keeps the probability of any false one below alpha.
std::uint64_t count_different(std::vector<ChannelTest> const& channels, std::uint64_t tested, double alpha,
                              Correction correction)
{
    if (tested == 0) return 0;
    double const limit = correction == Correction::sidak ? find_limit(alpha, tested) : two_sided_quantile(alpha);
    std::vector<double> beyond;
    for (ChannelTest const& channel : channels)
        for (float const z : channel.values)
            if (std::abs(static_cast<double>(z)) > limit) beyond.push_back(std::abs(static_cast<double>(z)));
    if (correction == Correction::sidak) return beyond.size();
    std::ranges::sort(beyond,
                      std::greater<>()); // Holm 1979: the largest first, each against alpha over the number that remain
    std::uint64_t different = 0;
    while (different < beyond.size() &&
           two_sided_normal(beyond[different]) <= alpha / static_cast<double>(tested - different))
        ++different;
    return different;
}

/// Times as many samples as a side has that half of the light needs in blocks of kBlockEdge; infinite where no
/// contribution is known.
double find_needed_factor(std::vector<ChannelTest> const& channels, double RegionTest::*contributions)
{
    std::vector<std::pair<double, double>> counts;
    for (ChannelTest const& channel : channels)
        for (TestedBlock const& block : channel.blocks)
            if (block.region.values > 0) counts.emplace_back(block.test.*contributions, std::abs(block.region.light()));
    return std::max(1.0, kEnoughContributions / find_median(std::move(counts)));
}

/// What could be judged, and if it is too little, what is missing.
void judge_light(std::vector<ChannelTest> const& channels, ExpectationComparison& comparison)
{
    constexpr double kMargin = 1.25; // contributions vary, and those of both sides need the same blocks
    double usable = 0, judged = 0, light = 0, judged_light = 0;
    for (ChannelTest const& channel : channels) {
        usable += channel.usable;
        judged += channel.judged;
        light += channel.light;
        judged_light += channel.judged_light;
        comparison.test_samples = std::max(comparison.test_samples, channel.test_samples);
        comparison.reference_samples = std::max(comparison.reference_samples, channel.reference_samples);
    }
    comparison.judged_values = judged / usable;
    comparison.judged_light = light > 0 ? judged_light / light : 0;
    comparison.is_decided = comparison.judged_light >= 0.5;
    auto const find_samples = [&](double samples, double RegionTest::*contributions) {
        double const factor = find_needed_factor(channels, contributions);
        if (!std::isfinite(samples) || std::isinf(factor)) return std::numeric_limits<double>::quiet_NaN();
        return factor > 1 ? std::ceil(samples * factor * kMargin) : samples;
    };
    comparison.test_samples_needed = find_samples(comparison.test_samples, &RegionTest::contributions_test);
    comparison.reference_samples_needed =
        find_samples(comparison.reference_samples, &RegionTest::contributions_reference);
}

std::string describe_square(PixelSquare const& square)
{
    std::string const place = fmt::format("at pixel {},{}", square.x, square.y);
    return square.edge == 1 ? place : fmt::format("of the {0} x {0} pixels {1}", square.edge, place);
}

void judge_tests(ExpectationComparison& comparison)
{
    double const alpha = comparison.alpha_each, channels = static_cast<double>(comparison.effects.size());
    if (comparison.pixel_p < alpha)
        comparison.reasons.push_back(fmt::format("{} of {} values differ by more than their noise; the largest z is "
                                                 "{:.1f} {} of channel {} (p {:.2g} after the correction)",
                                                 comparison.values_different, comparison.values_tested,
                                                 comparison.largest_z, describe_square(comparison.largest),
                                                 comparison.channel, comparison.pixel_p));
    for (ChannelEffect const& effect : comparison.effects) {
        if (effect.mean_p < alpha / channels)
            comparison.reasons.push_back(fmt::format(
                "the mean of channel {} differs by {:.3g} ({:+.3g} %), interval {:.3g} to {:.3g} (p {:.2g})",
                effect.channel, effect.difference, 100 * effect.relative_difference, effect.low, effect.high,
                effect.mean_p));
        // The sum over blocks and the largest of them share the probability of blocks.
        if (effect.blocks_p < alpha / (2 * channels))
            comparison.reasons.push_back(fmt::format("blocks of {0} x {0} pixels of channel {1} differ: chi-square "
                                                     "{2:.1f} over {3} (p {4:.2g}); the largest z is {5:.1f}, in "
                                                     "the {6} x {6} block at pixel {7},{8}",
                                                     kBlockEdge, effect.channel, effect.chi_squared, effect.blocks,
                                                     effect.blocks_p, effect.block_z, effect.block.edge, effect.block.x,
                                                     effect.block.y));
        else if (effect.block_p < alpha / (2 * channels))
            comparison.reasons.push_back(fmt::format(
                "the block of {0} x {0} pixels at pixel {1},{2} of channel {3} differs: its z is {4:.1f} "
                "(p {5:.2g} after the correction)",
                effect.block.edge, effect.block.x, effect.block.y, effect.channel, effect.block_z, effect.block_p));
    }
    comparison.same = comparison.reasons.empty();
}

void note_assumptions(NoisyChannel const& channel, std::string_view who, ExpectationComparison& comparison)
{
    if (channel.is_exact())
        comparison.notices.push_back(fmt::format("the {} has no standard error layers: it counts as exact", who));
    else if (!channel.has_counts())
        comparison.notices.push_back(
            fmt::format("the {} has no sample_count layer: its standard errors count as exact", who));
}

} // namespace

ExpectationComparison compare_expectations(NoisyImage const& test, NoisyImage const& reference,
                                           std::vector<std::string> const& channels,
                                           ExpectationSettings const& settings)
{
    ExpectationComparison comparison;
    comparison.alpha_each = -std::expm1(std::log1p(-settings.alpha) / 3);
    comparison.histogram.resize(static_cast<std::size_t>(2 * kHistogramEnd / kHistogramStep));
    comparison.z_map.assign(test.image.pixel_count(), std::numeric_limits<float>::quiet_NaN());
    comparison.block_map = comparison.z_map;
    std::vector<ChannelTest> tests;
    double usable = 0;
    for (std::string const& name : channels) {
        NoisyChannel const t(test, name), r(reference, name);
        if (t.is_exact() && r.is_exact())
            fail_input(fmt::format("neither image has a layer standard_error.{}", name), "--statistical",
                       "without the noise a difference cannot be told from chance",
                       "give films (.vpf) or the .exr that volrender writes of them");
        if (tests.empty()) {
            note_assumptions(t, "test", comparison);
            note_assumptions(r, "reference", comparison);
        }
        tests.push_back(test_channel(t, r, test.image.width, test.image.height, settings.threads));
        ChannelTest const& channel = tests.back();
        collect(channel, name, comparison);
        ChannelEffect& effect = comparison.effects.emplace_back();
        effect.channel = name;
        test_means(channel, t, r, settings.alpha, effect);
        test_blocks(channel, test.image.width, effect, comparison.block_map);
        effect.block_shift =
            find_block_shift(channel, comparison.alpha_each / (2 * static_cast<double>(channels.size())));
        usable += channel.usable;
    }
    if (usable == 0)
        fail_input("no pixel has a standard error on both sides", "--statistical",
                   "a standard error needs two samples per pixel", "render more samples");
    if (comparison.values_tested > 0)
        comparison.pixel_p = find_largest_p(comparison.largest_z, comparison.values_tested);
    comparison.values_different =
        count_different(tests, comparison.values_tested, comparison.alpha_each, settings.correction);
    judge_light(tests, comparison);
    judge_tests(comparison);
    return comparison;
}

} // namespace volpt
