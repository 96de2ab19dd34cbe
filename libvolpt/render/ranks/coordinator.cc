#include "libvolpt/render/ranks/coordinator.h"

#include <chrono>
#include <fmt/format.h>
#include <thread>

namespace volpt {

Coordinator::Coordinator(Communicator& communicator, RenderOptions const& options)
    : communicator_(communicator), options_(options), hosts_(static_cast<std::size_t>(communicator.size()))
{
    send_to_all(communicator_, messages::PrepareRender{});
    for (int answers = 1; answers < communicator_.size();)
        handle_message(communicator_.receive(), [&](Received<messages::RenderResources> const& received) {
            resources_.most_tile_size = std::min(resources_.most_tile_size, received.body.most_tile_size);
            resources_.workers += received.body.workers;
            hosts_[static_cast<std::size_t>(received.rank)] = received.body.host.str();
            ++answers;
        });
    active_workers_ = resources_.workers;
}

void Coordinator::begin_render(messages::BeginRender const& render)
{
    send_to_all(communicator_, render);
}

void Coordinator::begin_round(std::vector<SampleRanges> const& todo)
{
    done_ranks_ = 0;
    active_workers_ = 0;
    reports_.clear();
    send_to_all(communicator_, messages::BeginRound{}, {todo});
}

void Coordinator::handle_messages(WorkPool& pool, RenderProgress& progress)
{
    while (std::optional<Message> const message = communicator_.try_receive()) handle(*message, pool, progress);
    progress.poll();
    if (!progress.is_stopping() || has_stopped_workers_) return;
    has_stopped_workers_ = true;
    pool.close();
    send_to_all(communicator_, messages::StopWorkers{});
}

void Coordinator::handle(Message const& message, WorkPool& pool, RenderProgress& progress)
{
    handle_message(
        message, [&](Received<messages::WorkRequest> const& received) { answer(received, pool, progress); },
        [&](Received<messages::SourceClosed> const& received) {
            progress.add_done(received.body.done_paths);
            sources_.erase({received.rank, received.body.source});
        },
        [&](Received<messages::Notice> const& received) {
            notify(options_, name_rank(received.rank) + ": " + received.body.text.str());
        },
        [&](Received<messages::StopRequest> const&) { progress.request_stop(); },
        [&](Received<messages::RenderFailure> const& received) {
            failure_.emplace(received.body.status,
                             ErrorText{received.body.text.str(), name_rank(received.rank), {}, {}});
            progress.cancel();
        },
        [&](Received<messages::WorkerReport> const& received) {
            WorkerReport report = to_report(received.body);
            report.place = name_rank(received.rank);
            reports_[received.rank].push_back(std::move(report));
        },
        [&](Received<messages::RoundDone> const& received) {
            ++done_ranks_;
            active_workers_ += received.body.active_workers;
        },
        [&](Received<messages::FilmTotals> const& received) {
            auto const& [bank_sums, tile_ranges] = received.tail;
            totals_.push_back({received.body.counts, bank_sums, tile_ranges});
        });
}

void Coordinator::answer(Received<messages::WorkRequest> const& received, WorkPool& pool, RenderProgress& progress)
{
    messages::WorkRequest const& question = received.body;
    progress.add_done(question.done_paths);
    progress.start_clock();
    std::unique_ptr<WorkSource>& source = sources_[{received.rank, question.source}];
    if (!source) source = pool.connect(Returns::other_process);
    messages::WorkReply reply;
    reply.source = question.source;
    if (std::optional<WorkItem> const item = source->take(question.request))
        reply = {question.source, true, item->group_id, item->samples, item->paths};
    send(communicator_, received.rank, reply);
}

void Coordinator::reduce_film(FilmSink& sink, WorkPool& pool, RenderProgress& progress)
{
    send_to_all(communicator_, messages::ReduceFilm{});
    add_planes(sink);
    while (std::cmp_less(totals_.size(), communicator_.size() - 1)) {
        handle_messages(pool, progress);
        std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    for (FilmTotals const& totals : std::exchange(totals_, {})) sink.add_totals(totals);
}

/// The counterpart of the other ranks' send_film.
void Coordinator::add_planes(FilmSink& sink)
{
    std::vector<std::uint64_t> piece;
    for (FilmPlane const plane : kFilmPlanes)
        for (std::size_t first = 0; first < sink.plane_size(plane); first += kReduceValues) {
            piece.assign(std::min(kReduceValues, sink.plane_size(plane) - first), 0);
            communicator_.reduce_sum(piece);
            sink.add_plane_values(plane, first, piece);
        }
}

void Coordinator::end_round(FilmSink& sink, WorkPool& pool, RenderProgress& progress)
{
    double const start_s = progress.elapsed_s();
    reduce_film(sink, pool, progress);
    seconds_gather_ += progress.elapsed_s() - start_s;
    sources_.clear();
    send_to_all(communicator_, messages::EndRound{});
}

void Coordinator::check() const
{
    if (failure_) throw *failure_;
}

void Coordinator::abort_job(std::string const& why)
{
    sources_.clear();
    notify(options_, "the job is aborted because rank 0 failed during a render: " + why);
    communicator_.abort_job(static_cast<int>(ExitStatus::system));
}

std::vector<WorkerReport> Coordinator::reports() const
{
    std::vector<WorkerReport> all;
    for (auto const& [rank, reports] : reports_) all.insert(all.end(), reports.begin(), reports.end());
    return all;
}

std::string Coordinator::name_rank(int rank) const
{
    return fmt::format("rank {} on {}", rank, hosts_[static_cast<std::size_t>(rank)]);
}

} // namespace volpt
