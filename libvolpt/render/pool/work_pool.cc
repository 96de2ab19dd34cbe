#include "libvolpt/render/pool/work_pool.h"

#include "libvolpt/sys/stopwatch.h"

#include <algorithm>

namespace volpt {
namespace {

constexpr std::size_t kNoEntry = SIZE_MAX;

void drop_front(SampleRanges& ranges, std::uint64_t count)
{
    SampleRange& front = ranges.front();
    front.first += count;
    front.count -= count;
    if (front.count == 0) ranges.erase(ranges.begin());
}

void drop_back(SampleRanges& ranges, std::uint64_t count)
{
    ranges.back().count -= count;
    if (ranges.back().count == 0) ranges.pop_back();
}

} // namespace

class WorkPool::Source final : public WorkSource {
public:
    Source(WorkPool& pool, Returns returns_samples) : returns(returns_samples), pool_(pool)
    {
        std::scoped_lock const lock(pool_.mutex_);
        worker = pool_.workers_.size();
        pool_.workers_.push_back({.can_return = returns == Returns::possible});
    }
    ~Source() override
    {
        std::scoped_lock const lock(pool_.mutex_);
        pool_.assign(*this, kNoEntry);
        pool_.workers_[worker].status = WorkerStatus::disconnected;
    }
    std::optional<WorkItem> take(WorkRequest const& request) override
    {
        std::scoped_lock const lock(pool_.mutex_);
        return pool_.take(*this, request);
    }
    bool is_recalled() const override
    {
        std::scoped_lock const lock(pool_.mutex_);
        return pool_.workers_[worker].is_recalled;
    }
    void return_samples(std::vector<SampleRanges> const& by_tile) override
    {
        std::scoped_lock const lock(pool_.mutex_);
        pool_.take_back(*this, by_tile);
    }
    bool may_get_returned() const override
    {
        std::scoped_lock const lock(pool_.mutex_);
        return pool_.may_get_returned(*this);
    }

