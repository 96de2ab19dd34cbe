// Brings workers, pool and film together.
#include "libvolpt/drive/render_film.h"

#include "libvolpt/drive/checkpoints.h"
#include "libvolpt/drive/crew.h"
#include "libvolpt/drive/work_pool.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <future>

namespace volpt {
namespace {

// With a time limit, areas of GPUs take turns with so many samples at first.
constexpr std::uint64_t kFirstTurnSamples = 16;
constexpr double kCheckpointLook_s = 0.05;

/// What `film` lacks of `todo`.
std::vector<SampleRanges> list_missing(Film const& film, std::vector<SampleRanges> const& todo)
{
    std::vector<SampleRanges> missing(todo.size());
    for (std::size_t tile = 0; tile < todo.size(); ++tile)
        for (SampleRange const& wanted : todo[tile])
            for (SampleRange const& range : missing_ranges(film.tile_ranges[tile], wanted)) insert_range(missing[tile], range);
    return missing;
}

/// "2 x A, B": what is not empty, each once, in the order of their first.
std::string count_alike(std::vector<std::string> const& names)
{
    std::string text;
    for (auto name = names.begin(); name != names.end(); ++name) {
        if (name->empty() || std::find(names.begin(), name, *name) != name) continue;
        auto const times = std::count(name, names.end(), *name);
        text += (text.empty() ? "" : ", ") + (times > 1 ? fmt::format("{} x {}", times, *name) : *name);
    }
    return text;
}

std::uint32_t choose_tile_size(RenderScene const& scene, Film const& film, RenderOptions const& options)
{
    if (options.tile_size != 0) return options.tile_size;
    // Each opens its device, which takes a while.
    std::vector<std::future<std::uint32_t>> sizes;
    for (GpuOptions const& gpu : options.gpus)
        sizes.push_back(std::async(std::launch::async, [&] { return choose_gpu_tile_size(scene.view(), film, fill_in_kernel(gpu)); }));
    std::uint32_t least = std::max(film.width(), film.height());
    for (std::future<std::uint32_t>& size : sizes) {
        try {
            least = std::min(least, size.get());
        } catch (Error const&) { // the worker will say so
        }
    }
    return std::max(least, kFileTileEdge);
}

class Rendering {
public:
    Rendering(RenderScene const& scene, Film& film, std::vector<SampleRanges> const& todo, RenderOptions const& options)
        : options_(options), film_(film), todo_(todo), paths_a_sample_(carries_all_bands(scene.view()) ? 1 : film.bands()),
          tile_size_(choose_tile_size(scene, film, options)), sink_(film), watch_(options, count_paths()),
          crew_({scene, film, sink_, watch_}, options, tile_size_, Crew::count_workers(options)), checkpoints_(options)
    {
    }

    RenderReport run()
    {
        int const workers = crew_.count_able();
        run_round(todo_);
        // What failed workers held is left.
        for (int able = workers; able != crew_.count_able() && crew_.count_able() > 0 && !watch_.is_stopping();) {
            able = crew_.count_able();
            run_round(list_missing(film_, todo_));
        }
        return make_report();
    }

private:
    std::uint64_t count_paths() const { return WorkPool(cut_areas(film_, todo_, tile_size_), paths_a_sample_).total_paths(); }

    void run_round(std::vector<SampleRanges> const& missing)
    {
        std::vector<AreaGroup> groups = cut_areas(film_, missing, tile_size_);
        bool const takes_turns = options_.time_limit_s > 0 && groups.size() > 1 && !options_.gpus.empty();
        WorkPool pool(std::move(groups), paths_a_sample_, {takes_turns ? kFirstTurnSamples : 0});
        crew_.start([&] { return pool.sit_down(); });
        if (options_.checkpoint_s > 0)
            while (!crew_.wait_for(kCheckpointLook_s))
                if (checkpoints_.is_due()) checkpoints_.write(sink_);
        crew_.join();
        if (crew_.failure()) std::rethrow_exception(crew_.failure());
    }

    RenderReport make_report()
    {
        RenderReport report;
        report.end = watch_.end();
        report.counts = sink_.counts();
        report.workers = crew_.report();
        std::vector<std::string> devices, kernels;
        for (WorkerReport const& worker : report.workers) {
            devices.push_back(worker.device);
            kernels.push_back(worker.kernel);
            report.seconds_banks = std::max(report.seconds_banks, worker.seconds_banks);
            if (!worker.failure.empty()) report.failure = worker.failure;
        }
        if (crew_.count_able() == 0) {
            if (report.counts.paths == 0) std::rethrow_exception(crew_.last_device_failure());
            report.end = RenderEnd::device_failed;
        }
        report.device = count_alike(devices);
        report.kernel = count_alike(kernels);
        report.seconds_render = watch_.elapsed_s() - report.seconds_banks;
        return report;
    }

    RenderOptions const& options_;
    Film& film_;
    std::vector<SampleRanges> const& todo_;
    std::uint32_t paths_a_sample_;
    std::uint32_t tile_size_;
    FilmSink sink_;
    RenderWatch watch_;
    Crew crew_;
    Checkpoints checkpoints_;
};

} // namespace

Film make_film(RenderScene const& scene, std::uint64_t seed)
{
    return Film(scene.scene(), seed, scene.sum_log2(), scene.square_log2());
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

} // namespace volpt
