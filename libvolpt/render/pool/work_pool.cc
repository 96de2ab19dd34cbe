// Cuts batches off groups, by the rates of those who ask.
#include "libvolpt/render/pool/work_pool.h"

#include "libvolpt/sys/stopwatch.h"

#include <algorithm>
#include <limits>

namespace volpt {
namespace {

constexpr double kSlow = 0.25; // of the fastest seat's rate
// What is left of a seat's share is handed out whole from here on: others, who ask so long before they are idle, have
// emptied the pool before this seat asks again.
constexpr double kLastBatch_s = 0.25;
constexpr double kMostSamples = 0x1p62; // of a batch: what a double holds and an integer, too

/// Removes the first `count` samples.
void drop_front(SampleRanges& ranges, std::uint64_t count)
{
    SampleRange& front = ranges.front();
    front.first += count;
    front.count -= count;
    if (front.count == 0) ranges.erase(ranges.begin());
}

/// Removes the last `count` samples.
void drop_back(SampleRanges& ranges, std::uint64_t count)
{
    ranges.back().count -= count;
    if (ranges.back().count == 0) ranges.pop_back();
}

} // namespace

class WorkPool::PoolWorkSource final : public WorkSource {
public:
    explicit PoolWorkSource(WorkPool& pool) : pool_(pool)
    {
        std::scoped_lock const lock(pool_.mutex_);
        pool_.sources_.push_back(this);
    }
    ~PoolWorkSource() override
    {
        std::scoped_lock const lock(pool_.mutex_);
        pool_.move_to(*this, SIZE_MAX);
        std::erase(pool_.sources_, this);
    }
    std::optional<WorkItem> take(WorkRequest const& request) override
    {
        std::scoped_lock const lock(pool_.mutex_);
        return pool_.take(*this, request);
    }

    double rate = 0;              ///< 0: not known
    double busy_until_s = 0;      ///< when what it has taken is done, by its rate
    bool is_done = false;         ///< others are sooner
    std::size_t entry = SIZE_MAX; ///< taken from last

private:
    WorkPool& pool_;
};

WorkPool::WorkPool(std::vector<AreaGroup> groups, std::uint32_t paths_per_sample, Options options)
    : paths_per_sample_(paths_per_sample), slow_workers_(options.slow_workers),
      turn_(options.first_turn == 0 ? UINT64_MAX : options.first_turn),
      clock_(options.clock ? std::move(options.clock) : read_steady_clock_s), group_count_(groups.size())
{
    for (std::size_t i = 0; i < group_count_; ++i) {
        Entry const& entry =
            entries_.emplace_back(make_entry({static_cast<std::uint32_t>(i), kAllRows}, std::move(groups[i])));
        paths_left_ += entry.paths_of_sample * count_samples(entry.group.todo);
    }
}

std::unique_ptr<WorkSource> WorkPool::connect()
{
    return std::make_unique<PoolWorkSource>(*this);
}

void WorkPool::close()
{
    std::scoped_lock const lock(mutex_);
    paths_left_ = 0;
}

std::optional<WorkItem> WorkPool::take(PoolWorkSource& source, WorkRequest const& request)
{
    if (paths_left_ == 0 || source.is_done) return std::nullopt;
    source.rate = request.rate;
    source.busy_until_s = clock_() + (request.rate > 0 ? static_cast<double>(request.pending_paths) / request.rate : 0);
    bool const alone = sources_.size() == 1;
    double wanted = request.rate > 0 ? request.rate * request.duration_s : static_cast<double>(request.first_paths);
    if (!alone && request.rate > 0) {
        double const fair_s = std::max(0.0, predict_end(request.rate, nullptr) - source.busy_until_s);
        wanted =
            std::min(wanted, request.rate * std::max(fair_s < kLastBatch_s ? fair_s : fair_s / 2, request.least_s));
    }
    auto const count = [&](std::size_t index) {
        return static_cast<std::uint64_t>(
            std::clamp(wanted / static_cast<double>(entries_[index].paths_of_sample), 1.0, kMostSamples));
    };
    if (std::optional<std::size_t> const group = choose_group(source)) {
        auto const of_sample = static_cast<double>(entries_[*group].paths_of_sample);
        bool const is_short = of_sample <= std::max(wanted, 2 * request.rate * request.least_s);
        if (alone || is_short || !(find_part() || split_sample(*group)))
            return cut_unless_others_are_sooner(source, *group, count(*group));
    }
    std::size_t const part = *find_part();
    return cut_unless_others_are_sooner(source, part, count(part));
}

/// The group that the seat took from last while its turn lasts, else one that few others work on.
std::optional<std::size_t> WorkPool::choose_group(PoolWorkSource const& source)
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
        turn_ = turn_ > UINT64_MAX / 2 ? UINT64_MAX : 2 * turn_;
        for (std::size_t i = 0; i < group_count_; ++i) entries_[i].turn_left = turn_;
    }
}

