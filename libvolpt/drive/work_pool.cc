// Cuts batches off groups, by the rates of those who ask.
#include "libvolpt/drive/work_pool.h"

#include <algorithm>

namespace volpt {
namespace {

constexpr double kMostSamples = 0x1p62; // of a batch: what a double holds and an integer, too

std::uint64_t count_pixels(AreaGroup const& group)
{
    std::uint64_t pixels = 0;
    for (RenderBlock const& area : group.areas) pixels += std::uint64_t{area.x1 - area.x0} * (area.y1 - area.y0);
    return pixels;
}

/// Removes the first `count` samples.
void drop_front(SampleRanges& ranges, std::uint64_t count)
{
    SampleRange& front = ranges.front();
    front.first += count;
    front.count -= count;
    if (front.count == 0) ranges.erase(ranges.begin());
}

} // namespace

WorkPool::Seat::Seat(WorkPool& pool) : pool_(pool)
{
    std::scoped_lock const lock(pool_.mutex_);
    pool_.seats_.push_back(this);
}

WorkPool::Seat::~Seat()
{
    std::scoped_lock const lock(pool_.mutex_);
    pool_.move_to(*this, SIZE_MAX);
    std::erase(pool_.seats_, this);
}

void WorkPool::Seat::tell_rate(double rate)
{
    std::scoped_lock const lock(pool_.mutex_);
    rate_ = rate;
}

std::optional<Batch> WorkPool::Seat::take(Wish const& wish)
{
    std::scoped_lock const lock(pool_.mutex_);
    return pool_.take(*this, wish);
}

WorkPool::WorkPool(std::vector<AreaGroup> groups, std::uint32_t paths_a_sample, std::uint64_t first_turn)
    : paths_a_sample_(paths_a_sample), turn_(first_turn == 0 ? UINT64_MAX : first_turn), group_count_(groups.size())
{
    for (AreaGroup& group : groups) {
        Entry const& entry = entries_.emplace_back(make_entry(std::move(group)));
        total_paths_ += entry.paths_of_sample * count_samples(entry.group.todo);
    }
    paths_left_ = total_paths_;
}

std::optional<Batch> WorkPool::take(Seat& seat, Wish const& wish)
{
    if (paths_left_ == 0 || seat.is_done_) return std::nullopt;
    bool const alone = seats_.size() == 1;
    double wanted = seat.rate_ > 0 ? seat.rate_ * wish.duration_s : static_cast<double>(wish.first_paths);
    if (!alone && seat.rate_ > 0) {
        double const fair = static_cast<double>(paths_left_) * seat.rate_ / sum_rates();
        wanted = std::min(wanted, std::max(fair / 2, seat.rate_ * wish.least_s));
    }
    if (std::optional<std::size_t> const group = choose_group(seat)) {
        auto const of_sample = static_cast<double>(entries_[*group].paths_of_sample);
        bool const is_short = of_sample <= std::max(wanted, 2 * seat.rate_ * wish.least_s);
        if (alone || is_short || !split_sample(*group))
            return cut_unless_others_are_sooner(seat, *group, static_cast<std::uint64_t>(std::clamp(wanted / of_sample, 1.0, kMostSamples)));
    }
    return cut_unless_others_are_sooner(seat, *find_part(), 1);
}

/// The group that the seat took from last while its turn lasts, else one that few others work on.
std::optional<std::size_t> WorkPool::choose_group(Seat const& seat)
{
    for (;;) {
        bool is_left = false;
        std::optional<std::size_t> best;
        for (std::size_t i = 0; i < group_count_; ++i) {
            Entry const& entry = entries_[i];
            if (entry.group.todo.empty()) continue;
            is_left = true;
            if (entry.turn_left == 0) continue;
            if (i == seat.entry_) return i;
            if (!best || entry.visitors < entries_[*best].visitors) best = i;
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

std::optional<Batch> WorkPool::cut_unless_others_are_sooner(Seat& seat, std::size_t index, std::uint64_t samples)
{
    seat.is_done_ = others_are_sooner(seat, entries_[index].paths_of_sample);
    if (seat.is_done_) return std::nullopt;
    return cut(seat, index, samples);
}

/// Whether `paths` would be done sooner if the seat left them to the others. Never so for the fastest.
bool WorkPool::others_are_sooner(Seat const& seat, std::uint64_t paths) const
{
    double fastest = 0;
    for (Seat const* const other : seats_)
        if (other != &seat && !other->is_done_) fastest = std::max(fastest, other->rate_);
    if (seat.rate_ <= 0 || fastest <= seat.rate_) return false;
    double const alone_s = static_cast<double>(paths) / seat.rate_;
    double const others_s = static_cast<double>(paths_left_) / (sum_rates() - seat.rate_) + static_cast<double>(paths) / fastest;
    return alone_s > others_s;
}

double WorkPool::sum_rates() const
{
    double sum = 0;
    for (Seat const* const seat : seats_)
        if (!seat->is_done_) sum += seat->rate_;
    return sum;
}

Batch WorkPool::cut(Seat& seat, std::size_t index, std::uint64_t samples)
{
    Entry& entry = entries_[index];
    SampleRange const front = entry.group.todo.front();
    std::uint64_t const count = std::min({samples, front.count, entry.turn_left});
    drop_front(entry.group.todo, count);
    if (entry.turn_left != UINT64_MAX) entry.turn_left -= count;
    paths_left_ -= entry.paths_of_sample * count;
    move_to(seat, index);
    return {&entry.group, {front.first, count}, entry.paths_of_sample * count};
}

void WorkPool::move_to(Seat& seat, std::size_t index)
{
    if (seat.entry_ < entries_.size()) --entries_[seat.entry_].visitors;
    seat.entry_ = index;
    if (index < entries_.size()) ++entries_[index].visitors;
}

/// Moves the group's next sample to its parts; false if it has no rows of tiles to be cut into.
bool WorkPool::split_sample(std::size_t index)
{
    AreaGroup& group = entries_[index].group;
    if (group.areas.size() != 1 || group.areas[0].y1 - group.areas[0].y0 <= kFileTileEdge) return false;
    if (entries_[index].first_part == 0) make_parts(index);
    std::size_t part = entries_[index].first_part;
    for (std::uint32_t y = group.areas[0].y0; y < group.areas[0].y1; y += kFileTileEdge, ++part)
        insert_range(entries_[part].group.todo, {group.todo.front().first, 1});
    drop_front(group.todo, 1);
    return true;
}

void WorkPool::make_parts(std::size_t index)
{
    entries_[index].first_part = entries_.size();
    AreaGroup const& group = entries_[index].group;
    RenderBlock const whole = group.areas[0];
    auto const columns = static_cast<std::ptrdiff_t>((whole.x1 - whole.x0 - 1) / kFileTileEdge + 1);
    auto tile = group.tiles.begin();
    for (std::uint32_t y = whole.y0; y < whole.y1; y += kFileTileEdge, tile += columns) {
        RenderBlock row = whole;
        row.y0 = y;
        row.y1 = std::min(y + kFileTileEdge, whole.y1);
        Entry& part = entries_.emplace_back(make_entry({{tile, tile + columns}, {row}, {}}));
        part.turn_left = UINT64_MAX;
    }
}

WorkPool::Entry WorkPool::make_entry(AreaGroup group) const
{
    std::uint64_t const paths = count_pixels(group) * paths_a_sample_;
    return {std::move(group), paths, turn_};
}

} // namespace volpt
