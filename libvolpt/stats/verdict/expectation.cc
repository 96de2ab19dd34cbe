// z of every value and sums over blocks; from these the three kinds of test.
#include "libvolpt/stats/verdict/expectation.h"

#include "libvolpt/stats/verdict/value_test.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/parallel.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace volpt {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A channel of one side with its noise.
class NoisyChannel {
public:
    NoisyChannel(NoisyImage const& noisy, std::string const& name)
        : mean_(*noisy.image.find(name)), error_(noisy.image.find("standard_error." + name)),
          count_(noisy.image.find("sample_count")), floor_(noisy.sample_variance_floor)
    {
        auto const shared = noisy.shared_variance.find(name);
        if (shared != noisy.shared_variance.end()) shared_ = shared->second;
    }

    bool is_exact() const { return error_ == nullptr; }
    bool has_counts() const { return count_ != nullptr; }
    /// Relative to the square of a mean over any pixels.
    double shared_variance() const { return shared_; }
    /// Without the part of the variance that it has in common with other pixels.
    NoisyValue without_shared_part(NoisyValue value) const
    {
        value.variance -= std::min(shared_ * value.mean * value.mean, value.variance);
        return value;
    }
    NoisyValue at(std::size_t i) const
    {
        double const mean = static_cast<double>(mean_.values[i]);
        if (is_exact()) return {mean, 0, kInfinity};
        auto const error = static_cast<double>(error_->values[i]);
        double const samples = has_counts() ? static_cast<double>(count_->values[i]) : kInfinity;
        double const rounding = mean * 0x1p-24; // of the mean to a float
        return {mean, error * error + floor_ / samples + rounding * rounding, samples};
    }

private:
    Channel const& mean_;
    Channel const* error_;
    Channel const* count_;
    double floor_;
    double shared_ = 0;
};

bool is_usable(NoisyValue const& value)
{
    return std::isfinite(value.mean) && std::isfinite(value.variance) && value.samples >= 2;
}

/// The moments of `difference` are without the part that pixels share.
struct Sums {
    double test = 0, reference = 0, values = 0;
    NoisyDifference difference;

    void add(Sums const& other)
    {
        test += other.test;
        reference += other.reference;
        values += other.values;
        difference.add(other.difference);
    }
};

/// z of each value of a channel (NaN: not tested), and sums by block.
struct ChannelTest {
    std::vector<float> z;
    std::vector<Sums> blocks;
    double shared_test = 0, shared_reference = 0;

    /// With the part that pixels share, which is the same whatever their number.
    NoisyDifference complete(Sums const& sums) const
    {
        double const shared = shared_test * sums.test * sums.test + shared_reference * sums.reference * sums.reference;
        NoisyDifference result = sums.difference;
        result.variance += shared;
        result.pooled_variance += shared;
        return result;
    }
};

/// d' C^-1 d of the blocks' differences d. Their covariance is C = diag(v) + e^2 m m', with the relative error e that
/// all blocks share and their sums m, about equal on both sides (inverse: Sherman & Morrison 1950). v is the variance
/// of a normal distribution in which d is as unlikely as test_sum finds it.
class BlockTest {
public:
    explicit BlockTest(double shared_variance) : shared_(shared_variance) {}

    void add(Sums const& block)
    {
        double const difference = block.difference.difference, z = test_sum(block.difference),
                     sum = 0.5 * (block.test + block.reference);
        squares_ += z * z;
        if (shared_ == 0 || std::isinf(z)) return;
        double const deviations = z / difference; // of which the difference is z
        along_ += sum * z * deviations;
        length_ += sum * sum * deviations * deviations;
    }
    double chi_squared() const { return squares_ - find_common_error() * along_; }
    /// z of a block without the error that all blocks have in common, as estimated from all that were added.
    double find_residual(Sums const& block) const
    {
        double const difference = block.difference.difference, z = test_sum(block.difference);
        if (shared_ == 0 || difference == 0 || std::isinf(z)) return z;
        return z - find_common_error() * 0.5 * (block.test + block.reference) * z / difference;
    }

private:
    double find_common_error() const { return shared_ == 0 ? 0 : along_ / (1 / shared_ + length_); }

