// Loops over pieces of work on several threads: by oneTBB, or on threads that end with the loop.
#pragma once

#include <cstddef>
#include <functional>

namespace volpt {

/// Calls work(piece) for each piece in 0 .. pieces - 1, in any order, on up to `threads` threads including the caller's
/// and on no more than the machine has. One of the exceptions that pieces throw is thrown here, once all running pieces
/// have ended; the remaining pieces are then left out.
///
/// No loop of more than one thread may run before a reader's sandbox forks (sandbox.h). Its child runs OpenVDB, hence
/// oneTBB, without exec: it would inherit a scheduler whose worker threads do not exist in the child, and wait for
/// them. Code that volprep calls before it has opened its volumes, such as the readers of pictures, must therefore not
/// use this. A loop of one thread starts no scheduler.
void parallel_for(int threads, std::size_t pieces, std::function<void(std::size_t)> const& work);

/// Rows [first, end) of an image.
struct RowRange {
    int first;
    int end;
};

/// parallel_for over ranges of at most `rows_per_piece` rows that cover 0 .. height - 1. The ranges do not depend on
/// the number of threads, so that sums kept per range have the same bits for any number.
void parallel_for_rows(int threads, int height, int rows_per_piece, std::function<void(RowRange)> const& work);

/// `worker` is below the number of threads, and no two threads have the same at a time: it names buffers.
using PieceWork = std::function<void(std::size_t piece, int worker)>;

/// The same on threads that all have ended when it returns, so that it may also run before a sandbox forks, on as many
/// as asked for. Pieces begin in ascending order; the exception thrown here is that of the lowest piece that fails, as
/// on one thread. Where the system gives no more threads, those that it gave do the work.
void parallel_for_joined(int threads, std::size_t pieces, PieceWork const& work);

/// The same, and after work(piece) conclude(piece) is called on that thread: for one piece at a time, in ascending
/// order, as long as no piece before it has failed.
void parallel_for_ordered(int threads, std::size_t pieces, PieceWork const& work, PieceWork const& conclude);

} // namespace volpt