    std::size_t worker; ///< index of its state
    Returns returns;
    std::size_t entry = kNoEntry; ///< taken from last

private:
    WorkPool& pool_;
};

WorkPool::WorkPool(std::vector<TileGroup> groups, std::uint32_t paths_per_sample, Options options)
    : paths_per_sample_(paths_per_sample), slow_workers_(options.slow_workers), rows_(options.rows),
      turn_(options.first_turn == 0 ? UINT64_MAX : options.first_turn),
      clock_(options.clock ? std::move(options.clock) : read_steady_clock_s),
      make_groups_(std::move(options.make_groups)), group_count_(groups.size())
{
    for (std::size_t i = 0; i < group_count_; ++i) {
        Entry const& entry =
            entries_.emplace_back(make_entry({.group = static_cast<std::uint32_t>(i)}, std::move(groups[i])));
        paths_left_ += entry.paths_per_sample * count_samples(entry.group.todo);
    }
}

std::unique_ptr<WorkSource> WorkPool::connect(Returns returns)
{
    return std::make_unique<Source>(*this, returns);
}

void WorkPool::close()
{
    std::scoped_lock const lock(mutex_);
    paths_left_ = 0;
    is_closed_ = true;
}

std::optional<WorkItem> WorkPool::take(Source& source, WorkRequest const& request)
{
    WorkerState& worker = workers_[source.worker];
    if (worker.status != WorkerStatus::active) return std::nullopt;
    PoolState const pool{clock_(), paths_left_, workers_};
    worker.rate = request.rate;
    worker.busy_until_s =
        pool.now_s + (request.rate > 0 ? static_cast<double>(request.pending_paths) / request.rate : 0);
    double const item_paths = choose_work_item_paths(pool, source.worker, request);
    std::optional<std::size_t> const entry = choose_entry(pool, source, request, item_paths);
    if (!entry) {
        recall_slower(source, request);
        return std::nullopt;
    }
    std::optional<std::uint64_t> const samples =
        choose_work_item_size(pool, source.worker, item_paths, entries_[*entry].paths_per_sample);
    if (!samples) {
        worker.status = WorkerStatus::dismissed;
        return std::nullopt;
    }
    bool const takes_last = slow_workers_ == SlowWorkers::take_last && is_slow(pool, source.worker);
    return cut(source, *entry, *samples, takes_last);
}

/// A group, or a row of one where a sample of the whole group would be too much for the worker; nothing if none is
/// left.
std::optional<std::size_t> WorkPool::choose_entry(PoolState const& pool, Source const& source,
                                                  WorkRequest const& request, double item_paths)
{
    if (paths_left_ == 0) return std::nullopt;
    std::optional<std::size_t> const group = choose_group(source);
    if (!group) return find_row(source);
    auto const sample_paths = static_cast<double>(entries_[*group].paths_per_sample);
    bool const is_small = sample_paths <= std::max(item_paths, 2 * request.rate * request.least_s);
    if (is_alone(pool) || is_small || !(find_row(source) || split_sample(*group))) return *group;
    return find_row(source);
}

/// The group that the worker took from last, or, when that one's turn is over, the one with the fewest workers.
std::optional<std::size_t> WorkPool::choose_group(Source const& source)
{
    for (;;) {
        bool is_left = false;
        std::optional<std::size_t> best;
        for (std::size_t i = 0; i < group_count_; ++i) {
            Entry const& entry = entries_[i];
            if (entry.group.todo.empty()) continue;
            is_left = true;
            if (entry.turn_left == 0) continue;
            if (i == source.entry) return i;
            if (!best || entry.workers < entries_[*best].workers) best = i;
        }
        if (best || !is_left) return best;
        start_turn();
    }
}

void WorkPool::start_turn()
{
    turn_ = turn_ > UINT64_MAX / 2 ? UINT64_MAX : 2 * turn_;
    for (std::size_t i = 0; i < group_count_; ++i) entries_[i].turn_left = turn_;
}

/// Of the rows and of what was returned.
std::optional<std::size_t> WorkPool::find_row(Source const& source) const
{
    for (std::size_t i = group_count_; i < entries_.size(); ++i)
        if (!entries_[i].group.todo.empty() && !(entries_[i].is_returned && source.returns == Returns::other_process))
            return i;
    return std::nullopt;
}

/// The pool is empty: slower workers return what they would hold up the end with.
void WorkPool::recall_slower(Source const& source, WorkRequest const& request)
{
    if (!make_groups_ || source.returns == Returns::other_process) return;
    PoolState const pool{clock_(), paths_left_, workers_};
    for (std::size_t i = 0; i < workers_.size(); ++i)
        if (should_recall(pool, i, source.worker, request)) workers_[i].is_recalled = true;
}

void WorkPool::take_back(Source const& source, std::vector<SampleRanges> const& by_tile)
{
    workers_[source.worker].status = WorkerStatus::dismissed;
    workers_[source.worker].can_return = false;
    if (is_closed_) return;
    for (TileGroup& group : make_groups_(by_tile)) {
        Entry& entry = entries_.emplace_back(make_entry({}, std::move(group)));
        entry.turn_left = UINT64_MAX;
        entry.is_returned = true;
        paths_left_ += entry.paths_per_sample * count_samples(entry.group.todo);
    }
}

bool WorkPool::may_get_returned(Source const& source) const
{
    if (is_closed_ || !make_groups_ || source.returns == Returns::other_process) return false;
    if (workers_[source.worker].status != WorkerStatus::active) return false;
    auto const may_return = [](WorkerState const& worker) {
        return worker.can_return && worker.has_taken && worker.status != WorkerStatus::disconnected;
    };
    return find_row(source) || std::ranges::any_of(workers_, may_return);
}

/// Moves the group's next sample to its rows; false if the group cannot be cut into rows.
bool WorkPool::split_sample(std::size_t index)
{
    TileGroup& group = entries_[index].group;
    std::uint32_t const rows = rows_ == Rows::possible ? count_tile_rows(group) : 1;
    if (rows < 2) return false;
    if (entries_[index].first_row == 0) make_rows(index);
    for (std::uint32_t row = 0; row < rows; ++row)
        insert_range(entries_[entries_[index].first_row + row].group.todo, {group.todo.front().first, 1});
    drop_front(group.todo, 1);
    return true;
}

void WorkPool::make_rows(std::size_t index)
{
    entries_[index].first_row = entries_.size();
    std::uint32_t const rows = count_tile_rows(entries_[index].group);
    for (std::uint32_t row = 0; row < rows; ++row) {
        TileGroupId const id{entries_[index].id.group, static_cast<std::int32_t>(row)};
        entries_.emplace_back(make_entry(id, cut_tile_row(entries_[index].group, row))).turn_left = UINT64_MAX;
    }
}

WorkItem WorkPool::cut(Source& source, std::size_t index, std::uint64_t samples, bool from_end)
{
    Entry& entry = entries_[index];
    SampleRanges& todo = entry.group.todo;
    SampleRange const range = from_end ? todo.back() : todo.front();
    std::uint64_t const count = std::min({samples, range.count, entry.turn_left});
    SampleRange const cut{from_end ? range.first + range.count - count : range.first, count};
    if (from_end)
        drop_back(todo, count);
    else
        drop_front(todo, count);
    if (entry.turn_left != UINT64_MAX) entry.turn_left -= count;
    std::uint64_t const paths = entry.paths_per_sample * count;
    paths_left_ -= paths;
    WorkerState& worker = workers_[source.worker];
    worker.has_taken = true;
    if (worker.rate > 0) worker.busy_until_s += static_cast<double>(paths) / worker.rate;
    assign(source, index);
    return {entry.id, &entry.group, cut, paths};
}

void WorkPool::assign(Source& source, std::size_t index)
{
    if (source.entry != kNoEntry) --entries_[source.entry].workers;
    source.entry = index;
    if (index != kNoEntry) ++entries_[index].workers;
}

WorkPool::Entry WorkPool::make_entry(TileGroupId id, TileGroup group) const
{
    std::uint64_t const paths = count_pixels(group) * paths_per_sample_;
    return {id, std::move(group), paths, turn_};
}

} // namespace volpt
