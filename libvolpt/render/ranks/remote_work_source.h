// Where the workers of a rank wait for answers from rank 0's pool, while one thread carries letters.
#pragma once

#include "libvolpt/render/pool/work_source.h"
#include "libvolpt/render/ranks/messages.h"
#include "libvolpt/render/render_progress.h"

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

class RemoteWorkSources {
public:
    RemoteWorkSources(std::vector<AreaGroup> groups, RenderProgress& progress)
        : areas_(std::move(groups)), progress_(progress), told_paths_(progress.done_paths())
    {
    }

    /// A seat at rank 0's pool. It and its worker's thread end before the desk.
    std::unique_ptr<WorkSource> connect();
    /// A letter for rank 0, from any thread.
    void post(MessageWriter const& message);
    /// The next letter to send; waits up to so long for one.
    std::optional<std::string> take_letter(double seconds);
    /// A letter of kind answer.
    void deliver(MessageReader& message);

private:
    class DeskSeat;
    std::int64_t take_done();

    AreaTable areas_;
    RenderProgress& progress_;
    mutable std::mutex mutex_;
    std::condition_variable posted_, answered_;
    std::deque<std::string> letters_;
    std::map<std::uint32_t, std::optional<WorkItem>> answers_; ///< by seat
    std::uint32_t sources_ = 0;
    std::int64_t told_paths_;
};

} // namespace volpt
