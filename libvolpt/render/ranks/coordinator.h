// Rank 0 of an MPI job: hands out work items to the other ranks, and adds up what they have rendered.
#pragma once

#include "libvolpt/render/pool/work_pool.h"
#include "libvolpt/render/ranks/messages.h"
#include "libvolpt/render/render_progress.h"

namespace volpt {

/// What the other ranks bring to a render.
struct RankResources {
    std::uint32_t most_tile_size = UINT32_MAX; ///< that the devices of all of them can take
    int workers = 0;
};

/// One render. All calls come from the thread that joined the job; none waits for a worker.
class Coordinator {
public:
    /// Asks all ranks for their resources, and waits for the answers.
    Coordinator(Communicator& communicator, RenderOptions const& options);

    RankResources const& resources() const { return resources_; }
    void begin_render(messages::BeginRender const& render);
    void begin_round(std::vector<SampleRanges> const& todo);
    /// Handles the messages that have arrived.
    void handle_messages(WorkPool& pool, RenderProgress& progress);
    /// Whether the other ranks' workers have all ended in this round.
    bool is_round_done() const { return done_ranks_ == communicator_.size() - 1; }
    /// Adds to the sink's film what the other ranks have rendered since the last call, while they go on rendering.
    void reduce_film(FilmSink& sink, WorkPool& pool, RenderProgress& progress);
    /// After is_round_done(), when the workers of rank 0 have ended, too.
    void end_round(FilmSink& sink, WorkPool& pool, RenderProgress& progress);
    /// After a round. Throws the Error that ended the render on another rank.
    void check() const;
    /// In a round that cannot be ended in order: tells the user why, and ends all processes.
    void abort_job(std::string const& why);

    /// Workers of the other ranks that have not failed.
    int active_workers() const { return active_workers_; }
    /// Time that adding up the films took after the last worker had ended.
    double seconds_gather() const { return seconds_gather_; }
    /// Of all rounds, by rank.
    std::vector<WorkerReport> reports() const;

private:
    void handle(Message const& message, WorkPool& pool, RenderProgress& progress);
    void answer(Received<messages::WorkRequest> const& received, WorkPool& pool, RenderProgress& progress);
    void add_planes(FilmSink& sink);
    std::string name_rank(int rank) const;

    Communicator& communicator_;
    RenderOptions const& options_;
    RankResources resources_;
    std::vector<std::string> hosts_; ///< by rank
    /// By rank and number on that rank.
    std::map<std::pair<int, std::uint32_t>, std::unique_ptr<WorkSource>> sources_;
    std::vector<FilmTotals> totals_;                   ///< that have come since ReduceFilm was sent
    std::map<int, std::vector<WorkerReport>> reports_; ///< by rank
    std::optional<Error> failure_;
    double seconds_gather_ = 0;
    int done_ranks_ = 0;
    int active_workers_ = 0;
    bool has_stopped_workers_ = false;
};

} // namespace volpt
