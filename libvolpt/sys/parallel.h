// Spreads equal pieces of work over threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace volpt {

/// Calls work(piece) for each piece in 0 .. pieces - 1, on up to `threads` threads, in any order. The first exception
/// that a piece throws is thrown here once all threads have ended.
template <class Work>
void for_each_piece(int threads, std::size_t pieces, Work&& work)
{
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    std::exception_ptr failure;
    auto const run = [&] {
        for (std::size_t piece = next++; piece < pieces; piece = next++) try {
                work(piece);
            } catch (...) {
                std::lock_guard const lock(mutex);
                if (!failure) failure = std::current_exception();
                next = pieces;
            }
    };
    std::size_t const helpers = std::min<std::size_t>(static_cast<std::size_t>(std::max(threads, 1)), pieces);
    {
        std::vector<std::jthread> others;
        for (std::size_t i = 1; i < helpers; ++i) others.emplace_back(run);
        run();
    }
    if (failure) std::rethrow_exception(failure);
}

/// Rows [first, end) of a picture.
struct RowRange {
    int first;
    int end;
};

/// Calls work(RowRange) for ranges of at most `rows_a_piece` rows that cover 0 .. height - 1.
template <class Work>
void for_each_rows(int threads, int height, int rows_a_piece, Work&& work)
{
    int const pieces = (height + rows_a_piece - 1) / rows_a_piece;
    for_each_piece(threads, static_cast<std::size_t>(pieces), [&](std::size_t piece) {
        int const first = static_cast<int>(piece) * rows_a_piece;
        work(RowRange{first, std::min(height, first + rows_a_piece)});
    });
}

} // namespace volpt
