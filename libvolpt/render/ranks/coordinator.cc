// Letters from and to the other ranks, and the reduction of their films.
#include "libvolpt/render/ranks/coordinator.h"

#include "libvolpt/render/ranks/gather_films.h"
#include "libvolpt/render/ranks/report_messages.h"

#include <chrono>
#include <fmt/format.h>
#include <thread>

namespace volpt {

Coordinator::Coordinator(Communicator& ranks, RenderOptions const& options)
    : communicator_(ranks), options_(options), hosts_(static_cast<std::size_t>(ranks.size()))
{
    write_to_all(MessageWriter(MessageKind::prepare));
    for (int answers = 1; answers < communicator_.size();) {
        Message const message = wait_for_message(communicator_);
        MessageReader reader(message.bytes);
        if (reader.kind() != MessageKind::ready) continue;
        resources_.least_tile_size = std::min(resources_.least_tile_size, reader.get<std::uint32_t>());
        resources_.workers += reader.get<int>();
        hosts_[static_cast<std::size_t>(message.from)] = reader.get_text();
        ++answers;
    }
    able_ = resources_.workers;
}

void Coordinator::begin(std::uint32_t tile_size, int total_workers, std::uint64_t total_paths)
{
    write_to_all(MessageWriter(MessageKind::begin).put(tile_size).put(total_workers).put(total_paths));
}

void Coordinator::start_round(std::vector<SampleRanges> const& todo)
{
    over_ = 0;
    able_ = 0;
    reports_.clear();
    MessageWriter message(MessageKind::round);
    put_ranges(message, todo);
    write_to_all(message);
}

void Coordinator::serve(WorkPool& pool, RenderProgress& progress)
{
    while (std::optional<Message> const message = communicator_.receive()) read(*message, pool, progress);
    progress.poll();
    if (!progress.is_stopping() || has_halted_) return;
    has_halted_ = true;
    pool.close();
    write_to_all(MessageWriter(MessageKind::halt));
}

void Coordinator::read(Message const& message, WorkPool& pool, RenderProgress& progress)
{
    MessageReader reader(message.bytes);
    switch (reader.kind()) {
    case MessageKind::ask:
        answer(message.from, reader, pool, progress);
        break;
    case MessageKind::get_up: {
        auto const source = reader.get<std::uint32_t>();
        progress.add_done(reader.get<std::int64_t>());
        sources_.erase({message.from, source});
        break;
    }
    case MessageKind::notice:
        notify(options_, name_rank(message.from) + ": " + reader.get_text());
        break;
    case MessageKind::stop:
        progress.stop();
        break;
    case MessageKind::broken: {
        auto const status = reader.get<ExitStatus>();
        failure_.emplace(status, ErrorText{reader.get_text(), name_rank(message.from), {}, {}});
        progress.give_up();
        break;
    }
    case MessageKind::report:
        reports_[message.from].push_back(get_report(reader));
        reports_[message.from].back().place = name_rank(message.from);
        break;
    case MessageKind::over:
        ++over_;
        able_ += reader.get<int>();
        break;
    case MessageKind::delta:
        deltas_.push_back(message.bytes);
        break;
    default:
        break;
    }
}

void Coordinator::answer(int rank, MessageReader& message, WorkPool& pool, RenderProgress& progress)
{
    auto const number = message.get<std::uint32_t>();
    auto const request = message.get<WorkRequest>();
    progress.add_done(message.get<std::int64_t>());
    progress.begin();
    std::unique_ptr<WorkSource>& source = sources_[{rank, number}];
    if (!source) source = pool.connect();
    std::optional<WorkItem> const item = source->take(request);
    MessageWriter reply(MessageKind::answer);
    reply.put(number).put(static_cast<std::uint8_t>(item ? 1 : 0));
    if (item) reply.put(item->name).put(item->samples).put(item->paths);
    communicator_.send(rank, reply.bytes());
}

void Coordinator::collect(FilmSink& sink, WorkPool& pool, RenderProgress& progress)
{
    write_to_all(MessageWriter(MessageKind::collect));
    add_planes(sink, communicator_);
    while (std::cmp_less(deltas_.size(), communicator_.size() - 1)) {
        serve(pool, progress);
        std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    for (std::string const& bytes : std::exchange(deltas_, {})) {
        MessageReader message(bytes);
        add_totals(sink, message);
    }
}

void Coordinator::end_round(FilmSink& sink, WorkPool& pool, RenderProgress& progress)
{
    double const start_s = progress.elapsed_s();
    collect(sink, pool, progress);
    seconds_gather_ += progress.elapsed_s() - start_s;
    sources_.clear();
    write_to_all(MessageWriter(MessageKind::rest));
}

void Coordinator::check() const
{
    if (failure_) throw *failure_;
}

void Coordinator::abandon(std::string const& why)
{
    sources_.clear();
    notify(options_, "the job is ended, since rank 0 has failed in the midst of it: " + why);
    communicator_.end_job(static_cast<int>(ExitStatus::system));
}

std::vector<WorkerReport> Coordinator::reports() const
{
    std::vector<WorkerReport> all;
    for (auto const& [rank, reports] : reports_) all.insert(all.end(), reports.begin(), reports.end());
    return all;
}

void Coordinator::write_to_all(MessageWriter const& message)
{
    for (int rank = 1; rank < communicator_.size(); ++rank) communicator_.send(rank, message.bytes());
}

std::string Coordinator::name_rank(int rank) const
{
    return fmt::format("rank {} on {}", rank, hosts_[static_cast<std::size_t>(rank)]);
}

RankDismissal::~RankDismissal()
{
    for (int rank = 1; communicator_ != nullptr && rank < communicator_->size(); ++rank)
        communicator_->send(rank, MessageWriter(MessageKind::finish).bytes());
}

} // namespace volpt
