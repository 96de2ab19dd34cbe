// The work sources of a rank other than 0: workers wait here for replies from rank 0's pool, while one thread of the
// rank sends and receives messages.
#pragma once

#include "libvolpt/render/pool/work_source.h"
#include "libvolpt/render/ranks/messages.h"
#include "libvolpt/render/render_progress.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>

namespace volpt {

/// The tile groups of a round by id.
class TileGroupTable {
public:
    explicit TileGroupTable(std::vector<TileGroup> groups) : groups_(std::move(groups)) {}
    /// Valid as long as the table. Error (system) if there is no such group.
    TileGroup const& find(TileGroupId id);

private:
    std::vector<TileGroup> groups_;
    std::map<TileGroupId, TileGroup> rows_;
};

/// One round. All calls from any thread.
class RemoteWorkSources {
public:
    /// `progress` outlives this.
    RemoteWorkSources(std::vector<TileGroup> groups, RenderProgress& progress)
        : groups_(std::move(groups)), progress_(progress), reported_paths_(progress.done_paths())
    {
    }

    /// A connection to rank 0's pool, which ends before this.
    std::unique_ptr<WorkSource> connect();
    /// Queues a message, for pop_message.
    void push_message(Message message);
    /// The next message to send; waits at most `wait_s` for one.
    std::optional<Message> pop_message(double wait_s);
    /// Wakes the worker that waits for the reply.
    void handle_reply(messages::WorkReply const& reply);

private:
    class Source;
    std::int64_t take_done_paths();

    TileGroupTable groups_;
    RenderProgress& progress_;
    std::mutex mutex_;
    std::condition_variable has_message_, has_reply_;
    std::deque<Message> outgoing_;
    std::map<std::uint32_t, std::optional<WorkItem>> replies_; ///< by source
    std::uint32_t sources_ = 0;
    std::int64_t reported_paths_;
};

} // namespace volpt
