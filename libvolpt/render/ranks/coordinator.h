// Rank 0 of an MPI job: hands out batches to the other ranks, and gathers what they have rendered.
#pragma once

#include "libvolpt/render/film_sink.h"
#include "libvolpt/render/pool/work_pool.h"
#include "libvolpt/render/ranks/communicator.h"
#include "libvolpt/render/ranks/messages.h"
#include "libvolpt/render/render_progress.h"

namespace volpt {

/// What the other ranks bring to a render.
struct RankResources {
    std::uint32_t least_tile_size = UINT32_MAX;
    int workers = 0;
};

/// One render. Of the thread that joined the ranks, like all calls; none waits for a worker.
class Coordinator {
public:
    /// Asks all ranks for what they have, and waits for their answers.
    Coordinator(Communicator& ranks, RenderOptions const& options);

    RankResources const& resources() const { return resources_; }
    void begin(std::uint32_t tile_size, int total_workers, std::uint64_t total_paths);
    void start_round(std::vector<SampleRanges> const& todo);
    /// Answers the letters that have come.
    void serve(WorkPool& pool, RenderProgress& progress);
    /// Whether the other ranks' seats of this round are all empty.
    bool is_over() const { return over_ == communicator_.size() - 1; }
    /// Adds to the sink's film what the other ranks have rendered since the last time, while they go on.
    void collect(FilmSink& sink, WorkPool& pool, RenderProgress& progress);
    /// To be called when all seats are empty, rank 0's among them.
    void end_round(FilmSink& sink, WorkPool& pool, RenderProgress& progress);
    /// After a round. Error as what ended the render on another rank.
    void check() const;
    /// In a round that cannot be ended in order: tells why, and ends all processes where there are several.
    void abandon(std::string const& why);

    /// Workers of the other ranks that have not failed.
    int count_able() const { return able_; }
    /// What gathering the films took after the last worker had ended.
    double seconds_gather() const { return seconds_gather_; }
    /// Of all rounds, by rank.
    std::vector<WorkerReport> reports() const;

private:
    void read(Message const& message, WorkPool& pool, RenderProgress& progress);
    void answer(int rank, MessageReader& message, WorkPool& pool, RenderProgress& progress);
    void write_to_all(MessageWriter const& message);
    std::string name_rank(int rank) const;

    Communicator& communicator_;
    RenderOptions const& options_;
    RankResources resources_;
    std::vector<std::string> hosts_;                                               ///< by rank
    std::map<std::pair<int, std::uint32_t>, std::unique_ptr<WorkSource>> sources_; ///< by rank and its number there
    std::vector<std::string> deltas_;                                              ///< letters that follow the planes
    std::map<int, std::vector<WorkerReport>> reports_;                             ///< by rank
    std::optional<Error> failure_;
    double seconds_gather_ = 0;
    int over_ = 0;
    int able_ = 0;
    bool has_halted_ = false;
};

/// Tells the other ranks at its end that no render is to come. Null does nothing.
class RankDismissal {
public:
    explicit RankDismissal(Communicator* ranks) : communicator_(ranks) {}
    ~RankDismissal();
    RankDismissal(RankDismissal const&) = delete;
    RankDismissal& operator=(RankDismissal const&) = delete;

private:
    Communicator* communicator_;
};

} // namespace volpt
