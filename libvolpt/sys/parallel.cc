#include "libvolpt/sys/parallel.h"

#include <algorithm>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

namespace volpt {

void parallel_for(int threads, std::size_t pieces, std::function<void(std::size_t)> const& work)
{
    if (threads <= 1 || pieces <= 1) {
        for (std::size_t piece = 0; piece < pieces; ++piece) work(piece);
        return;
    }
    // oneTBB prints a warning where an arena asks for more threads than the machine has.
    tbb::task_arena arena(std::min(threads, tbb::info::default_concurrency()));
    arena.execute([&] { tbb::parallel_for(std::size_t{0}, pieces, work); });
}

void parallel_for_rows(int threads, int height, int rows_per_piece, std::function<void(RowRange)> const& work)
{
    int const pieces = (height + rows_per_piece - 1) / rows_per_piece;
    parallel_for(threads, static_cast<std::size_t>(pieces), [&](std::size_t piece) {
        int const first = static_cast<int>(piece) * rows_per_piece;
        work(RowRange{first, std::min(height, first + rows_per_piece)});
    });
}

} // namespace volpt
