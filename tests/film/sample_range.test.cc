// Sample ranges against sets of numbers counted one by one.
#include "libvolpt/film/sample_range.h"
#include "libvolpt/sys/error.h"
#include "tests/support/expect_error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace volpt {
namespace {

using test::expect_error;
using Numbers = std::set<std::uint64_t>;

Numbers count_out(SampleRanges const& ranges)
{
    Numbers numbers;
    for (SampleRange const& range : ranges)
        for (std::uint64_t i = 0; i < range.count; ++i) EXPECT_TRUE(numbers.insert(range.first + i).second);
    return numbers;
}

void expect_sorted_and_joined(SampleRanges const& ranges)
{
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        EXPECT_GT(ranges[i].count, 0u);
        if (i > 0) {
            EXPECT_GT(ranges[i].first, ranges[i - 1].first + ranges[i - 1].count);
        }
    }
}

TEST(SampleRange, InsertionKeepsTheSetSortedAndJoinedOrRefusesAndChangesNothing)
{
    std::mt19937 random(1);
    for (int round = 0; round < 300; ++round) {
        SampleRanges ranges;
        Numbers numbers;
        for (int step = 0; step < 30; ++step) {
            SampleRange const range{random() % 64, random() % 6};
            Numbers const more = range.count ? count_out({range}) : Numbers{};
            bool const overlaps = std::any_of(more.begin(), more.end(), [&](auto n) { return numbers.contains(n); });
            SampleRanges const before = ranges;
            if (overlaps) {
                EXPECT_THROW(insert_range(ranges, range), Error);
                EXPECT_EQ(ranges, before);
            } else {
                insert_range(ranges, range);
                numbers.insert(more.begin(), more.end());
            }
            expect_sorted_and_joined(ranges);
            EXPECT_EQ(count_out(ranges), numbers);
            EXPECT_EQ(count_samples(ranges), numbers.size());
        }
    }
}

TEST(SampleRange, MissingRangesAreTheWantedNumbersThatAreNotThere)
{
    std::mt19937 random(2);
    for (int round = 0; round < 2000; ++round) {
        SampleRanges have;
        std::uint64_t first = random() % 5;
        for (std::uint64_t i = random() % 6; i > 0; --i) {
            have.push_back({first, 1 + random() % 8});
            first += have.back().count + 1 + random() % 8;
        }
        SampleRange const wanted{random() % 40, random() % 40};
        SampleRanges const missing = missing_ranges(have, wanted);
        expect_sorted_and_joined(missing);
        Numbers expected = wanted.count ? count_out({wanted}) : Numbers{};
        for (std::uint64_t const number : count_out(have)) expected.erase(number);
        EXPECT_EQ(count_out(missing), expected);
        SampleRanges whole = have;
        for (SampleRange const& range : missing) EXPECT_NO_THROW(insert_range(whole, range));
        EXPECT_TRUE(missing_ranges(whole, wanted).empty());
    }
}

TEST(SampleRange, OverlapIsNamed)
{
    SampleRanges ranges{{0, 10}};
    expect_error(ExitStatus::input, {"samples 8:2 are there already"}, [&] { insert_range(ranges, {8, 4}); });
}

TEST(SampleRange, NumbersEndAtTheLimit)
{
    SampleRanges ranges;
    insert_range(ranges, {kSampleLimit - 1, 1});
    EXPECT_THROW(insert_range(ranges, {kSampleLimit, 1}), Error);
    EXPECT_THROW(insert_range(ranges, {1, kSampleLimit}), Error);
    EXPECT_THROW(insert_range(ranges, {5, ~std::uint64_t{0}}), Error);
    insert_range(ranges, {0, kSampleLimit - 1});
    EXPECT_EQ(ranges, (SampleRanges{{0, kSampleLimit}}));
}

TEST(SampleRange, ManyRangesInsertedAtOnceAreThoseInsertedOneByOne)
{
    for (std::uint64_t count : {1u, 3u, 4u, 5u, 20u}) {
        SampleRanges one_by_one{{0, 3}, {5, 1}, {1000, 2}}, at_once = one_by_one, more;
        for (std::uint64_t i = 0; i < count; ++i) more.push_back({6 + 4 * i, 2});
        for (SampleRange const& range : more) insert_range(one_by_one, range);
        insert_ranges(at_once, more);
        EXPECT_EQ(at_once, one_by_one) << count;
    }
}

TEST(SampleRange, SharedSamplesAreFoundFromBothSides)
{
    SampleRanges const left{{0, 3}, {5, 1}, {10, 10}};
    EXPECT_EQ(find_shared(left, {{3, 2}, {6, 4}, {20, 5}}), std::nullopt);
    EXPECT_EQ(find_shared(left, {}), std::nullopt);
    for (auto const& [right, shared] : {std::pair(SampleRanges{{3, 9}}, SampleRange{5, 1}),
                                        std::pair(SampleRanges{{6, 1}, {19, 9}}, SampleRange{19, 1}),
                                        std::pair(SampleRanges{{3, 1}, {6, 1}, {8, 1}, {12, 2}}, SampleRange{12, 2})}) {
        EXPECT_EQ(find_shared(left, right), shared);
        EXPECT_EQ(find_shared(right, left), shared);
    }
}

TEST(SampleRange, DescriptionIsWhatSamplesTakes)
{
    EXPECT_EQ(describe_ranges({}), "none");
    EXPECT_EQ(describe_ranges({{0, 64}, {128, 32}}), "0:64, 128:32");
}

} // namespace
} // namespace volpt
