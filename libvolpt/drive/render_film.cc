// Runs work units on all cores and adds them to the film.
#include "libvolpt/drive/render_film.h"

#include "libvolpt/cpu/render_block.h"
#include "libvolpt/drive/work_queue.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fmt/format.h>
#include <mutex>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

namespace volpt {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kProgressInterval_s = 0.1;

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

/// The sums of one unit before they join the film; kept by a worker from unit to unit.
struct UnitSums {
    std::vector<std::uint64_t> sums;
    std::vector<std::uint64_t> squares;

    void reset(std::size_t size)
    {
        sums.assign(size, 0);
        squares.assign(size, 0);
    }
};

class Renderer {
public:
    Renderer(RenderScene const& scene, Film& film, WorkQueue& queue, RenderOptions const& options)
        : view_(scene.view()), film_(film), queue_(queue), options_(options), backend_(choose_backend(options.cpu_backend))
    {
    }

    RenderReport run()
    {
        int const threads = std::max(1, options_.threads);
        // Without it TBB refuses more threads than processors, aloud.
        tbb::global_control const allow(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
        tbb::task_arena arena(threads);
        arena.execute([&] {
            tbb::task_group workers;
            for (int i = 0; i < threads; ++i) workers.run([&] { work(); });
            workers.wait();
        });
        report_.seconds_render = seconds_since(start_);
        report_.end = end_;
        report_.device = "cpu";
        report_.kernel = backend_.name;
        return report_;
    }

private:
    void work()
    {
        UnitSums sums;
        while (!stopping_.load(std::memory_order_relaxed)) {
            std::optional<WorkUnit> const unit = queue_.take();
            if (!unit) return;
            render_unit(*unit, sums);
        }
    }

    void render_unit(WorkUnit const& unit, UnitSums& sums)
    {
        PathCounts counts;
        std::uint32_t const edge = std::clamp(options_.tile_size, 1u, kFileTileEdge);
        RenderBlock const& whole = unit.block;
        std::vector<std::pair<RenderBlock, UnitSums>> parts;
        for (std::uint32_t y = whole.y0; y < whole.y1; y += edge)
            for (std::uint32_t x = whole.x0; x < whole.x1; x += edge) {
                RenderBlock part = whole;
                part.x0 = x;
                part.y0 = y;
                part.x1 = std::min(x + edge, whole.x1);
                part.y1 = std::min(y + edge, whole.y1);
                sums.reset(std::size_t{part.x1 - part.x0} * (part.y1 - part.y0) * film_.bands());
                backend_.render(view_, part, {sums.sums.data(), sums.squares.data()}, counts);
                parts.emplace_back(part, sums);
            }
        add_unit(unit, parts, counts);
    }

    void add_unit(WorkUnit const& unit, std::vector<std::pair<RenderBlock, UnitSums>> const& parts, PathCounts const& counts)
    {
        std::scoped_lock const lock(film_mutex_);
        for (auto const& [block, sums] : parts) add_block(block, sums);
        insert_range(film_.tile_ranges[unit.tile], {unit.block.first_sample, unit.block.sample_count});
        add_counts(counts);
        report_progress(unit.paths);
    }

    void add_block(RenderBlock const& block, UnitSums const& sums)
    {
        std::size_t source = 0;
        for (std::uint32_t band = 0; band < film_.bands(); ++band)
            for (std::uint32_t y = block.y0; y < block.y1; ++y) {
                std::size_t target = (std::size_t{band} * film_.height() + y) * film_.width() + block.x0;
                for (std::uint32_t x = block.x0; x < block.x1; ++x, ++source, ++target) {
                    film_.sums[target] += sums.sums[source];
                    film_.squares[target] += sums.squares[source];
                }
            }
    }

    void add_counts(PathCounts const& counts)
    {
        film_.statistics.paths += counts.paths;
        film_.statistics.extensions += counts.extensions;
        film_.statistics.tentative_collisions += counts.tentative_collisions;
        film_.statistics.cut_paths += counts.cut_paths;
        film_.statistics.cut_throughput += counts.cut_throughput;
        report_.counts.paths += counts.paths;
        report_.counts.extensions += counts.extensions;
        report_.counts.tentative_collisions += counts.tentative_collisions;
        report_.counts.cut_paths += counts.cut_paths;
        report_.counts.cut_throughput += counts.cut_throughput;
    }

    void report_progress(std::uint64_t paths)
    {
        done_paths_ += paths;
        double const elapsed_s = seconds_since(start_);
        bool const complete = done_paths_ == queue_.total_paths();
        if (options_.time_limit_s > 0 && elapsed_s >= options_.time_limit_s && !complete) stop(RenderEnd::time_limit);
        if (!options_.progress || (elapsed_s - last_report_s_ < kProgressInterval_s && !complete)) return;
        last_report_s_ = elapsed_s;
        if (!options_.progress({done_paths_, queue_.total_paths(), "paths"}) && !complete) stop(RenderEnd::stopped);
    }

    void stop(RenderEnd end)
    {
        end_ = end;
        stopping_.store(true, std::memory_order_relaxed);
    }

    SceneView const& view_;
    Film& film_;
    WorkQueue& queue_;
    RenderOptions const& options_;
    CpuBackend backend_;
    Clock::time_point start_ = Clock::now();
    std::atomic<bool> stopping_{false};
    std::mutex film_mutex_;
    RenderEnd end_ = RenderEnd::finished;
    RenderReport report_;
    std::uint64_t done_paths_ = 0;
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
    std::uint32_t const paths_a_sample = carries_all_bands(scene.view()) ? 1 : film.bands();
    WorkQueue queue(film, todo, paths_a_sample);
    return Renderer(scene, film, queue, options).run();
}

RenderReport render_film(RenderScene const& scene, Film& film, SampleRange samples, RenderOptions const& options)
{
    std::vector<SampleRanges> todo;
    for (SampleRanges const& have : film.tile_ranges) todo.push_back(missing_ranges(have, samples));
    return render_ranges(scene, film, todo, options);
}

} // namespace volpt
