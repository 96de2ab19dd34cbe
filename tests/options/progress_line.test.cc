// The progress line's text, its silence in a pipe, and the stop it asks for after a signal.
#include "tools/options/progress_line.h"

#include <csignal>
#include <gtest/gtest.h>

namespace volpt {
namespace {

TEST(ProgressLine, TellsShareRateAndTimeLeft)
{
    EXPECT_EQ(format_progress("render", {25'000'000, 100'000'000, "paths"}, 10),
              "render  25%  2.5 Mpaths/s  0:30 left");
    EXPECT_EQ(format_progress("pack", {0, 10, "slices"}, 1), "pack   0%");
    EXPECT_EQ(format_progress("pack", {10, 10, "slices"}, 2), "pack 100%  5 slices/s");
    EXPECT_EQ(format_progress("render", {5000, 0, "paths"}, 1), "render  5 kpaths/s");
    EXPECT_EQ(format_progress("pack", {1, 7201, "slices"}, 1), "pack   0%  1 slices/s  2:00:00 left");
}

TEST(ProgressLine, IsSilentForTheFirstSecondsWhereStderrIsNoTerminal)
{
    testing::internal::CaptureStderr();
    {
        ProgressLine line("pack", Verbosity::verbose);
        EXPECT_TRUE(line.sink()({1, 2, "slices"}));
    }
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(ProgressLine, AsksToStopAfterASignal)
{
    for (int const signal : {SIGINT, SIGTERM, SIGHUP})
        ASSERT_EXIT(
            {
                std::signal(signal, SIG_DFL);
                watch_interrupts();
                ProgressLine line("pack", Verbosity::quiet);
                bool const before = line.sink()({1, 2, "slices"});
                std::raise(signal);
                bool const after = line.sink()({1, 2, "slices"});
                std::exit(before && !after && is_interrupted() ? 0 : 1);
            },
            testing::ExitedWithCode(0), "")
            << signal;
}

TEST(ProgressLine, BeginsToWatchWhenItIsAsked)
{
    ASSERT_EXIT(
        {
            std::signal(SIGTERM, SIG_IGN);
            ProgressSink const sink = show_progress_when_asked("merge", Verbosity::quiet);
            std::raise(SIGTERM);
            bool const before = sink({});
            std::raise(SIGTERM);
            std::exit(before && !sink({}) ? 0 : 1);
        },
        testing::ExitedWithCode(0), "");
}

TEST(ProgressLine, HangupStaysIgnoredUnderNohup)
{
    ASSERT_EXIT(
        {
            std::signal(SIGHUP, SIG_IGN);
            watch_interrupts();
            std::raise(SIGHUP);
            std::exit(is_interrupted() ? 1 : 0);
        },
        testing::ExitedWithCode(0), "");
}

} // namespace
} // namespace volpt
