#include "libvolpt/render/render_film.h"

#include "libvolpt/render/checkpoints.h"
#include "libvolpt/render/pool/work_pool.h"
#include "libvolpt/render/ranks/coordinator.h"
#include "libvolpt/render/tile_size.h"
#include "libvolpt/render/workers/local_workers.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/text/failure_text.h"

#include <algorithm>
#include <fmt/format.h>

namespace volpt {
namespace {

// With a time limit, the tile groups of GPUs take turns, of this many samples at first.
constexpr std::uint64_t kFirstTurnSamples = 16;
constexpr double kCheckpointPoll_s = 0.05;
constexpr double kMessagePoll_s = 5e-4;

/// The part of `todo` that `film` lacks.
std::vector<SampleRanges> list_missing(Film const& film, std::vector<SampleRanges> const& todo)
{
    std::vector<SampleRanges> missing(todo.size());
    for (std::size_t tile = 0; tile < todo.size(); ++tile)
        for (SampleRange const& wanted : todo[tile])
            for (SampleRange const& range : missing_ranges(film.tile_ranges[tile], wanted))
                insert_range(missing[tile], range);
    return missing;
}

bool is_empty(std::vector<SampleRanges> const& ranges)
{
    return std::all_of(ranges.begin(), ranges.end(), [](SampleRanges const& tile) { return tile.empty(); });
}

/// "2 x A, B": each name once, in the order in which they first occur; empty ones are left out.
std::string list_with_counts(std::vector<std::string> const& names)
{
    std::string text;
    for (auto name = names.begin(); name != names.end(); ++name) {
        if (name->empty() || std::find(names.begin(), name, *name) != name) continue;
        auto const times = std::count(name, names.end(), *name);
        text += (text.empty() ? "" : ", ") + (times > 1 ? fmt::format("{} x {}", times, *name) : *name);
    }
    return text;
}

class Rendering {
public:
    Rendering(RenderScene const& scene, Film& film, std::vector<SampleRanges> const& todo, RenderOptions const& options)
        : options_(options), film_(film), todo_(todo), paths_per_sample_(count_paths_per_sample(scene.view())),
          sink_(
              film, [&scene] { scene.check_inputs(); }, &scene.view()),
          coordinator_(options.ranks != nullptr ? std::make_unique<Coordinator>(*options.ranks, options) : nullptr),
          tile_size_(std::min(choose_tile_size(scene, film, options),
                              coordinator_ ? coordinator_->resources().most_tile_size : UINT32_MAX)),
          edges_(choose_tile_edges(film, options, tile_size_)), progress_(options, count_paths()),
          total_workers_(LocalWorkers::count_workers(options) + (coordinator_ ? coordinator_->resources().workers : 0)),
          local_workers_({scene, film, sink_, progress_}, options, edges_, total_workers_), checkpoints_(options)
    {
        if (coordinator_)
            coordinator_->begin_render({tile_size_, total_workers_, progress_.total_paths(), film.keeps_half});
    }

    RenderReport run()
    {
        // Samples that failed workers held are rendered in another round.
        std::vector<SampleRanges> missing = todo_;
        do {
            run_round(missing);
            missing = list_missing(film_, todo_);
        } while (!is_empty(missing) && !progress_.is_stopping() && count_active_workers() > 0);
        return make_report();
    }

private:
    std::uint64_t count_paths() const
    {
        std::uint64_t paths = 0;
        for (TileGroup const& group : make_tile_groups(film_, todo_, edges_))
            paths += count_pixels(group) * count_samples(group.todo) * paths_per_sample_;
        return paths;
    }
    int count_active_workers() const
    {
        return local_workers_.count_active() + (coordinator_ ? coordinator_->active_workers() : 0);
    }

    void run_round(std::vector<SampleRanges> const& missing)
    {
        std::vector<TileGroup> groups = make_tile_groups(film_, missing, edges_);
        bool const takes_turns =
            options_.time_limit_s > 0 && groups.size() > 1 && groups.front().render_tiles.size() == 1;
        bool const has_banks = film_.scene().long_steps != LongSteps::plain;
        WorkPool pool(
            std::move(groups), paths_per_sample_,
            {.first_turn = takes_turns ? kFirstTurnSamples : 0,
             .slow_workers = has_banks ? WorkPool::SlowWorkers::take_last : WorkPool::SlowWorkers::take_first,
             .rows = film_.scene().integrator == Integrator::mlt ? WorkPool::Rows::never : WorkPool::Rows::possible,
             .make_groups = [this](std::vector<SampleRanges> const& returned) {
                 return make_tile_groups(film_, returned, edges_);
             }});
        try {
            run_workers(pool, missing);
        } catch (std::exception const& error) { // all workers must have left the pool before it is destroyed
            progress_.cancel();
            pool.close();
            if (coordinator_) coordinator_->abort_job(describe_failure(error));
            local_workers_.join();
            throw;
        }
        if (coordinator_) coordinator_->check();
        if (local_workers_.failure()) std::rethrow_exception(local_workers_.failure());
    }

