// follow_renders: every rank but 0 renders what rank 0 hands out.
#include "libvolpt/render/ranks/mpi_job.h"
#include "libvolpt/render/ranks/remote_work_source.h"
#include "libvolpt/render/tile_size.h"
#include "libvolpt/render/workers/local_workers.h"
#include "libvolpt/sys/text/failure_text.h"

#include <fmt/format.h>

namespace volpt {
namespace {

constexpr double kPoll_s = 5e-4; // between looks for messages while workers run

class RemoteRank {
public:
    RemoteRank(RenderScene const& scene, std::uint64_t seed, RenderOptions const& options, Communicator& communicator)
        : scene_(scene), seed_(seed), options_(options), local_notice_(options.notice), communicator_(communicator),
          film_(make_film(scene, seed))
    {
        options_.notice = [this](std::string_view text) { push_notice(text); };
        options_.checkpoint_s = 0;
        options_.time_limit_s = 0;
    }

    void run()
    {
        try {
            serve_renders();
        } catch (std::exception const& error) {
            abort_job(error);
        }
    }

private:
    /// Otherwise rank 0 would wait for ever.
    void abort_job(std::exception const& error)
    {
        if (local_notice_)
            local_notice_(fmt::format("the job is aborted because rank {} on {} failed during a render: {}",
                                      communicator_.rank(), communicator_.host(), describe_failure(error)));
        communicator_.abort_job(static_cast<int>(ExitStatus::system));
    }

    void serve_renders()
    {
        for (bool has_ended = false; !has_ended;)
            handle_message( // a StopWorkers that came when all was done is ignored
                communicator_.receive(), [&](Received<messages::PrepareRender> const&) { prepare_render(); },
                [&](Received<messages::BeginRender> const& received) { begin_render(received.body); },
                [&](Received<messages::BeginRound> const& received) { run_round(std::get<0>(received.tail)); },
                [&](Received<messages::EndJob> const&) { has_ended = true; });
    }

    void prepare_render()
    {
        local_workers_.reset();
        film_ = make_film(scene_, seed_);
        std::uint32_t const tile_size = choose_tile_size(scene_, film_, options_);
        send(communicator_, 0,
             messages::RenderResources{communicator_.host(), tile_size, LocalWorkers::count_workers(options_)});
    }

    void begin_render(messages::BeginRender const& render)
    {
        if (!render.keeps_half) film_.drop_half_sums();
        edges_ = choose_tile_edges(film_, options_, render.tile_size);
        sink_.emplace(
            film_, [this] { scene_.check_inputs(); }, &scene_.view());
        progress_.emplace(options_, render.total_paths);
        local_workers_.emplace(WorkerContext{scene_, film_, *sink_, *progress_}, options_, edges_,
                               render.total_workers);
    }

    void run_round(std::vector<SampleRanges> const& todo)
    {
        RemoteWorkSources sources(make_tile_groups(film_, todo, edges_), *progress_);
        try {
            run_workers(sources);
        } catch (std::exception const& error) { // workers may wait for a reply, so the round cannot be ended in order
            abort_job(error);
        }
    }

    void run_workers(RemoteWorkSources& sources)
    {
        set_sources(&sources);
        local_workers_->start([&](Returns) { return sources.connect(); });
        bool has_requested_stop = false, are_workers_done = false, is_round_over = false;
        while (!is_round_over) {
            send_queued(sources, kPoll_s);
            while (!is_round_over) { // what follows the last message of the round belongs to the next
                std::optional<Message> const message = communicator_.try_receive();
                if (!message) break;
                is_round_over = handle(*message, sources);
            }
            progress_->poll();
            if (progress_->end() == RenderEnd::stopped && !std::exchange(has_requested_stop, true))
                send(communicator_, 0, messages::StopRequest{});
            if (!are_workers_done && local_workers_->wait_for(0)) {
                are_workers_done = true;
                local_workers_->join();
                send_queued(sources, 0);
                send_results();
            }
        }
        set_sources(nullptr);
    }

    void send_queued(RemoteWorkSources& sources, double wait_s)
    {
        while (std::optional<Message> const message = sources.pop_message(wait_s)) communicator_.send(*message);
    }

    /// Returns whether the round is over.
    bool handle(Message const& message, RemoteWorkSources& sources)
    {
        bool is_round_over = false;
        handle_message(
            message, [&](Received<messages::WorkReply> const& received) { sources.handle_reply(received.body); },
            [&](Received<messages::StopWorkers> const&) { progress_->cancel(); },
            [&](Received<messages::ReduceFilm> const&) { send_film(); },
            [&](Received<messages::EndRound> const&) { is_round_over = true; });
        return is_round_over;
    }

    /// Moves this rank's film to rank 0: the answer to ReduceFilm.
    void send_film()
    {
        FilmDelta delta = sink_->take_delta();
        for (auto* const plane : {&delta.planes.sums, &delta.planes.low_squares, &delta.planes.high_squares,
                                  &delta.coverage, &delta.half_sums})
            for (std::span<std::uint64_t> left = *plane; !left.empty();
                 left = left.subspan(std::min(left.size(), kReduceValues)))
                communicator_.reduce_sum(left.first(std::min(left.size(), kReduceValues)));
        send(communicator_, 0, messages::FilmTotals{delta.totals.counts},
             {delta.totals.bank_sums, delta.totals.tile_ranges});
    }

    void send_results()
    {
        if (local_workers_->failure()) send_failure();
        std::vector<WorkerReport> const reports = local_workers_->report();
        for (std::size_t i = 0; i < options_.gpus.size(); ++i) // later renders keep what the tuning chose
            if (reports[i].gpu && !reports[i].gpu->tuning.empty()) options_.gpus[i] = reports[i].gpu->options;
        for (WorkerReport const& report : reports) send(communicator_, 0, to_message(report));
        send(communicator_, 0, messages::RoundDone{local_workers_->count_active()});
    }

    void send_failure()
    {
        messages::RenderFailure failure;
        try {
            std::rethrow_exception(local_workers_->failure());
        } catch (Error const& error) {
            failure = {error.status(), error.what()};
        } catch (std::exception const& error) {
            failure = {ExitStatus::system, describe_failure(error)};
        }
        send(communicator_, 0, failure);
    }

    void set_sources(RemoteWorkSources* sources)
    {
        std::scoped_lock const lock(mutex_);
        sources_ = sources;
    }

    /// From any thread. Outside a round the notice is dropped.
    void push_notice(std::string_view text)
    {
        std::scoped_lock const lock(mutex_);
        if (sources_ != nullptr) sources_->push_message(pack(0, messages::Notice{text}));
    }

    RenderScene const& scene_;
    std::uint64_t seed_;
    RenderOptions options_;
    NoticeSink local_notice_; ///< to this rank's own stderr
    Communicator& communicator_;
    Film film_;
    TileEdges edges_;
    std::mutex mutex_;
    RemoteWorkSources* sources_ = nullptr; ///< of the current round
    std::optional<FilmSink> sink_;
    std::optional<RenderProgress> progress_;
    std::optional<LocalWorkers> local_workers_; ///< ends before what it uses
};

} // namespace

void follow_renders(RenderScene const& scene, std::uint64_t seed, RenderOptions options, Communicator& communicator)
{
    RemoteRank(scene, seed, options, communicator).run();
}

} // namespace volpt
