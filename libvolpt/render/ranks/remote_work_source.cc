#include "libvolpt/render/ranks/remote_work_source.h"

#include <chrono>

namespace volpt {

TileGroup const& TileGroupTable::find(TileGroupId id)
{
    if (id.group >= groups_.size())
        fail_system("rank 0 hands out a tile group that does not exist", "MPI",
                    "start all ranks with the same volrender");
    TileGroup const& group = groups_[id.group];
    if (id.row == TileGroupId::kAllRows) return group;
    auto const row = rows_.find(id);
    if (row != rows_.end()) return row->second;
    return rows_.emplace(id, cut_tile_row(group, static_cast<std::uint32_t>(id.row))).first->second;
}

class RemoteWorkSources::Source final : public WorkSource {
public:
    Source(RemoteWorkSources& all, std::uint32_t number) : all_(all), number_(number) {}
    ~Source() override { all_.push_message(pack(0, messages::SourceClosed{number_, all_.take_done_paths()})); }

    std::optional<WorkItem> take(WorkRequest const& request) override
    {
        all_.push_message(pack(0, messages::WorkRequest{number_, request, all_.take_done_paths()}));
        std::unique_lock lock(all_.mutex_);
        all_.has_reply_.wait(lock, [this] { return all_.replies_.contains(number_); });
        return all_.replies_.extract(number_).mapped();
    }

private:
    RemoteWorkSources& all_;
    std::uint32_t number_;
};

std::unique_ptr<WorkSource> RemoteWorkSources::connect()
{
    std::scoped_lock const lock(mutex_);
    return std::make_unique<Source>(*this, sources_++);
}

void RemoteWorkSources::push_message(Message message)
{
    std::scoped_lock const lock(mutex_);
    outgoing_.push_back(std::move(message));
    has_message_.notify_one();
}

std::optional<Message> RemoteWorkSources::pop_message(double wait_s)
{
    std::unique_lock lock(mutex_);
    if (!has_message_.wait_for(lock, std::chrono::duration<double>(wait_s), [this] { return !outgoing_.empty(); }))
        return std::nullopt;
    Message message = std::move(outgoing_.front());
    outgoing_.pop_front();
    return message;
}

void RemoteWorkSources::handle_reply(messages::WorkReply const& reply)
{
    std::scoped_lock const lock(mutex_);
    std::optional<WorkItem>& item = replies_[reply.source];
    if (reply.has_item) item = WorkItem{reply.group_id, &groups_.find(reply.group_id), reply.samples, reply.paths};
    has_reply_.notify_all();
}

/// Paths done since the last call.
std::int64_t RemoteWorkSources::take_done_paths()
{
    std::scoped_lock const lock(mutex_);
    std::int64_t const done = progress_.done_paths();
    return done - std::exchange(reported_paths_, done);
}

} // namespace volpt
