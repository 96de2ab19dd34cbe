// Where the workers of a rank wait for answers from rank 0's pool, while one thread carries letters.
#pragma once

#include "libvolpt/drive/rank_letters.h"
#include "libvolpt/drive/render_watch.h"
#include "libvolpt/drive/seat.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>

namespace volpt {

/// The groups of a round, as rank 0 names them.
class AreaTable {
public:
    explicit AreaTable(std::vector<AreaGroup> groups) : groups_(std::move(groups)) {}
    /// Stays where it is as long as the table. Error (system) if there is no such group.
    AreaGroup const& find(AreaName name);

private:
    std::vector<AreaGroup> groups_;
    std::map<AreaName, AreaGroup> rows_;
};

class RankDesk {
public:
    RankDesk(std::vector<AreaGroup> groups, RenderWatch& watch)
        : areas_(std::move(groups)), watch_(watch), told_paths_(watch.done_paths())
    {
    }

    /// A seat at rank 0's pool. It and its worker's thread end before the desk.
    std::unique_ptr<Seat> sit_down();
    /// A letter for rank 0, from any thread.
    void post(LetterWriter const& letter);
    /// The next letter to send; waits up to so long for one.
    std::optional<std::string> take_letter(double seconds);
    /// A letter of kind answer.
    void deliver(LetterReader& letter);

private:
    class DeskSeat;
    std::int64_t take_done();

    AreaTable areas_;
    RenderWatch& watch_;
    mutable std::mutex mutex_;
    std::condition_variable posted_, answered_;
    std::deque<std::string> letters_;
    std::map<std::uint32_t, std::optional<Batch>> answers_; ///< by seat
    std::uint32_t seats_ = 0;
    std::int64_t told_paths_;
};

} // namespace volpt
