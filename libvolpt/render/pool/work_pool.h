// One pool of samples that workers of any speed take from, so that all end together.
#pragma once

#include "libvolpt/render/pool/work_source.h"

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace volpt {

/// Samples are handed out by guided self-scheduling (C. Polychronopoulos & D. Kuck, 1987) with the workers' measured
/// rates as weights: a batch is at most half of what its worker should still get if all are to end at the same time, so
/// that batches shrink towards the end. All calls from any thread.
class WorkPool {
public:
    /// Which samples of a group a seat gets that is much slower than the fastest. The last ones follow on each other,
    /// so that a CPU beside GPUs needs a bank of outcomes for several batches, not a new one for each.
    enum class SlowWorkers { take_first, take_last };

    struct Options {
        /// Groups take turns, first with so many samples, twice as many each time; 0: they need not.
        std::uint64_t first_turn = 0;
        SlowWorkers slow_workers = SlowWorkers::take_first;
        std::function<double()> clock = {}; ///< seconds; empty: the steady clock
    };

    /// A sample of a pixel is so many paths.
    WorkPool(std::vector<AreaGroup> groups, std::uint32_t paths_per_sample, Options options);
    WorkPool(std::vector<AreaGroup> groups, std::uint32_t paths_per_sample)
        : WorkPool(std::move(groups), paths_per_sample, Options())
    {
    }

    /// A seat at this pool, which outlives it.
    std::unique_ptr<WorkSource> connect();

    /// Nothing is handed out any more.
    void close();

private:
    class PoolWorkSource;
    /// A group with what is left of it, or a part: a row of tiles of a group, with samples that were cut into such
    /// rows.
    struct Entry {
        AreaName name;
        AreaGroup group;
        std::uint64_t paths_of_sample;
        std::uint64_t turn_left;
        std::size_t first_part = 0; ///< of the rows' entries; 0: never cut
        int workers = 0;
    };

    std::optional<WorkItem> take(PoolWorkSource& source, WorkRequest const& request);
    std::optional<std::size_t> choose_group(PoolWorkSource const& source);
    std::optional<std::size_t> find_part() const;
    std::optional<WorkItem> cut_unless_others_are_sooner(PoolWorkSource& source, std::size_t index,
                                                         std::uint64_t samples);
    bool others_are_sooner(PoolWorkSource const& source, std::uint64_t paths) const;
    double find_fastest(PoolWorkSource const* without) const;
    double predict_end(double unknown_rate, PoolWorkSource const* without) const;
    WorkItem cut(PoolWorkSource& source, std::size_t index, std::uint64_t samples);
    void move_to(PoolWorkSource& source, std::size_t index);
    bool split_sample(std::size_t index);
    void make_parts(std::size_t index);
    Entry make_entry(AreaName name, AreaGroup group) const;

    std::mutex mutex_;
    std::uint32_t paths_per_sample_;
    SlowWorkers slow_workers_;
    std::uint64_t turn_;
    std::function<double()> clock_;
    std::deque<Entry> entries_; ///< groups, then parts; never moved
    std::size_t group_count_;
    std::vector<PoolWorkSource*> sources_;
    std::uint64_t paths_left_ = 0; ///< not taken
};

} // namespace volpt
