// How large a worker's next work item is: the policy of WorkPool, without its bookkeeping and its clock.
#pragma once

#include "libvolpt/render/pool/work_source.h"

#include <span>

namespace volpt {

enum class WorkerStatus {
    active,
    dismissed,    ///< was told that nothing is left for it
    disconnected, ///< has ended
};

/// A worker as it last described itself.
struct WorkerState {
    WorkerStatus status = WorkerStatus::active;
    double rate = 0;         ///< paths per second; 0: not known
    double busy_until_s = 0; ///< when all that it has taken is done, at its rate
    bool can_return = false; ///< can stop in the middle and return samples
    bool has_taken = false;  ///< anything so far
    bool is_recalled = false;
};

/// All that the policy depends on.
struct PoolState {
    double now_s = 0;
    std::uint64_t paths_left = 0; ///< not handed out
    std::span<WorkerState const> workers;
};

/// Whether only one worker is connected: it need not leave work for others.
bool is_alone(PoolState const& pool);
/// The highest rate of the active workers, without that of number `except`; 0 if none is known.
double find_fastest_rate(PoolState const& pool, std::optional<std::size_t> except = {});

/// Whether the worker's rate is known, and below a quarter of the fastest one's.
bool is_slow(PoolState const& pool, std::size_t worker);

/// Paths that worker number `worker` should take next, before rounding to whole samples; its state is up to date.
///
/// Guided self-scheduling (C. Polychronopoulos & D. Kuck, 1987) with measured rates as weights: half of what the worker
/// should still do if all workers are to end at the same time, so that items shrink towards the end; never less than
/// lasts WorkRequest::least_s, nor more than lasts WorkRequest::duration_s.
double choose_work_item_paths(PoolState const& pool, std::size_t worker, WorkRequest const& request);

/// The same in samples of `paths_per_sample` paths, at least one. Nothing if the other workers would finish such a
/// sample before this worker could, or if a slow worker, that may have to return it, could add no more than a return
/// costs; the fastest worker always gets one.
std::optional<std::uint64_t> choose_work_item_size(PoolState const& pool, std::size_t worker, double item_paths,
                                                   std::uint64_t paths_per_sample);

/// Whether worker number `index`, who got nothing from an empty pool, would finish sooner what worker `other` still has
/// than that one itself. So it is where the rate of one of them is not known, and where `other` is late by its own
/// rate.
bool should_recall(PoolState const& pool, std::size_t other, std::size_t index, WorkRequest const& request);

} // namespace volpt
