// Loops on threads that end with them: every piece once, conclusions in order, the lowest failure.
#include "libvolpt/sys/parallel.h"

#include <array>
#include <atomic>
#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <vector>

namespace volpt {
namespace {

constexpr std::size_t kPieces = 200;
constexpr std::array kThreads{1, 2, 3, 8};

TEST(ParallelForJoined, DoesEveryPieceOnceAndNamesBuffersOfItsOwn)
{
    for (int const threads : kThreads) {
        std::vector<int> done(kPieces);
        std::array<std::atomic<int>, 8> users{};
        parallel_for_joined(threads, kPieces, [&](std::size_t piece, int worker) {
            ASSERT_LT(worker, threads);
            auto& user = users[static_cast<std::size_t>(worker)];
            EXPECT_EQ(user.fetch_add(1), 0);
            ++done[piece];
            user.fetch_sub(1);
        });
        EXPECT_EQ(done, std::vector<int>(kPieces, 1)) << threads;
    }
    parallel_for_joined(4, 0, [](std::size_t, int) { FAIL(); });
}

TEST(ParallelForOrdered, ConcludesInOrderOnTheThreadThatWorked)
{
    for (int const threads : kThreads) {
        std::vector<std::size_t> of_worker(8), concluded;
        parallel_for_ordered(
            threads, kPieces,
            [&](std::size_t piece, int worker) { of_worker[static_cast<std::size_t>(worker)] = piece; },
            [&](std::size_t piece, int worker) {
                EXPECT_EQ(of_worker[static_cast<std::size_t>(worker)], piece);
                concluded.push_back(piece);
            });
        ASSERT_EQ(concluded.size(), kPieces);
        for (std::size_t i = 0; i < kPieces; ++i) EXPECT_EQ(concluded[i], i);
    }
}

TEST(ParallelForOrdered, ThrowsTheLowestFailureAndConcludesWhatIsBeforeIt)
{
    auto const fail_at = [](std::size_t piece, std::size_t from, std::string const& text) {
        if (piece >= from) throw std::runtime_error(text + std::to_string(piece));
    };
    auto const message_of = [](auto const& run) -> std::string {
        try {
            run();
        } catch (std::runtime_error const& error) {
            return error.what();
        }
        return "nothing";
    };
    for (int const threads : kThreads) {
        std::size_t concluded = 0;
        auto const count = [&](std::size_t, int) { ++concluded; };
        auto const work = [&](std::size_t piece, int) { fail_at(piece, 50, "work "); };
        EXPECT_EQ(message_of([&] { parallel_for_joined(threads, kPieces, work); }), "work 50");
        EXPECT_EQ(message_of([&] { parallel_for_ordered(threads, kPieces, work, count); }), "work 50");
        EXPECT_EQ(concluded, 50u);
        auto const conclude = [&](std::size_t piece, int) { fail_at(piece, 49, "conclude "); };
        EXPECT_EQ(message_of([&] { parallel_for_ordered(threads, kPieces, work, conclude); }), "conclude 49");
    }
}

} // namespace
} // namespace volpt