    void run_workers(WorkPool& pool, std::vector<SampleRanges> const& missing)
    {
        if (coordinator_) coordinator_->begin_round(missing);
        local_workers_.start([&](Returns returns) { return pool.connect(returns); });
        if (coordinator_)
            coordinate_ranks(pool);
        else if (options_.checkpoint_s > 0)
            while (!local_workers_.wait_for(kCheckpointPoll_s))
                if (checkpoints_.is_due()) checkpoints_.write(sink_);
        local_workers_.join();
        if (coordinator_) coordinator_->end_round(sink_, pool, progress_);
    }

    void coordinate_ranks(WorkPool& pool)
    {
        while (!local_workers_.wait_for(kMessagePoll_s) || !coordinator_->is_round_done()) {
            coordinator_->handle_messages(pool, progress_);
            if (!checkpoints_.is_due()) continue;
            coordinator_->reduce_film(sink_, pool, progress_);
            checkpoints_.write(sink_);
        }
    }

    RenderReport make_report()
    {
        RenderReport report;
        // A request to stop that came when all was done changes nothing.
        bool const is_complete = is_empty(list_missing(film_, todo_));
        report.end = is_complete ? RenderEnd::finished : progress_.end();
        report.counts = sink_.counts();
        report.tiles = edges_.count_tiles();
        report.workers = local_workers_.report();
        if (coordinator_) report.seconds_gather = coordinator_->seconds_gather();
        if (coordinator_)
            for (WorkerReport const& worker : coordinator_->reports()) report.workers.push_back(worker);
        std::vector<std::string> devices, kernels;
        for (WorkerReport const& worker : report.workers) {
            devices.push_back(worker.device);
            kernels.push_back(worker.kernel);
            report.seconds_banks = std::max(report.seconds_banks, worker.seconds_banks);
            if (!worker.failure.empty()) report.failure = worker.failure;
        }
        if (count_active_workers() == 0 && !is_complete) {
            if (is_empty(film_.tile_ranges)) throw_device_failure(report);
            report.end = RenderEnd::device_failed;
        }
        report.device = list_with_counts(devices);
        report.kernel = list_with_counts(kernels);
        // With several workers, some render while others make banks.
        report.seconds_render = progress_.elapsed_s() - (report.workers.size() == 1 ? report.seconds_banks : 0);
        return report;
    }

    [[noreturn]] void throw_device_failure(RenderReport const& report) const
    {
        if (local_workers_.last_device_failure()) std::rethrow_exception(local_workers_.last_device_failure());
        fail_system(report.failure, "all ranks");
    }

    RenderOptions const& options_;
    Film& film_;
    std::vector<SampleRanges> const& todo_;
    std::uint32_t paths_per_sample_;
    FilmSink sink_;
    std::unique_ptr<Coordinator> coordinator_; ///< null without ranks
    std::uint32_t tile_size_;
    TileEdges edges_;
    RenderProgress progress_;
    int total_workers_; ///< workers of all ranks
    LocalWorkers local_workers_;
    Checkpoints checkpoints_;
};

} // namespace

void notify(RenderOptions const& options, std::string_view text) noexcept
{
    try {
        if (options.notice) options.notice(text);
    } catch (...) {
    }
}

Film make_film(RenderScene const& scene, std::uint64_t seed)
{
    Film film(scene.scene(), seed, scene.sum_log2());
    // A pass of chains is little work for a GPU: launches that end with a run of the half took 1.6 times as long.
    if (carries_all_bands(scene.view()) && scene.scene().integrator != Integrator::mlt) film.keep_half_sums();
    return film;
}

RenderReport render_ranges(RenderScene const& scene, Film& film, std::vector<SampleRanges> const& todo,
                           RenderOptions const& options)
{
    return Rendering(scene, film, todo, options).run();
}

RenderReport render_film(RenderScene const& scene, Film& film, SampleRange samples, RenderOptions const& options)
{
    std::vector<SampleRanges> todo;
    for (SampleRanges const& have : film.tile_ranges) todo.push_back(missing_ranges(have, samples));
    return render_ranges(scene, film, todo, options);
}

Film render_reference(PackedVolume const& volume, Film const& like, LightImage const* light,
                      RenderOptions const& options)
{
    RenderScene const scene(like.scene(), volume, light, like.seed());
    Film film = make_film(scene, like.seed());
    RenderReport const report = render_ranges(scene, film, like.tile_ranges, options);
    if (report.end != RenderEnd::finished)
        fail_system("the reference was not finished", "CPU reference", "let it run to its end");
    return film;
}

} // namespace volpt
