// oneTBB's arenas, kept from loop to loop.
#pragma once

#include <cstddef>
#include <functional>

namespace volpt {

/// Calls work() in a task arena of at most `threads` threads, at least one and no more than the machine has, which no
/// other call uses meanwhile. Throws what work() throws. The limits of parallel_for (parallel.h) hold for it, too.
///
/// The arena is kept for later calls: one that is destroyed is freed only once a worker thread has left it, and while
/// the machine is busy new ones come faster than that (oneTBB issue 967; 2021.8 grew by 2.4 kB per loop of 16 pieces).
void run_in_arena(int threads, std::function<void()> const& work);

/// Arenas kept in this process: for each number of threads, as many as were used at a time.
std::size_t count_kept_arenas();

} // namespace volpt
