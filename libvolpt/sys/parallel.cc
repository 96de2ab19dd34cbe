#include "libvolpt/sys/parallel.h"

#include "libvolpt/sys/threads/task_arenas.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <limits>
#include <mutex>
#include <oneapi/tbb/parallel_for.h>
#include <system_error>
#include <thread>
#include <vector>

namespace volpt {
namespace {

/// Hands out pieces and remembers the lowest one that failed.
class PieceRun {
public:
    PieceRun(std::size_t pieces, PieceWork const& work, PieceWork const& conclude)
        : pieces_(pieces), work_(work), conclude_(conclude)
    {
    }

    void run(int worker)
    {
        for (std::size_t piece = 0; take(piece);) {
            attempt(piece, [&] { work_(piece, worker); });
            if (!conclude_) continue;
            if (wait_for_turn(piece)) attempt(piece, [&] { conclude_(piece, worker); });
            end_turn();
        }
    }

    void rethrow_failure() const
    {
        if (failure_) std::rethrow_exception(failure_);
    }

private:
    bool take(std::size_t& piece)
    {
        std::scoped_lock const lock(mutex_);
        if (failure_ || next_ == pieces_) return false;
        piece = next_++;
        return true;
    }

    template <typename Step>
    void attempt(std::size_t piece, Step const& step)
    {
        try {
            step();
        } catch (...) {
            std::scoped_lock const lock(mutex_);
            if (piece > failed_piece_) return;
            failed_piece_ = piece;
            failure_ = std::current_exception();
        }
    }

    /// False if this piece or one before it has failed.
    bool wait_for_turn(std::size_t piece)
    {
        std::unique_lock lock(mutex_);
        turn_came_.wait(lock, [&] { return turn_ == piece; });
        return piece < failed_piece_;
    }

    void end_turn()
    {
        {
            std::scoped_lock const lock(mutex_);
            ++turn_;
        }
        turn_came_.notify_all();
    }

    std::size_t pieces_;
    PieceWork const& work_;
    PieceWork const& conclude_;
    std::mutex mutex_;
    std::condition_variable turn_came_;
    std::size_t next_ = 0;
    std::size_t turn_ = 0;
    std::size_t failed_piece_ = std::numeric_limits<std::size_t>::max();
    std::exception_ptr failure_;
};

} // namespace

void parallel_for(int threads, std::size_t pieces, std::function<void(std::size_t)> const& work)
{
    if (threads <= 1 || pieces <= 1) {
        for (std::size_t piece = 0; piece < pieces; ++piece) work(piece);
        return;
    }
    run_in_arena(threads, [&] { tbb::parallel_for(std::size_t{0}, pieces, work); });
}

void parallel_for_rows(int threads, int height, int rows_per_piece, std::function<void(RowRange)> const& work)
{
    int const pieces = (height + rows_per_piece - 1) / rows_per_piece;
    parallel_for(threads, static_cast<std::size_t>(pieces), [&](std::size_t piece) {
        int const first = static_cast<int>(piece) * rows_per_piece;
        work(RowRange{first, std::min(height, first + rows_per_piece)});
    });
}

void parallel_for_joined(int threads, std::size_t pieces, PieceWork const& work)
{
    parallel_for_ordered(threads, pieces, work, {});
}

void parallel_for_ordered(int threads, std::size_t pieces, PieceWork const& work, PieceWork const& conclude)
{
    PieceRun run(pieces, work, conclude);
    std::size_t const workers = std::min(static_cast<std::size_t>(std::max(1, threads)), pieces);
    {
        std::vector<std::jthread> others;
        try {
            for (std::size_t worker = 1; worker < workers; ++worker)
                others.emplace_back([&run, worker] { run.run(static_cast<int>(worker)); });
        } catch (std::system_error const&) {
        }
        run.run(0);
    }
    run.rethrow_failure();
}

} // namespace volpt
