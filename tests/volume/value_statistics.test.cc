// Statistics of a source's numbers, against sorting all of them.
#include "libvolpt/volume/source/value_statistics.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/source/distinct_values.h"
#include "tests/support/expect_error.h"
#include "tests/support/listed_source.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <random>

namespace volpt {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::vector<ChannelStatistics> measure(std::vector<float> values, int channels = 1)
{
    int const voxels = static_cast<int>(values.size()) / channels;
    test::ListedSource source(test::describe_listed({1, 1, voxels}, channels), std::move(values));
    return measure_values(source, {});
}

/// Counts up to the rank, in integers.
double find_by_sorting(std::vector<float> values, int permille)
{
    std::ranges::sort(values);
    std::size_t rank = 1;
    while (rank * 1000 < static_cast<std::size_t>(permille) * values.size()) ++rank;
    return static_cast<double>(values[rank - 1]);
}

void expect_as_sorted(std::vector<float> const& values)
{
    auto const channel = measure(values).front();
    ASSERT_EQ(channel.percentiles.size(), kPermilles.size());
    for (std::size_t i = 0; i < kPermilles.size(); ++i)
        EXPECT_EQ(channel.percentiles[i], find_by_sorting(values, kPermilles[i])) << kPermilles[i];
    EXPECT_EQ(channel.minimum, static_cast<double>(*std::ranges::min_element(values)));
    EXPECT_EQ(channel.maximum, static_cast<double>(*std::ranges::max_element(values)));
    auto const& counts = channel.histogram.counts;
    EXPECT_LE(counts.size(), 32u);
    EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}), values.size());
}

TEST(ValueStatistics, PercentilesOfManyNumbersAreThoseOfSorting)
{
    std::mt19937 generator(1);
    std::normal_distribution<float> normal(0, 100);
    std::vector<float> values(20011);
    for (float& value : values) value = normal(generator);
    expect_as_sorted(values);
    // Numbers that differ by a factor of 1e60 from each other.
    for (float& value : values) value = std::exp(value);
    for (float& value : values) value = std::min(value, 1e38f);
    expect_as_sorted(values);
}

TEST(ValueStatistics, PercentilesOfAThousandNumbersAreTheirRanks)
{
    std::vector<double> const expected{0, 9, 49, 249, 499, 749, 949, 989, 998};
    std::vector<float> values(1000);
    std::iota(values.begin(), values.end(), 0.0f);
    EXPECT_EQ(measure(values).front().percentiles, expected);
    values.resize(1001, 1000); // a rank that is no whole number is rounded up
    EXPECT_EQ(measure(values).front().percentiles, (std::vector<double>{1, 10, 50, 250, 500, 750, 950, 990, 999}));
    std::vector<float> few(10);
    std::iota(few.begin(), few.end(), 0.0f);
    EXPECT_EQ(measure(few).front().percentiles, (std::vector<double>{0, 0, 0, 2, 4, 7, 9, 9, 9}));
}

TEST(ValueStatistics, PercentilesOfIntegersAreThoseOfSorting)
{
    std::mt19937 generator(2);
    for (int const most : {0, 1, 5, 255, 256, 4000, 65535}) {
        std::uniform_int_distribution<int> uniform(-1024, -1024 + most);
        std::vector<float> values(5003);
        for (float& value : values) value = static_cast<float>(uniform(generator));
        expect_as_sorted(values);
    }
}

TEST(ValueStatistics, FewNumbersAreCountedInBinsOfTheirOwn)
{
    auto const channel = measure({3, 0, 5, 5, -0.0f, 3, 3}).front();
    EXPECT_EQ(channel.distinct, 3u);
    EXPECT_TRUE(channel.are_integers);
    EXPECT_EQ(channel.histogram.low, 0);
    EXPECT_EQ(channel.histogram.bin_width, 1);
    EXPECT_EQ(channel.histogram.counts, (std::vector<std::uint64_t>{2, 0, 0, 3, 0, 2}));
}

TEST(ValueStatistics, BinsOfIntegersHoldEquallyManyIntegers)
{
    std::vector<float> values(1000);
    std::iota(values.begin(), values.end(), 0.0f);
    auto const histogram = measure(values).front().histogram;
    EXPECT_EQ(histogram.bin_width, 32);
    for (std::size_t bin = 0; bin + 1 < histogram.counts.size(); ++bin) EXPECT_EQ(histogram.counts[bin], 32u) << bin;
    EXPECT_EQ(histogram.counts.back(), 1000u % 32);
}

TEST(ValueStatistics, NumbersThatAreNotFiniteAreCountedApart)
{
    std::vector<float> values(1000);
    std::iota(values.begin(), values.end(), 0.5f);
    values.insert(values.end(), {kNan, kInfinity, -kInfinity, kNan, kNan});
    auto const channel = measure(values).front();
    EXPECT_EQ(channel.finite, 1000u);
    EXPECT_EQ(channel.nan, 3u);
    EXPECT_EQ(channel.infinite, 2u);
    EXPECT_EQ(channel.minimum, 0.5);
    EXPECT_EQ(channel.maximum, 999.5);
    EXPECT_EQ(channel.mean, 500);
    EXPECT_FALSE(channel.are_integers);
}

TEST(ValueStatistics, NothingIsToldOfNumbersNoneOfWhichIsFinite)
{
    auto const channel = measure({kNan, kInfinity}).front();
    EXPECT_EQ(channel.finite, 0u);
    EXPECT_TRUE(channel.percentiles.empty());
    EXPECT_TRUE(channel.histogram.counts.empty());
}

TEST(ValueStatistics, ChannelsAreMeasuredApart)
{
    std::vector<float> values;
    for (int i = 0; i < 1000; ++i) values.insert(values.end(), {static_cast<float>(i), 7});
    auto const channels = measure(values, 2);
    ASSERT_EQ(channels.size(), 2u);
    EXPECT_EQ(channels[0].percentiles[4], 499);
    EXPECT_FALSE(channels[0].distinct);
    EXPECT_EQ(channels[1].percentiles, std::vector<double>(kPermilles.size(), 7));
    EXPECT_EQ(channels[1].histogram.counts, std::vector<std::uint64_t>{1000});
}

TEST(ValueStatistics, CountingStopsWhereItIsAskedTo)
{
    test::ListedSource source(test::describe_listed({1, 1, 2}), {1, 2});
    test::expect_error(ExitStatus::system, {"stopped", "listed"},
                       [&] { measure_values(source, [](Progress const&) { return false; }); });
}

TEST(DistinctValues, AreListedUntilTheyAreTooMany)
{
    DistinctValues values;
    for (int i = 255; i >= 0; --i)
        for (int repeat = 0; repeat <= i % 3; ++repeat) values.add(static_cast<float>(i) * 0.25f);
    auto const sorted = values.sort();
    ASSERT_EQ(sorted.size(), DistinctValues::kMost);
    for (std::size_t i = 0; i < sorted.size(); ++i)
        EXPECT_EQ(sorted[i], std::pair(static_cast<float>(i) * 0.25f, std::uint64_t{i % 3 + 1}));
    values.add(-1);
    EXPECT_TRUE(values.are_too_many());
    EXPECT_TRUE(values.sort().empty());
}

} // namespace
} // namespace volpt