    double shared_;
    double squares_ = 0, along_ = 0, length_ = 0;
};

int count_block_columns(int width)
{
    return (width + kBlockEdge - 1) / kBlockEdge;
}

ChannelTest test_channel(NoisyChannel const& test, NoisyChannel const& reference, int width, int height, int threads)
{
    ChannelTest result;
    result.shared_test = test.shared_variance();
    result.shared_reference = reference.shared_variance();
    auto const row_size = static_cast<std::size_t>(width);
    auto const block_columns = static_cast<std::size_t>(count_block_columns(width));
    result.z.assign(row_size * static_cast<std::size_t>(height), std::numeric_limits<float>::quiet_NaN());
    result.blocks.resize(block_columns * static_cast<std::size_t>((height + kBlockEdge - 1) / kBlockEdge));
    parallel_for_rows(threads, height, kBlockEdge, [&](RowRange rows) {
        Sums* const row_blocks =
            result.blocks.data() + static_cast<std::size_t>(rows.first / kBlockEdge) * block_columns;
        for (int y = rows.first; y < rows.end; ++y)
            for (std::size_t x = 0; x < row_size; ++x) {
                std::size_t const i = static_cast<std::size_t>(y) * row_size + x;
                NoisyValue const t = test.at(i), r = reference.at(i);
                if (!is_usable(t) || !is_usable(r)) continue;
                result.z[i] = static_cast<float>(test_value(t, r));
                row_blocks[x / kBlockEdge].add(
                    {t.mean, r.mean, 1, subtract(test.without_shared_part(t), reference.without_shared_part(r))});
            }
    });
    return result;
}

/// Of a channel's blocks; z of blocks without a tested value is NaN.
struct BlockFigures {
    double chi_squared = 0;
    std::uint64_t tested = 0;
    std::vector<float> z;
};

BlockFigures test_blocks(ChannelTest const& channel)
{
    BlockFigures figures;
    BlockTest test(channel.shared_test + channel.shared_reference);
    for (Sums const& block : channel.blocks) {
        if (block.values == 0 || block.difference.difference == 0) continue; // a background without noise tests nothing
        test.add(block);
        ++figures.tested;
    }
    figures.chi_squared = test.chi_squared();
    for (Sums const& block : channel.blocks)
        figures.z.push_back(block.values == 0 ? std::numeric_limits<float>::quiet_NaN()
                                              : static_cast<float>(test.find_residual(block)));
    return figures;
}

ChannelEffect summarize(std::string const& channel, ChannelTest const& test, BlockFigures const& blocks, double alpha)
{
    ChannelEffect effect{.channel = channel, .chi_squared = blocks.chi_squared, .blocks = blocks.tested};
    Sums all;
    for (Sums const& block : test.blocks) all.add(block);
    if (all.values == 0) return effect;
    if (effect.blocks > 0) effect.blocks_p = chi_squared_tail(effect.chi_squared, static_cast<double>(effect.blocks));
    effect.test_mean = all.test / all.values;
    effect.reference_mean = all.reference / all.values;
    NoisyDifference const complete = test.complete(all);
    ConfidenceInterval const interval = find_interval(complete, two_sided_quantile(alpha));
    effect.difference = complete.difference / all.values;
    effect.low = interval.low / all.values;
    effect.high = interval.high / all.values;
    effect.relative_difference = effect.difference / effect.reference_mean;
    effect.z = test_sum(complete);
    effect.mean_p = two_sided_normal(effect.z);
    return effect;
}

void keep_larger(float& mapped, float z)
{
    if (std::isnan(mapped) || std::abs(z) > std::abs(mapped)) mapped = z;
}

/// Adds z of the channel's blocks to the map, and the largest to the channel's figures.
void collect_blocks(std::vector<float> const& z, int width, ChannelEffect& effect, ExpectationComparison& comparison)
{
    int const columns = count_block_columns(width);
    for (std::size_t i = 0; i < comparison.block_map.size(); ++i) {
        int const column = static_cast<int>(i) % width / kBlockEdge, row = static_cast<int>(i) / width / kBlockEdge;
        float const value = z[static_cast<std::size_t>(row * columns + column)];
        keep_larger(comparison.block_map[i], value);
        if (!(std::abs(static_cast<double>(value)) > std::abs(effect.block_z))) continue;
        effect.block_z = static_cast<double>(value);
        effect.block_x = column * kBlockEdge;
        effect.block_y = row * kBlockEdge;
    }
}

