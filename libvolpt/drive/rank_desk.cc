// Turns questions of workers into letters, and letters into answers.
#include "libvolpt/drive/rank_desk.h"

#include <chrono>

namespace volpt {

AreaGroup const& AreaTable::find(AreaName name)
{
    if (name.group >= groups_.size())
        fail_system("rank 0 hands out an area that there is not", "MPI", "start all ranks with the same volrender");
    AreaGroup const& group = groups_[name.group];
    if (name.row == kAllRows) return group;
    auto const row = rows_.find(name);
    return row != rows_.end()
               ? row->second
               : rows_.emplace(name, cut_tile_row(group, static_cast<std::uint32_t>(name.row))).first->second;
}

class RankDesk::DeskSeat final : public Seat {
public:
    DeskSeat(RankDesk& desk, std::uint32_t number) : desk_(desk), number_(number) {}
    ~DeskSeat() override { desk_.post(LetterWriter(LetterKind::get_up).put(number_).put(desk_.take_done())); }

    std::optional<Batch> take(Wish const& wish) override
    {
        desk_.post(LetterWriter(LetterKind::ask).put(number_).put(wish).put(desk_.take_done()));
        std::unique_lock lock(desk_.mutex_);
        desk_.answered_.wait(lock, [this] { return desk_.answers_.contains(number_); });
        return desk_.answers_.extract(number_).mapped();
    }

private:
    RankDesk& desk_;
    std::uint32_t number_;
};

std::unique_ptr<Seat> RankDesk::sit_down()
{
    return std::make_unique<DeskSeat>(*this, seats_++);
}

void RankDesk::post(LetterWriter const& letter)
{
    std::scoped_lock const lock(mutex_);
    letters_.push_back(letter.bytes());
    posted_.notify_one();
}

std::optional<std::string> RankDesk::take_letter(double seconds)
{
    std::unique_lock lock(mutex_);
    if (!posted_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return !letters_.empty(); }))
        return std::nullopt;
    std::string letter = std::move(letters_.front());
    letters_.pop_front();
    return letter;
}

void RankDesk::deliver(LetterReader& letter)
{
    auto const seat = letter.get<std::uint32_t>();
    bool const has_batch = letter.get<std::uint8_t>() != 0;
    std::scoped_lock const lock(mutex_);
    std::optional<Batch>& answer = answers_[seat];
    if (has_batch) {
        auto const name = letter.get<AreaName>();
        auto const samples = letter.get<SampleRange>();
        answer = Batch{name, &areas_.find(name), samples, letter.get<std::uint64_t>()};
    }
    answered_.notify_all();
}

/// Paths done since this was asked last.
std::int64_t RankDesk::take_done()
{
    std::scoped_lock const lock(mutex_);
    std::int64_t const done = watch_.done_paths();
    return done - std::exchange(told_paths_, done);
}

} // namespace volpt
