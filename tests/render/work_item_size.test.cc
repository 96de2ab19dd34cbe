// The policy alone: what a worker gets, by its rate, the others' rates and what is left.
#include "libvolpt/render/pool/work_item_size.h"

#include <gtest/gtest.h>

namespace volpt::test {
namespace {

constexpr double kNow_s = 100; // whatever the clock's zero
constexpr WorkRequest kRequest{.first_paths = 500, .duration_s = 1, .least_s = 0.01, .rate = 1000, .pending_paths = 0};

WorkerState make_worker(double rate, double busy_s = 0, WorkerStatus status = WorkerStatus::active)
{
    return {status, rate, kNow_s + busy_s};
}

double choose_paths(std::vector<WorkerState> const& workers, std::uint64_t paths_left,
                    WorkRequest const& request = kRequest)
{
    return choose_work_item_paths({kNow_s, paths_left, workers}, 0, request);
}

std::optional<std::uint64_t> choose_size(std::vector<WorkerState> const& workers, std::uint64_t paths_left,
                                         std::uint64_t paths_per_sample, double item_paths = 1)
{
    return choose_work_item_size({kNow_s, paths_left, workers}, 0, item_paths, paths_per_sample);
}

TEST(WorkItemSize, AWorkerOfUnknownRateGetsWhatItAsksFor)
{
    EXPECT_EQ(choose_paths({make_worker(0), make_worker(1000)}, 1000000), 500);
    EXPECT_EQ(choose_paths({make_worker(0)}, 1000000), 500);
}

TEST(WorkItemSize, ALoneWorkerOfUnknownRateLeavesNoShortRest)
{
    EXPECT_EQ(choose_paths({make_worker(0)}, 999), 999);
    EXPECT_EQ(choose_paths({make_worker(0)}, 1000), 500);
    EXPECT_EQ(choose_paths({make_worker(0), make_worker(0, 0, WorkerStatus::disconnected)}, 999), 999);
}

TEST(WorkItemSize, WorkersOfUnknownRatesShareAShortRender)
{
    EXPECT_EQ(choose_paths({make_worker(0), make_worker(0)}, 800), 400);
    EXPECT_EQ(choose_paths({make_worker(0), make_worker(0), make_worker(0), make_worker(0)}, 800), 200);
    EXPECT_EQ(choose_paths({make_worker(0), make_worker(0)}, 1000), 500);
    EXPECT_EQ(choose_paths({make_worker(0), make_worker(0)}, 20), 62.5) << "an eighth of first_paths is worth a launch";
}

TEST(WorkItemSize, ALoneWorkerGetsTheLongestItem)
{
    EXPECT_EQ(choose_paths({make_worker(1000)}, 1200), 1000);
    EXPECT_EQ(choose_paths({make_worker(1000), make_worker(9000, 0, WorkerStatus::disconnected)}, 1200), 1000);
}

TEST(WorkItemSize, AnItemIsHalfOfAWorkersShare)
{
    // Both end 0.6 s from now; half of that is 0.3 s.
    EXPECT_NEAR(choose_paths({make_worker(1000), make_worker(1000)}, 1200), 300, 1e-6);
    // Shares go by rates: 4000 paths last 1 s.
    EXPECT_NEAR(choose_paths({make_worker(1000), make_worker(3000)}, 4000), 500, 1e-6);
    EXPECT_NEAR(choose_paths({make_worker(1000), make_worker(3000)}, 1000000), 1000, 1e-6) << "duration_s";
}

TEST(WorkItemSize, OthersOfUnknownRateCountAsEqual)
{
    EXPECT_NEAR(choose_paths({make_worker(1000), make_worker(0)}, 1200), 300, 1e-6);
}

TEST(WorkItemSize, AShortShareIsHandedOutWhole)
{
    EXPECT_NEAR(choose_paths({make_worker(1000), make_worker(1000)}, 400), 200, 1e-6);
    EXPECT_NEAR(choose_paths({make_worker(1000), make_worker(1000)}, 2), 10, 1e-6) << "least_s";
}

TEST(WorkItemSize, PendingWorkCounts)
{
    // The other is busy for 0.4 s: 1200 paths end in 0.8 s, of which this worker has half.
    EXPECT_NEAR(choose_paths({make_worker(1000), make_worker(1000, 0.4)}, 1200), 400, 1e-6);
    // Its own 0.4 s leave 0.4 s.
    EXPECT_NEAR(choose_paths({make_worker(1000, 0.4), make_worker(1000)}, 1200), 200, 1e-6);
    // Whoever is busy beyond the end takes no part.
    EXPECT_NEAR(choose_paths({make_worker(1000), make_worker(1000, 50)}, 1200), 600, 1e-6);
}

TEST(WorkItemSize, WorkersThatWereDismissedTakeNoPart)
{
    EXPECT_NEAR(choose_paths({make_worker(1000), make_worker(1000, 0, WorkerStatus::dismissed)}, 1200), 600, 1e-6);
}

TEST(WorkItemSize, IsInWholeSamplesAtLeastOne)
{
    EXPECT_EQ(choose_size({make_worker(1000)}, 100000, 100, 350), 3u);
    EXPECT_EQ(choose_size({make_worker(1000)}, 100000, 100, 20), 1u);
    EXPECT_EQ(choose_size({make_worker(1000)}, 100000, 1, 1e300), std::uint64_t{1} << 62);
}

TEST(WorkItemSize, ASlowWorkerGetsNothingThatOthersFinishSooner)
{
    std::vector<WorkerState> const workers{make_worker(10), make_worker(1000)};
    EXPECT_FALSE(choose_size(workers, 1000, 100)); // 10 s against 1.1 s
    EXPECT_EQ(choose_size(workers, 20000, 100), 1u);
    EXPECT_EQ(choose_size({make_worker(1000), make_worker(10)}, 1000, 100000), 1u) << "the fastest always gets one";
    EXPECT_EQ(choose_size({make_worker(0), make_worker(1000)}, 1000, 100000), 1u) << "unknown rate";
    EXPECT_EQ(choose_size({make_worker(10), make_worker(1000, 0, WorkerStatus::dismissed)}, 1000, 100), 1u);
}

TEST(WorkItemSize, ASlowWorkerThatMayHaveToReturnItLeavesTheEndToTheOthers)
{
    WorkerState slow = make_worker(100);
    slow.can_return = true;
    std::vector<WorkerState> workers{slow, make_worker(10000), make_worker(10000)};
    // A return costs 20 ms of the others, in which they render 400 paths: so many take this worker 4 s, but the last
    // second is the most that it leaves.
    EXPECT_EQ(choose_size(workers, 20100 * 101 / 100, 1), 1u);
    EXPECT_FALSE(choose_size(workers, 20100 * 99 / 100, 1));
    workers[0].rate = 2000; // 400 paths take it .2 s
    EXPECT_EQ(choose_size(workers, 22000 * 21 / 100, 1), 1u);
    EXPECT_FALSE(choose_size(workers, 22000 * 19 / 100, 1));
    workers[0].rate = 2500; // a quarter of the fastest rate is not slow
    EXPECT_EQ(choose_size(workers, 22500 * 10 / 100, 1), 1u);
    workers[0] = make_worker(2000); // cannot return
    EXPECT_EQ(choose_size(workers, 22000 * 10 / 100, 1), 1u);
}

TEST(WorkItemSize, ASlowWorkerThatMayHaveToReturnItGetsHalfOfAShortShare)
{
    WorkerState slow = make_worker(1000);
    slow.can_return = true;
    EXPECT_NEAR(choose_paths({slow, make_worker(9000)}, 2000), 100, 1e-6);
    EXPECT_NEAR(choose_paths({make_worker(1000), make_worker(9000)}, 2000), 200, 1e-6) << "cannot return";
}

TEST(WorkItemSize, PendingWorkMakesAWorkerSlow)
{
    std::vector<WorkerState> const workers{make_worker(900, 5), make_worker(1000)};
    EXPECT_FALSE(choose_size(workers, 1000, 100));
    EXPECT_EQ(choose_size(workers, 10000, 100), 1u);
}

} // namespace
} // namespace volpt::test