/// Adds the channel's z to map, histogram and largest value.
void collect(std::vector<float> const& z, std::string const& channel, int width, ExpectationComparison& comparison)
{
    for (std::size_t i = 0; i < z.size(); ++i) {
        if (std::isnan(z[i])) {
            ++comparison.values_without_noise;
            continue;
        }
        ++comparison.values_tested;
        double const value = static_cast<double>(z[i]);
        keep_larger(comparison.z_map[i], z[i]);
        if (value == 0) continue; // equal, such as a background without noise
        double const bin =
            std::floor((std::clamp(value, -kHistogramEnd, kHistogramEnd) + kHistogramEnd) / kHistogramStep);
        ++comparison.histogram[std::min(static_cast<std::size_t>(bin), comparison.histogram.size() - 1)];
        if (std::abs(value) <= std::abs(comparison.largest_z)) continue;
        comparison.largest_z = value;
        comparison.x = static_cast<int>(i) % width;
        comparison.y = static_cast<int>(i) / width;
        comparison.channel = channel;
    }
}

/// How many values differ, each at a share of alpha that keeps the probability of any false one below alpha.
std::uint64_t count_different(std::vector<ChannelTest> const& channels, std::uint64_t tested, double alpha,
                              Correction correction)
{
    double const share = -std::expm1(std::log1p(-alpha) / static_cast<double>(tested)); // Sidak 1967
    double const limit = two_sided_quantile(correction == Correction::sidak ? share : alpha);
    std::vector<double> beyond;
    for (ChannelTest const& channel : channels)
        for (float const z : channel.z)
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

void judge_tests(ExpectationComparison& comparison)
{
    double const alpha = comparison.alpha_each, channels = static_cast<double>(comparison.effects.size());
    if (comparison.pixel_p < alpha)
        comparison.reasons.push_back(fmt::format("{} of {} values differ by more than their noise; the largest z is "
                                                 "{:.1f} at pixel {},{} of channel {} (p {:.2g} after the correction)",
                                                 comparison.values_different, comparison.values_tested,
                                                 comparison.largest_z, comparison.x, comparison.y, comparison.channel,
                                                 comparison.pixel_p));
    for (ChannelEffect const& effect : comparison.effects) {
        if (effect.mean_p < alpha / channels)
            comparison.reasons.push_back(fmt::format(
                "the mean of channel {} differs by {:.3g} ({:+.3g} %), interval {:.3g} to {:.3g} (p {:.2g})",
                effect.channel, effect.difference, 100 * effect.relative_difference, effect.low, effect.high,
                effect.mean_p));
        if (effect.blocks_p < alpha / channels)
            comparison.reasons.push_back(fmt::format("blocks of {0} x {0} pixels of channel {1} differ: chi-square "
                                                     "{2:.1f} over {3} (p {4:.2g}); the largest z is {5:.1f}, in "
                                                     "the block at pixel {6},{7}",
                                                     kBlockEdge, effect.channel, effect.chi_squared, effect.blocks,
                                                     effect.blocks_p, effect.block_z, effect.block_x, effect.block_y));
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
        collect(tests.back().z, name, test.image.width, comparison);
        BlockFigures const blocks = test_blocks(tests.back());
        comparison.effects.push_back(summarize(name, tests.back(), blocks, settings.alpha));
        collect_blocks(blocks.z, test.image.width, comparison.effects.back(), comparison);
    }
    if (comparison.values_tested == 0)
        fail_input("no pixel has a standard error on both sides", "--statistical",
                   "a standard error needs two samples per pixel", "render more samples");
    auto const tested = static_cast<double>(comparison.values_tested);
    comparison.pixel_p = -std::expm1(tested * std::log1p(-std::min(two_sided_normal(comparison.largest_z), 1 - 1e-16)));
    comparison.values_different =
        count_different(tests, comparison.values_tested, comparison.alpha_each, settings.correction);
    judge_tests(comparison);
    return comparison;
}

} // namespace volpt
