// Turns questions of workers into letters, and letters into answers.
#include "libvolpt/render/ranks/remote_work_source.h"

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

class RemoteWorkSources::DeskSeat final : public WorkSource {
public:
    DeskSeat(RemoteWorkSources& desk, std::uint32_t number) : desk_(desk), number_(number) {}
    ~DeskSeat() override { desk_.post(MessageWriter(MessageKind::get_up).put(number_).put(desk_.take_done())); }

    std::optional<WorkItem> take(WorkRequest const& request) override
    {
        desk_.post(MessageWriter(MessageKind::ask).put(number_).put(request).put(desk_.take_done()));
        std::unique_lock lock(desk_.mutex_);
        desk_.answered_.wait(lock, [this] { return desk_.answers_.contains(number_); });
        return desk_.answers_.extract(number_).mapped();
    }

private:
    RemoteWorkSources& desk_;
    std::uint32_t number_;
};

std::unique_ptr<WorkSource> RemoteWorkSources::connect()
{
    return std::make_unique<DeskSeat>(*this, sources_++);
}

void RemoteWorkSources::post(MessageWriter const& message)
{
    std::scoped_lock const lock(mutex_);
    letters_.push_back(message.bytes());
    posted_.notify_one();
}

std::optional<std::string> RemoteWorkSources::take_letter(double seconds)
{
    std::unique_lock lock(mutex_);
    if (!posted_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return !letters_.empty(); }))
        return std::nullopt;
    std::string message = std::move(letters_.front());
    letters_.pop_front();
    return message;
}

void RemoteWorkSources::deliver(MessageReader& message)
{
    auto const source = message.get<std::uint32_t>();
    bool const has_batch = message.get<std::uint8_t>() != 0;
    std::scoped_lock const lock(mutex_);
    std::optional<WorkItem>& answer = answers_[source];
    if (has_batch) {
        auto const name = message.get<AreaName>();
        auto const samples = message.get<SampleRange>();
        answer = WorkItem{name, &areas_.find(name), samples, message.get<std::uint64_t>()};
    }
    answered_.notify_all();
}

/// Paths done since this was asked last.
std::int64_t RemoteWorkSources::take_done()
{
    std::scoped_lock const lock(mutex_);
    std::int64_t const done = progress_.done_paths();
    return done - std::exchange(told_paths_, done);
}

} // namespace volpt
