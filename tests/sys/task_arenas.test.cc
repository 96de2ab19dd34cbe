// Arenas are kept: as many as loops run at a time, however many there are.
#include "libvolpt/sys/threads/task_arenas.h"

#include "libvolpt/sys/parallel.h"

#include <atomic>
#include <barrier>
#include <gtest/gtest.h>
#include <stdexcept>
#include <thread>
#include <vector>

namespace volpt {
namespace {

constexpr int kLoops = 200;

TEST(TaskArenas, OneServesAllLoopsThatFollowEachOther)
{
    std::atomic<int> pieces = 0;
    auto const run_loops = [&] {
        for (int loop = 0; loop < kLoops; ++loop) parallel_for(2, 4, [&](std::size_t) { ++pieces; });
    };
    parallel_for(2, 4, [](std::size_t) {});
    std::size_t const before = count_kept_arenas();
    EXPECT_GE(before, 1u);
    run_loops();
    std::jthread(run_loops).join(); // threads come and go, too
    EXPECT_EQ(pieces, 2 * 4 * kLoops);
    EXPECT_EQ(count_kept_arenas(), before);
}

TEST(TaskArenas, IsThereAgainAfterAFailure)
{
    auto const fail = [] { run_in_arena(2, [] { throw std::runtime_error("piece"); }); };
    EXPECT_THROW(fail(), std::runtime_error);
    std::size_t const before = count_kept_arenas();
    for (int loop = 0; loop < kLoops; ++loop) EXPECT_THROW(fail(), std::runtime_error);
    EXPECT_EQ(count_kept_arenas(), before);
}

TEST(TaskArenas, LoopsAtTheSameTimeHaveOneEach)
{
    constexpr int kUsers = 3;
    std::barrier all_inside(kUsers);
    auto const meet = [&] { run_in_arena(1, [&] { all_inside.arrive_and_wait(); }); };
    auto const meet_all = [&] {
        std::vector<std::jthread> users;
        for (int user = 0; user < kUsers; ++user) users.emplace_back(meet);
    };
    meet_all();
    std::size_t const before = count_kept_arenas();
    EXPECT_GE(before, std::size_t{kUsers});
    for (int round = 0; round < 10; ++round) meet_all();
    EXPECT_EQ(count_kept_arenas(), before);
}

TEST(TaskArenas, ALoopInALoopHasItsOwn)
{
    std::atomic<int> pieces = 0;
    parallel_for(2, 4, [&](std::size_t) { parallel_for(2, 4, [&](std::size_t) { ++pieces; }); });
    EXPECT_EQ(pieces, 16);
}

} // namespace
} // namespace volpt
