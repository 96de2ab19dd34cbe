// The rate of a worker is the mean over all that it has done lately, of dear and cheap units alike.
#include "libvolpt/render/workers/unit_rate.h"

#include <cmath>
#include <gtest/gtest.h>

namespace volpt::test {
namespace {

constexpr double kWindow_s = 4;

TEST(UnitRate, IsNotKnownBeforeTheFirstUnit)
{
    EXPECT_EQ(UnitRate(4, kWindow_s).rate(), 0);
}

TEST(UnitRate, IsThatOfAllThreads)
{
    UnitRate one(1, kWindow_s), four(4, kWindow_s);
    one.note_unit(8192, 0.25);
    four.note_unit(8192, 0.25);
    EXPECT_EQ(one.rate(), 8192 / 0.25);
    EXPECT_EQ(four.rate(), 4 * one.rate());
}

/// A film of eight tiles, one of which shows the object, whose paths take a hundred times as long.
TEST(UnitRate, IsTheMeanOverTilesWhicheverCameLast)
{
    constexpr std::uint64_t kPaths = 1000;
    constexpr double kCheap_s = 1e-3, kDear_s = 0.1;
    constexpr double kMean = 8 * kPaths / (7 * kCheap_s + kDear_s);
    UnitRate rate(1, kWindow_s);
    for (int unit = 0; unit < 8000; ++unit) {
        rate.note_unit(kPaths, unit % 8 == 7 ? kDear_s : kCheap_s);
        if (unit < 400) continue; // half a window
        ASSERT_NEAR(rate.rate(), kMean, 0.06 * kMean) << unit;
    }
}

TEST(UnitRate, FollowsADeviceThatBecomesSlower)
{
    UnitRate rate(2, kWindow_s);
    for (int unit = 0; unit < 1000; ++unit) rate.note_unit(1000, 0.01);
    EXPECT_NEAR(rate.rate(), 2e5, 1);
    double seconds = 0;
    for (; rate.rate() > 1.1e5; seconds += 0.02 / 2) rate.note_unit(1000, 0.02);
    EXPECT_LT(seconds, 5 * kWindow_s);
}

TEST(UnitRate, OfUnitsTooShortToMeasureIsFinite)
{
    UnitRate rate(1, kWindow_s);
    rate.note_unit(8192, 0);
    EXPECT_TRUE(std::isfinite(rate.rate()));
}

} // namespace
} // namespace volpt::test
