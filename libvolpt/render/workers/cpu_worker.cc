// Cuts batches into units, renders them on all threads.
#include "libvolpt/render/workers/cpu_worker.h"

#include "libvolpt/cpu/outcome_banks.h"
#include "libvolpt/cpu/render_block.h"
#include "libvolpt/render/pool/work_queue.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/stopwatch.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <fmt/format.h>
#include <thread>

namespace volpt {
namespace {

using Clock = std::chrono::steady_clock;

// A unit that a stop finds unfinished is lost, so units are short; long enough that the lanes run full.
constexpr double kUnitDuration_s = 0.25;
constexpr std::uint64_t kFirstUnitPaths = 8192;
constexpr std::uint64_t kMostUnitPaths = 1 << 18;
// Beside others: batches that last all threads so long, fetched when so much is left.
constexpr double kWorkItemDuration_s = 1.0;
constexpr double kFetchAhead_s = 0.1;

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

class CpuWorker final : public Worker {
public:
    CpuWorker(WorkerContext const& place, RenderOptions const& options, Company total_workers)
        : context_(place), view_(place.scene.view()), total_workers_(total_workers),
          threads_(std::max(1, options.threads)),
          tile_edge_(options.tile_size == 0 ? kFileTileEdge : std::min(options.tile_size, kFileTileEdge)),
          backend_(choose_backend(options.cpu_backend)), banks_(view_, options.threads),
          queue_(place.film, carries_all_bands(view_) ? 1 : place.film.bands(), threads_,
                 count_bank_samples(place.film.scene()))
    {
    }

    void run(WorkSource& source) override
    {
        // Plain threads: they live as long as the render, and a sanitizer sees every hand-over.
        std::exception_ptr failure;
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
    }

    WorkerReport report() override
    {
        WorkerReport report;
        report.device = "cpu";
        report.kernel = backend_.name;
        report.counts = counts_;
        report.seconds_banks = bank_wait_s_ / threads_; // a thread's share: others may render while one makes a bank
        report.end_s = end_s_;
        return report;
    }

private:
    void work(WorkSource& source)
    {
        double paths_per_second = 0;
        while (!context_.progress.is_stopping() && !failed_.load()) {
            std::uint64_t const wanted =
                paths_per_second == 0
                    ? kFirstUnitPaths
                    : std::min(kMostUnitPaths, static_cast<std::uint64_t>(paths_per_second * kUnitDuration_s));
            bool const gives_more = fetch(source);
            std::optional<WorkUnit> const unit = queue_.take(wanted);
            if (!unit && gives_more) continue; // another thread was quicker
            if (!unit) return;
            under_way_ += unit->paths;
            Clock::time_point const start = Clock::now();
            bool const is_done = render_unit(*unit);
            under_way_ -= unit->paths;
            if (!is_done) return;
            context_.progress.add_done(static_cast<std::int64_t>(unit->paths));
            double const rate = static_cast<double>(unit->paths) / std::max(seconds_since(start), 1e-6);
            add_rate(rate, paths_per_second);
            paths_per_second = rate;
            context_.progress.poll();
        }
    }

    /// Sees to it that the queue holds work for a while, or alone all there is; false if the pool gives no more.
    bool fetch(WorkSource& source)
    {
        std::scoped_lock const lock(mutex_);
        std::uint64_t const first = kFirstUnitPaths * static_cast<std::uint64_t>(threads_);
        auto const least = rate_ > 0 ? static_cast<std::uint64_t>(rate_ * kFetchAhead_s) : first;
        while (queue_.count_left() <= least || total_workers_ == Company::alone) {
            WorkRequest request{first, kWorkItemDuration_s};
            if (total_workers_ == Company::alone) request = {UINT64_MAX, 1e9};
            request.rate = rate_;
            request.pending_paths =
                queue_.count_left() + under_way_; // with half of it, the CPU ended 0.26 s of 10 s after a GPU
            std::optional<WorkItem> const item = source.take(request);
            if (!item) return false;
            queue_.add(item->group->file_tiles, {item->samples});
        }
        return true;
    }

    /// A thread's new rate and its last one, 0 before the first.
    void add_rate(double rate, double last)
    {
        std::scoped_lock const lock(mutex_);
        if (last == 0) ++rated_threads_;
        rate_of_rated_ = std::max(rate_of_rated_ + rate - last, 0.0);
        // While some threads are at their first unit, they count as the others: with less, the pool once took the CPU
        // for hopelessly slow.
        rate_ = rate_of_rated_ * threads_ / rated_threads_;
    }

    /// False if it was given up; the film knows nothing of it then.
    bool render_unit(WorkUnit const& unit)
    {
        std::uint32_t const bank_number = bank_of_sample(unit.block.first_sample);
        PathCounts counts;
        SceneView view = view_;
        OutcomeBanks::Bank bank;
        Clock::time_point const asked = Clock::now();
        if (view.long_steps.on != 0u) {
            bank = banks_.find(bank_number);
            view.long_steps.bank.outcomes = bank->data();
        }
        double const waited_s = seconds_since(asked);
        std::vector<TileSums> parts;
        for (RenderTile const& block : cut_block(unit.block, tile_edge_))
            parts.emplace_back(block, context_.film.bands());
        for (TileSums& part : parts)
            if (!backend_.render(view, part.block, part.view(), counts, {poll, this})) return false;
        std::vector<std::size_t> const tiles{unit.tile};
        RenderedTiles delivery{tiles, {{unit.block.first_sample, unit.block.sample_count}}, {}, counts};
        for (TileSums const& part : parts) delivery.parts.push_back(part.read());
        if (view.long_steps.on != 0u) {
            std::vector<Wide>& sums = delivery.bank_sums[bank_number];
            sums.resize(context_.film.bands());
            for (ConstTileSums const& part : delivery.parts) add_over_pixels(sums, part);
        }
        context_.sink.add(delivery);
        std::scoped_lock const lock(mutex_);
        bank_wait_s_ += waited_s;
        counts_.add(counts);
        return true;
    }

    static bool poll(void* worker)
    {
        auto* const self = static_cast<CpuWorker*>(worker);
        return self->context_.progress.poll() || self->failed_.load();
    }

    WorkerContext context_;
    SceneView const& view_;
    Company total_workers_;
    int threads_;
    std::uint32_t tile_edge_;
    CpuBackend backend_;
    OutcomeBanks banks_;
    WorkQueue queue_;
    std::atomic<bool> failed_{false};
    std::atomic<std::uint64_t> under_way_{0}; ///< paths of units
    std::mutex mutex_;                        ///< what follows
    int rated_threads_ = 0;
    double rate_of_rated_ = 0;
    double rate_ = 0;        ///< of all threads, paths per second; 0: not known
    double bank_wait_s_ = 0; ///< of all threads
    double end_s_ = 0;
    PathCounts counts_;
};

} // namespace

std::unique_ptr<Worker> make_cpu_worker(WorkerContext const& place, RenderOptions const& options, Company total_workers)
{
    return std::make_unique<CpuWorker>(place, options, total_workers);
}

} // namespace volpt
