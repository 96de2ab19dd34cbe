// Runs work units on all cores and adds them to the film.
#include "libvolpt/drive/render_film.h"

#include "libvolpt/cpu/outcome_banks.h"
#include "libvolpt/cpu/render_block.h"
#include "libvolpt/drive/film_parts.h"
#include "libvolpt/drive/render_gpu.h"
#include "libvolpt/drive/work_queue.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <fmt/format.h>
#include <mutex>
#include <thread>

namespace volpt {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kProgressInterval_s = 0.1;

// A unit that a stop finds unfinished is lost, so units are short; long enough that the lanes run full.
constexpr double kUnitDuration_s = 0.25;
constexpr std::uint64_t kFirstUnitPaths = 8192;
constexpr std::uint64_t kMostUnitPaths = 1 << 18;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

CpuBackend choose_backend(std::string const& name)
{
    auto const backends = list_cpu_backends();
    if (name.empty()) return backends.front();
    std::string known;
    for (CpuBackend const& backend : backends) {
        if (backend.name == name) return backend;
        known += fmt::format(" {}", backend.name);
    }
    fail_usage(fmt::format("this processor has no CPU kernel '{}'", name), "use one of:" + known);
}

class Renderer {
public:
    Renderer(RenderScene const& scene, Film& film, WorkQueue& queue, RenderOptions const& options)
        : view_(scene.view()), film_(film), queue_(queue), options_(options), backend_(choose_backend(options.cpu_backend)),
          banks_(view_, options.threads)
    {
    }

    RenderReport run()
    {
        int const threads = std::max(1, options_.threads);
        // Plain threads: workers live as long as the render, and a sanitizer sees every hand-over.
        std::exception_ptr failure;
        {
            std::vector<std::jthread> workers;
            for (int i = 0; i < threads; ++i)
                workers.emplace_back([&] {
                    try {
                        work();
                    } catch (...) {
                        std::scoped_lock const lock(film_mutex_);
                        failure = std::current_exception();
                        stopping_.store(true);
                    }
                });
        }
        if (failure) std::rethrow_exception(failure);
        report_.seconds_banks = bank_wait_s_ / threads; // a worker's share: others may render while one makes a bank
        report_.seconds_render = seconds_since(start_) - report_.seconds_banks;
        report_.end = end_;
        report_.device = "cpu";
        report_.kernel = backend_.name;
        return report_;
    }

private:
    void work()
    {
        std::uint64_t wanted = kFirstUnitPaths;
        while (!stopping_.load()) {
            std::optional<WorkUnit> const unit = queue_.take(wanted);
            if (!unit) return;
            Clock::time_point const start = Clock::now();
            if (!render_unit(*unit)) return;
            double const paths_per_second = static_cast<double>(unit->paths) / std::max(seconds_since(start), 1e-6);
            wanted = std::min(kMostUnitPaths, static_cast<std::uint64_t>(paths_per_second * kUnitDuration_s));
            watch();
        }
    }

    /// False if it was given up; the film knows nothing of it then.
    bool render_unit(WorkUnit const& unit)
    {
        PathCounts counts;
        SceneView view = view_;
        OutcomeBanks::Bank bank;
        Clock::time_point const asked = Clock::now();
        if (view.long_steps.on != 0u) {
            bank = banks_.find(bank_of_sample(unit.block.first_sample));
            view.long_steps.bank.outcomes = bank->data();
        }
        double const waited_s = seconds_since(asked);
        std::uint32_t const edge = options_.tile_size == 0 ? kFileTileEdge : std::min(options_.tile_size, kFileTileEdge);
        std::vector<PartSums> parts;
        for (RenderBlock const& block : cut_block(unit.block, edge)) parts.emplace_back(block, film_.bands());
        for (PartSums& part : parts)
            if (!backend_.render(view, part.block, part.view(), counts, {poll, this})) return false;
        std::scoped_lock const lock(film_mutex_);
        bank_wait_s_ += waited_s;
        for (PartSums const& part : parts) {
            add_part(film_, part);
            if (film_.scene().long_steps == LongSteps::on) add_to_bank(film_, bank_of_sample(unit.block.first_sample), part);
        }
        insert_range(film_.tile_ranges[unit.tile], {unit.block.first_sample, unit.block.sample_count});
        add_counts(film_, counts);
        report_.counts.add(counts);
        done_paths_ += unit.paths;
        return true;
    }

    static bool poll(void* renderer)
    {
        auto* const self = static_cast<Renderer*>(renderer);
        self->watch();
        return self->stopping_.load();
    }

    /// Tells the sink how far it is, and notices when to stop. Whoever comes while another is at it has nothing to do.
    void watch()
    {
        std::unique_lock const lock(watch_mutex_, std::try_to_lock);
        if (!lock.owns_lock() || stopping_.load()) return;
        double const elapsed_s = seconds_since(start_);
        std::uint64_t const done = done_paths_.load();
        bool const complete = done == queue_.total_paths();
        bool const late = options_.time_limit_s > 0 && elapsed_s >= options_.time_limit_s;
        if (late && done > 0 && !complete) stop(RenderEnd::time_limit);
        if (!options_.progress || (elapsed_s - last_report_s_ < kProgressInterval_s && !complete)) return;
        last_report_s_ = elapsed_s;
        if (!options_.progress({done, queue_.total_paths(), "paths"}) && !complete) stop(RenderEnd::stopped);
    }

    void stop(RenderEnd end)
    {
        end_ = end;
        stopping_.store(true);
    }

    SceneView const& view_;
    Film& film_;
    WorkQueue& queue_;
    RenderOptions const& options_;
    CpuBackend backend_;
    OutcomeBanks banks_;
    double bank_wait_s_ = 0; ///< of all workers, under film_mutex_
    Clock::time_point start_ = Clock::now();
    std::atomic<bool> stopping_{false};
    std::mutex film_mutex_;
    std::mutex watch_mutex_;
    RenderEnd end_ = RenderEnd::finished; // written under watch_mutex_, read when all workers are done
    RenderReport report_;
    std::atomic<std::uint64_t> done_paths_{0};
    double last_report_s_ = 0;
};

} // namespace

Film make_film(RenderScene const& scene, std::uint64_t seed)
{
    return Film(scene.scene(), seed, scene.sum_log2(), scene.square_log2());
}

RenderReport render_ranges(RenderScene const& scene, Film& film, std::vector<SampleRanges> const& todo,
                           RenderOptions const& options)
{
    if (options.gpu) return render_ranges_on_gpu(scene, film, todo, options);
    std::uint32_t const paths_a_sample = carries_all_bands(scene.view()) ? 1 : film.bands();
    WorkQueue queue(film, todo, paths_a_sample, std::max(1, options.threads), count_grouped_samples(film.scene()));
    return Renderer(scene, film, queue, options).run();
}

RenderReport render_film(RenderScene const& scene, Film& film, SampleRange samples, RenderOptions const& options)
{
    std::vector<SampleRanges> todo;
    for (SampleRanges const& have : film.tile_ranges) todo.push_back(missing_ranges(have, samples));
    return render_ranges(scene, film, todo, options);
}

} // namespace volpt