std::optional<std::size_t> WorkPool::find_part() const
{
    for (std::size_t i = group_count_; i < entries_.size(); ++i)
        if (!entries_[i].group.todo.empty()) return i;
    return std::nullopt;
}

std::optional<WorkItem> WorkPool::cut_unless_others_are_sooner(PoolWorkSource& source, std::size_t index,
                                                               std::uint64_t samples)
{
    source.is_done = others_are_sooner(source, entries_[index].paths_of_sample);
    if (source.is_done) return std::nullopt;
    return cut(source, index, samples);
}

/// Whether `paths` would be done sooner if the seat left them to the others. Never so for the fastest.
bool WorkPool::others_are_sooner(PoolWorkSource const& source, std::uint64_t paths) const
{
    double const fastest = find_fastest(&source);
    if (source.rate <= 0 || fastest <= source.rate) return false;
    double const alone_s = source.busy_until_s + static_cast<double>(paths) / source.rate;
    return alone_s > predict_end(0, &source) + static_cast<double>(paths) / fastest;
}

/// When all is done if every seat gets what it can do until then. Seats whose rate is not known count with
/// `unknown_rate`.
double WorkPool::predict_end(double unknown_rate, PoolWorkSource const* without) const
{
    double const now_s = clock_();
    double end_s = std::numeric_limits<double>::infinity();
    for (;;) { // those who are busy for longer take no part; each round leaves some out or is the last
        double rates = 0;
        double paths = static_cast<double>(paths_left_);
        for (PoolWorkSource const* const source : sources_) {
            double const rate = source->rate > 0 ? source->rate : unknown_rate;
            double const from_s = std::max(now_s, source->busy_until_s);
            if (source == without || source->is_done || rate <= 0 || from_s >= end_s) continue;
            rates += rate;
            paths += rate * (from_s - now_s);
        }
        double const next_s = now_s + paths / rates;
        if (!(next_s < end_s)) return end_s;
        end_s = next_s;
    }
}

WorkItem WorkPool::cut(PoolWorkSource& source, std::size_t index, std::uint64_t samples)
{
    Entry& entry = entries_[index];
    SampleRanges& todo = entry.group.todo;
    bool const takes_last =
        slow_workers_ == SlowWorkers::take_last && source.rate > 0 && source.rate < kSlow * find_fastest(nullptr);
    SampleRange const range = takes_last ? todo.back() : todo.front();
    std::uint64_t const count = std::min({samples, range.count, entry.turn_left});
    SampleRange const cut{takes_last ? range.first + range.count - count : range.first, count};
    if (takes_last)
        drop_back(todo, count);
    else
        drop_front(todo, count);
    if (entry.turn_left != UINT64_MAX) entry.turn_left -= count;
    std::uint64_t const paths = entry.paths_of_sample * count;
    paths_left_ -= paths;
    if (source.rate > 0) source.busy_until_s += static_cast<double>(paths) / source.rate;
    move_to(source, index);
    return {entry.name, &entry.group, cut, paths};
}

double WorkPool::find_fastest(PoolWorkSource const* without) const
{
    double fastest = 0;
    for (PoolWorkSource const* const source : sources_)
        if (source != without && !source->is_done) fastest = std::max(fastest, source->rate);
    return fastest;
}

void WorkPool::move_to(PoolWorkSource& source, std::size_t index)
{
    if (source.entry < entries_.size()) --entries_[source.entry].workers;
    source.entry = index;
    if (index < entries_.size()) ++entries_[index].workers;
}

/// Moves the group's next sample to its parts; false if it has no rows of tiles to be cut into.
bool WorkPool::split_sample(std::size_t index)
{
    AreaGroup& group = entries_[index].group;
    std::uint32_t const rows = count_tile_rows(group);
    if (rows < 2) return false;
    if (entries_[index].first_part == 0) make_parts(index);
    for (std::uint32_t row = 0; row < rows; ++row)
        insert_range(entries_[entries_[index].first_part + row].group.todo, {group.todo.front().first, 1});
    drop_front(group.todo, 1);
    return true;
}

void WorkPool::make_parts(std::size_t index)
{
    entries_[index].first_part = entries_.size();
    std::uint32_t const rows = count_tile_rows(entries_[index].group);
    for (std::uint32_t row = 0; row < rows; ++row) {
        AreaName const name{entries_[index].name.group, static_cast<std::int32_t>(row)};
        entries_.emplace_back(make_entry(name, cut_tile_row(entries_[index].group, row))).turn_left = UINT64_MAX;
    }
}

WorkPool::Entry WorkPool::make_entry(AreaName name, AreaGroup group) const
{
    std::uint64_t const paths = count_pixels(group) * paths_per_sample_;
    return {name, std::move(group), paths, turn_};
}

} // namespace volpt
