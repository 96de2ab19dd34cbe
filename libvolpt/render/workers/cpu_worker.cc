// The CPU's threads as one worker: work items are cut into units, which all threads render.
#include "libvolpt/cpu/cpu_backend.h"
#include "libvolpt/cpu/outcomes/outcome_banks.h"
#include "libvolpt/render/pool/work_queue.h"
#include "libvolpt/render/workers/kept_renderers.h"
#include "libvolpt/render/workers/unit_rate.h"
#include "libvolpt/render/workers/worker.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/stopwatch.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <thread>

namespace volpt {
namespace {

using Clock = std::chrono::steady_clock;

// A unit that is unfinished when the render stops is lost, so units are short, but long enough that the lanes run full.
constexpr double kUnitDuration_s = 0.25;
constexpr std::uint64_t kFirstUnitPaths = 8192;
constexpr std::uint64_t kMostUnitPaths = 1 << 18;
constexpr double kUnitRateWindow_s = 4;
// Beside other workers: how long a work item keeps all threads busy, and how long before its end the next is fetched.
constexpr double kCpuWorkItem_s = 0.25;
constexpr double kFetchAhead_s = 0.1;

class CpuWorker final : public Worker {
public:
    CpuWorker(WorkerContext const& context, RenderOptions const& options, TileEdges edges, Workers workers)
        : context_(context), view_(context.scene.view()), workers_(workers), threads_(count_threads(options)),
          edges_(std::move(edges)), kernel_(fill_in_kernel(cpu_backend(), view_, {.kernel = options.cpu_backend})),
          shared_(find_banks(view_, options)),
          queue_(context.film, find_unit_area(view_), count_paths_per_sample(view_), threads_,
                 count_bank_samples(context.film.scene()), workers == Workers::one ? UnitCuts::fine : UnitCuts::few),
          rate_(threads_, kUnitRateWindow_s), stopped_(context.film.tile_ranges.size())
    {
        find_kernel(cpu_backend().list_kernels(), cpu_backend().name(), kernel_);
    }

    void run(WorkSource& source) override
    {
        // Plain threads: they live as long as the render, and a sanitizer sees every hand-over.
        std::exception_ptr failure;
        source_ = &source;
        {
            std::vector<std::jthread> threads;
            for (int i = 0; i < threads_; ++i)
                threads.emplace_back([&] {
                    try {
                        work(source);
                    } catch (...) {
                        std::scoped_lock const lock(mutex_);
                        failure = std::current_exception();
                        failed_.store(true);
                    }
                });
        }
        end_s_ = context_.progress.elapsed_s();
        if (failure) std::rethrow_exception(failure);
        if (!source.is_recalled()) return;
        queue_.drain(stopped_);
        source.return_samples(stopped_);
    }

    WorkerReport report() override
    {
        WorkerReport report;
        report.device = "cpu";
        report.kernel = kernel_.kernel;
        report.counts = counts_;
        report.seconds_banks = bank_wait_s_ / threads_; // the mean: other threads may render while one makes a bank
        report.end_s = end_s_;
        return report;
    }

private:
    /// Each GPU's worker needs a core at once when its launch ends.
    static int count_threads(RenderOptions const& options)
    {
        return std::max(1, options.threads - static_cast<int>(options.gpus.size()));
    }

    /// Chains add to any pixel, and a sample is what all of a pass add.
    static UnitArea find_unit_area(SceneView const& view)
    {
        return view.transport == Transport::metropolis ? UnitArea::whole_film : UnitArea::file_tile;
    }

    static std::shared_ptr<SharedState> find_banks(SceneView const& view, RenderOptions const& options)
    {
        BankCache const cache(options.bank_cache);
        if (options.kept != nullptr) return options.kept->find_banks(view, options.threads, cache);
        return std::make_shared<OutcomeBanks>(view, options.threads, cache);
    }

    void work(WorkSource& source)
    {
        auto const renderer = cpu_backend().make_renderer(view_, kFileTileEdge * kFileTileEdge, kernel_, shared_);
        render_units(source, *renderer);
        std::scoped_lock const lock(mutex_);
        bank_wait_s_ += renderer->measure_bank_seconds();
    }

    void render_units(WorkSource& source, TileRenderer& renderer)
    {
        while (!is_stopping()) {
            bool const gives_more = fetch(source);
            std::optional<WorkUnit> const unit = queue_.take(choose_unit_paths());
            if (!unit && gives_more) continue; // another thread was quicker
            if (!unit) return;
            under_way_ += unit->paths;
            Clock::time_point const start = Clock::now();
            bool const is_done = render_unit(renderer, *unit);
            under_way_ -= unit->paths;
            if (!is_done) {
                note_stopped(*unit);
                return;
            }
            context_.progress.add_done(static_cast<std::int64_t>(unit->paths));
            note_unit(unit->paths, seconds_since(start));
            context_.progress.poll();
        }
    }

