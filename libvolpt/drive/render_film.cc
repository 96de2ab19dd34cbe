// Brings workers, pool and film together.
#include "libvolpt/drive/render_film.h"

#include "libvolpt/drive/cpu_worker.h"
#include "libvolpt/drive/gpu_worker.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <future>
#include <thread>

namespace volpt {
namespace {

// With a time limit, areas of GPUs take turns with so many samples at first.
constexpr std::uint64_t kFirstTurnSamples = 16;

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

class Rendering {
public:
    Rendering(RenderScene const& scene, Film& film, std::vector<SampleRanges> const& todo, RenderOptions const& options)
        : options_(options), film_(film), todo_(todo), paths_a_sample_(carries_all_bands(scene.view()) ? 1 : film.bands()),
          tile_size_(choose_tile_size(scene)), sink_(film), watch_(options, count_paths()), place_{scene, film, sink_, watch_}
    {
        bool const with_cpu = options.gpus.empty() || options.cpu == CpuUse::beside_gpus;
        int const workers = static_cast<int>(options.gpus.size()) + (with_cpu ? 1 : 0);
        for (GpuOptions const& gpu : options.gpus)
            posts_.push_back({fmt::format("GPU {}", gpu.device),
                              [this, &gpu, workers] { return make_gpu_worker(place_, gpu, count_most_pixels(film_, tile_size_), workers, board_); }});
        Company const company = workers == 1 ? Company::alone : Company::beside_others;
        if (with_cpu) posts_.push_back({"the CPU", [this, company] { return make_cpu_worker(place_, options_, company); }});
    }

    RenderReport run()
    {
        run_round(todo_);
        // What failed workers held is left.
        for (std::size_t failed = 0; failed != count_failed() && can_go_on();) {
            failed = count_failed();
            run_round(list_missing(film_, todo_));
        }
        if (failure_) std::rethrow_exception(failure_);
        return make_report();
    }

private:
    /// A worker's making, and what became of it.
    struct Post {
        std::string name;
        std::function<std::unique_ptr<Worker>()> make;
        bool has_failed = false;
        WorkerReport report = {};
    };

    std::uint32_t choose_tile_size(RenderScene const& scene) const
    {
        if (options_.tile_size != 0) return options_.tile_size;
        // Each opens its device, which takes a while.
        std::vector<std::future<std::uint32_t>> sizes;
        for (GpuOptions const& gpu : options_.gpus)
            sizes.push_back(std::async(std::launch::async, [&] { return choose_gpu_tile_size(scene.view(), film_, fill_in_kernel(gpu)); }));
        std::uint32_t least = std::max(film_.width(), film_.height());
        for (std::future<std::uint32_t>& size : sizes) {
            try {
                least = std::min(least, size.get());
            } catch (Error const&) { // the worker will say so
            }
        }
        return std::max(least, kFileTileEdge);
    }

    std::uint64_t count_paths() const { return WorkPool(cut_gpu_areas(film_, todo_, tile_size_), paths_a_sample_).total_paths(); }

    std::size_t count_failed() const
    {
        return static_cast<std::size_t>(std::count_if(posts_.begin(), posts_.end(), [](Post const& post) { return post.has_failed; }));
    }

    bool can_go_on() const { return count_failed() < posts_.size() && !watch_.is_stopping(); }

    void run_round(std::vector<SampleRanges> const& missing)
    {
        std::vector<AreaGroup> groups = cut_gpu_areas(film_, missing, tile_size_);
        bool const takes_turns = options_.time_limit_s > 0 && groups.size() > 1 && !options_.gpus.empty();
        WorkPool pool(std::move(groups), paths_a_sample_, takes_turns ? kFirstTurnSamples : 0);
        std::vector<std::pair<Post*, std::unique_ptr<WorkPool::Seat>>> seats;
        for (Post& post : posts_)
            if (!post.has_failed) seats.emplace_back(&post, std::make_unique<WorkPool::Seat>(pool));
        std::vector<std::jthread> threads;
        for (auto& [post, seat] : seats)
            threads.emplace_back([this, post = post, &seat = seat] {
                man(*post, *seat);
                seat.reset();
            });
    }

    void man(Post& post, WorkPool::Seat& seat)
    {
        try {
            std::unique_ptr<Worker> const worker = post.make();
            watch_.begin();
            worker->run(seat);
            WorkerReport report = worker->report();
            report.counts.add(post.report.counts); // of a round before
            report.seconds_banks += post.report.seconds_banks;
            post.report = std::move(report);
        } catch (Error const& error) {
            if (error.status() == ExitStatus::system)
                note_failure(post, error);
            else
                give_up();
        } catch (...) {
            give_up();
        }
    }

    void note_failure(Post& post, Error const& error)
    {
        std::scoped_lock const lock(mutex_);
        post.has_failed = true;
        post.report = {};
        post.report.device = post.name;
        post.report.failure = error.what();
        last_failure_ = std::current_exception();
        if (options_.notice && count_failed() < posts_.size())
            options_.notice(fmt::format("{} has failed, its samples go to the others: {}", post.name, error.what()));
    }

    void give_up()
    {
        std::scoped_lock const lock(mutex_);
        failure_ = std::current_exception();
        watch_.give_up();
    }

    RenderReport make_report()
    {
        RenderReport report;
        report.end = watch_.end();
        report.counts = sink_.counts();
        std::vector<std::string> devices, kernels;
        for (Post& post : posts_) {
            devices.push_back(post.report.device);
            kernels.push_back(post.report.kernel);
            report.seconds_banks = std::max(report.seconds_banks, post.report.seconds_banks);
            if (post.has_failed) report.failure = post.report.failure;
            report.workers.push_back(std::move(post.report));
        }
        if (count_failed() == posts_.size()) {
            if (report.counts.paths == 0) std::rethrow_exception(last_failure_);
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
    WorkPlace place_;
    PilotBoard board_;
    std::vector<Post> posts_;
    std::mutex mutex_;
    std::exception_ptr failure_;      ///< of the render
    std::exception_ptr last_failure_; ///< of a worker
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
