// Where a worker gets its work items, be the pool in this process or on rank 0.
#pragma once

#include "libvolpt/render/pool/tile_groups.h"

#include <optional>
#include <vector>

namespace volpt {

/// What a worker takes at a time: samples of all pixels of a group, or of one row of its file tiles.
struct WorkItem {
    TileGroupId group_id;
    TileGroup const* group = nullptr; ///< that `group_id` names; valid as long as the pool
    SampleRange samples;
    std::uint64_t paths = 0;
};

/// How much a worker wants, and how fast it is.
struct WorkRequest {
    std::uint64_t first_paths = 1;   ///< size of the item while the rate is not known
    double duration_s = 1;           ///< the item should last at most about this long
    double least_s = 0;              ///< shorter items are not worth their overhead
    double rate = 0;                 ///< paths per second, measured recently; 0: not known
    std::uint64_t pending_paths = 0; ///< taken earlier and not yet done
};

/// Whether a worker can return samples that it has taken. One of another process cannot, and gets none that were
/// returned, since its process does not have their groups.
enum class Returns { possible, never, other_process };

/// One worker's connection to a pool. Destroying it disconnects the worker.
class WorkSource {
public:
    virtual ~WorkSource() = default;
    /// The next work item, of the same group as the last one where possible. Nothing if no work is left, or if the
    /// other workers will have finished the rest before this worker could finish one more item: it is to end then. May
    /// wait for an answer from another process.
    virtual std::optional<WorkItem> take(WorkRequest const& request) = 0;

    /// Whether another worker would finish sooner what this worker has taken and not done. A worker that can return
    /// samples asks about once per millisecond; it then stops, calls return_samples once, and ends.
    virtual bool is_recalled() const { return false; }
    /// Samples that were taken and are in no film, by file tile (one entry each).
    virtual void return_samples(std::vector<SampleRanges> const& by_tile) { static_cast<void>(by_tile); }
    /// After `take` gave nothing: whether another worker may still return samples, so that `take` is worth a call
    /// again.
    virtual bool may_get_returned() const { return false; }
};

} // namespace volpt
