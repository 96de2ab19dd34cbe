// The rate is what the device does, whatever is queued.
#include "libvolpt/render/workers/launch_sizer.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <utility>

namespace volpt::test {
namespace {

constexpr std::uint64_t kFirstLaunchPaths = 1 << 22;
constexpr double kSizedLaunch_s = 0.1;

/// A device that does `rate` paths per second, one launch after the other; who queues waits while two are under way.
struct SimulatedDevice {
    double rate;
    double now_s = 0;
    double ends_s[2] = {0, 0}; ///< of the last two launches

    void queue(std::uint64_t paths)
    {
        now_s = std::max(now_s, ends_s[0]);
        ends_s[0] = std::exchange(ends_s[1], std::max(now_s, ends_s[1]) + static_cast<double>(paths) / rate);
    }
};

TEST(LaunchSizer, RatesAreNeverFarTooHighAsLaunchesGrow)
{
    for (double const rate : {1e6, 3e7, 1e9, 5e10}) {
        SimulatedDevice device{rate};
        LaunchSizer pace(kFirstLaunchPaths, kSizedLaunch_s, [&] { return device.now_s; });
        for (int i = 0; i < 100; ++i) {
            std::uint64_t const paths = pace.launch_paths();
            device.queue(paths);
            pace.note_launch(paths);
            EXPECT_LT(pace.rate(), 1.2 * rate) << "launch " << i;
        }
        EXPECT_NEAR(pace.rate(), rate, 0.02 * rate);
    }
}

TEST(LaunchSizer, LaunchesLastAboutATenthOfASecond)
{
    SimulatedDevice device{1.7e9};
    LaunchSizer pace(kFirstLaunchPaths, kSizedLaunch_s, [&] { return device.now_s; });
    for (int i = 0; i < 50; ++i) {
        std::uint64_t const paths = pace.launch_paths();
        device.queue(paths);
        pace.note_launch(paths);
        EXPECT_LT(static_cast<double>(paths) / device.rate, 2.05 * kSizedLaunch_s); // the last that was doubled
    }
    EXPECT_NEAR(static_cast<double>(pace.launch_paths()) / device.rate, kSizedLaunch_s, 0.02 * kSizedLaunch_s);
    EXPECT_EQ(pace.pending_paths(), 2 * pace.launch_paths());
}

TEST(LaunchSizer, WhatIsUnderWayIsForgottenAfterTuning)
{
    LaunchSizer pace(kFirstLaunchPaths, kSizedLaunch_s);
    pace.note_launch(1000);
    pace.restart(1e9);
    EXPECT_EQ(pace.pending_paths(), 0u);
    EXPECT_EQ(pace.rate(), 1e9);
}

} // namespace
} // namespace volpt::test
