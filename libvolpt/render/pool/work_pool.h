// The samples still to be rendered, from which workers of any speed take work items so that all end at the same time.
#pragma once

#include "libvolpt/render/pool/work_item_size.h"

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace volpt {

/// Keeps count of what is left of each tile group and who works on it; work_item_size.h decides how much a worker gets.
/// All calls from any thread.
class WorkPool {
public:
    /// Which samples of a group a worker gets that is much slower than the fastest. The last ones are contiguous from
    /// one item to the next, so that a CPU beside GPUs uses a bank of outcomes for several items, not a new one for
    /// each.
    enum class SlowWorkers { take_first, take_last };

    /// Whether a sample of a group can be cut into rows of file tiles. Not one of chains, which add to any pixel.
    enum class Rows { possible, never };

    struct Options {
        /// Groups take turns of this many samples, doubled each time all have had theirs; 0: no turns.
        std::uint64_t first_turn = 0;
        SlowWorkers slow_workers = SlowWorkers::take_first;
        Rows rows = Rows::possible;
        std::function<double()> clock = {}; ///< seconds; empty: the steady clock
        /// Cuts what a worker returns, by file tile, into groups; empty: nobody is asked to return anything.
        std::function<std::vector<TileGroup>(std::vector<SampleRanges> const&)> make_groups = {};
    };

    /// `paths_per_sample`: of one pixel.
    WorkPool(std::vector<TileGroup> groups, std::uint32_t paths_per_sample, Options options);
    WorkPool(std::vector<TileGroup> groups, std::uint32_t paths_per_sample)
        : WorkPool(std::move(groups), paths_per_sample, Options())
    {
    }

    /// Connects a worker; ends before the pool.
    std::unique_ptr<WorkSource> connect(Returns returns = Returns::never);

    /// Hands out nothing from now on.
    void close();

private:
    class Source;
    /// What is left of a group, or of one row of its file tiles: samples that were split into rows.
    struct Entry {
        TileGroupId id;
        TileGroup group;
        std::uint64_t paths_per_sample;
        std::uint64_t turn_left;
        std::size_t first_row = 0; ///< entry of row 0; 0: never split
        int workers = 0;           ///< that took from it last
        bool is_returned = false;
    };

    std::optional<WorkItem> take(Source& source, WorkRequest const& request);
    std::optional<std::size_t> choose_entry(PoolState const& pool, Source const& source, WorkRequest const& request,
                                            double item_paths);
    std::optional<std::size_t> choose_group(Source const& source);
    void start_turn();
    std::optional<std::size_t> find_row(Source const& source) const;
    void recall_slower(Source const& source, WorkRequest const& request);
    void take_back(Source const& source, std::vector<SampleRanges> const& by_tile);
    bool may_get_returned(Source const& source) const;
    bool split_sample(std::size_t index);
    void make_rows(std::size_t index);
    WorkItem cut(Source& source, std::size_t index, std::uint64_t samples, bool from_end);
    void assign(Source& source, std::size_t index);
    Entry make_entry(TileGroupId id, TileGroup group) const;

    std::mutex mutex_;
    std::uint32_t paths_per_sample_;
    SlowWorkers slow_workers_;
    Rows rows_;
    std::uint64_t turn_;
    std::function<double()> clock_;
    std::function<std::vector<TileGroup>(std::vector<SampleRanges> const&)> make_groups_;
    std::deque<Entry> entries_; ///< groups, then rows; addresses stay
    std::size_t group_count_;
    std::vector<WorkerState> workers_; ///< all that ever connected
    std::uint64_t paths_left_ = 0;     ///< not handed out
    bool is_closed_ = false;
};

} // namespace volpt