    bool is_stopping() const { return context_.progress.is_stopping() || failed_.load() || source_->is_recalled(); }

    void note_stopped(WorkUnit const& unit)
    {
        std::scoped_lock const lock(mutex_);
        for (std::size_t const tile : unit.tiles)
            insert_range(stopped_[tile], {unit.block.first_sample, unit.block.sample_count});
    }

    /// Takes work items until the queue holds work for a while, or, for the only worker, all there is; false if the
    /// pool gives no more.
    bool fetch(WorkSource& source)
    {
        std::scoped_lock const lock(mutex_);
        std::uint64_t const first = kFirstUnitPaths * static_cast<std::uint64_t>(threads_);
        double const rate = rate_.rate();
        auto const least = rate > 0 ? static_cast<std::uint64_t>(rate * kFetchAhead_s) : first;
        while (queue_.count_left() <= least || workers_ == Workers::one) {
            WorkRequest request{first, kCpuWorkItem_s};
            if (workers_ == Workers::one) request = {UINT64_MAX, 1e9};
            request.rate = rate;
            // With half of what is under way, the CPU ended 0.26 s of 10 s after a GPU.
            request.pending_paths = queue_.count_left() + under_way_;
            std::optional<WorkItem> const item = source.take(request);
            if (!item) return false;
            queue_.add(item->group->file_tiles, {item->samples});
        }
        return true;
    }

    std::uint64_t choose_unit_paths()
    {
        std::scoped_lock const lock(mutex_);
        if (rate_.rate() == 0) return kFirstUnitPaths;
        return std::min(kMostUnitPaths, static_cast<std::uint64_t>(rate_.rate() / threads_ * kUnitDuration_s));
    }

    void note_unit(std::uint64_t paths, double seconds)
    {
        std::scoped_lock const lock(mutex_);
        rate_.note_unit(paths, seconds);
    }

    /// False if it was stopped; the film then has none of it.
    bool render_unit(TileRenderer& renderer, WorkUnit const& unit)
    {
        std::vector<RenderTile> const areas = cut_block(unit.block, edges_);
        std::vector<BlockSums> copies;
        RenderedTiles delivery{unit.tiles, {{unit.block.first_sample, unit.block.sample_count}}, {}, {}};
        for (RenderTile const& area : areas) {
            renderer.open(0, area, FilmHalf::joined);
            // What a unit has added to a tally cannot be taken back, so it is finished.
            StopPoll const stop = has_tally(view_) ? StopPoll() : StopPoll{poll, this};
            Launch const launch = renderer.add_samples(0, unit.block.first_sample, unit.block.sample_count, stop);
            if (launch == Launch::stopped) return false;
            renderer.close(0);
            CollectedSums const sums = renderer.collect(0);
            delivery.counts.add(sums.totals.counts);
            add_banks(delivery.bank_sums, renderer.collect_banks(0), context_.film.bands());
            RenderTile const reached = find_reached_pixels(view_, area);
            if (areas.size() == 1)
                delivery.parts.push_back({reached, sums.planes});
            else
                copies.push_back(copy_sums({reached, sums.planes}, context_.film.planes()));
        }
        for (BlockSums const& copy : copies) delivery.parts.push_back(copy.read());
        context_.sink.add(delivery);
        std::scoped_lock const lock(mutex_);
        counts_.add(delivery.counts);
        return true;
    }

    static bool poll(void* worker)
    {
        auto* const self = static_cast<CpuWorker*>(worker);
        self->context_.progress.poll();
        return self->is_stopping();
    }

    WorkerContext context_;
    SceneView const& view_;
    Workers workers_;
    int threads_;
    TileEdges edges_;
    RendererOptions kernel_;
    std::shared_ptr<SharedState> shared_;
    WorkQueue queue_;
    WorkSource* source_ = nullptr;
    std::atomic<bool> failed_{false};
    std::atomic<std::uint64_t> under_way_{0}; ///< paths of units
    std::mutex mutex_;                        ///< guards what follows
    UnitRate rate_;
    double bank_wait_s_ = 0; ///< of all threads
    double end_s_ = 0;
    PathCounts counts_;
    std::vector<SampleRanges> stopped_; ///< samples of units that were stopped, by file tile
};

} // namespace

std::unique_ptr<Worker> make_cpu_worker(WorkerContext const& context, RenderOptions const& options,
                                        TileEdges const& edges, Workers workers)
{
    return std::make_unique<CpuWorker>(context, options, edges, workers);
}

} // namespace volpt
