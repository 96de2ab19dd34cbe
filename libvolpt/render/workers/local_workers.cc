#include "libvolpt/render/workers/local_workers.h"

#include "libvolpt/cpu/brick_accesses.h"

#include <algorithm>
#include <fmt/format.h>

namespace volpt {

LocalWorkers::LocalWorkers(WorkerContext const& context, RenderOptions const& options, TileEdges const& edges,
                           int total_workers)
    : context_(context), options_(options),
      total_workers_(total_workers), gpus_{.backend = options.gpu_backend, .kept = options.kept}
{
    if (gpus_.backend != nullptr)
        gpus_.shared = gpus_.backend->share(context_.scene.view(), options_.threads, [this] {
            return estimate_brick_accesses(context_.scene.view(), options_.threads,
                                           choose_access_flights(options_.threads));
        });
    std::uint32_t const most_pixels = count_most_pixels(edges);
    for (RendererOptions const& gpu : options.gpus)
        slots_.push_back({fmt::format("GPU {}", gpu.device),
                          [this, &gpu, most_pixels, total_workers] {
                              return make_device_worker(
                                  context_, gpu, most_pixels,
                                  {options_.launch_s, options_.least_tuned_s, options_.stopped_samples}, total_workers,
                                  gpus_);
                          },
                          Returns::never});
    Workers const workers = total_workers == 1 ? Workers::one : Workers::several;
    if (std::cmp_less(slots_.size(), count_workers(options)))
        slots_.push_back({"the CPU",
                          [this, edges, workers] { return make_cpu_worker(context_, options_, edges, workers); },
                          Returns::possible});
}

int LocalWorkers::count_workers(RenderOptions const& options)
{
    bool const with_cpu = options.gpus.empty() || options.cpu == CpuUse::beside_gpus;
    return static_cast<int>(options.gpus.size()) + (with_cpu ? 1 : 0);
}

int LocalWorkers::count_active() const
{
    std::scoped_lock const lock(mutex_);
    return static_cast<int>(
        std::count_if(slots_.begin(), slots_.end(), [](WorkerSlot const& slot) { return !slot.has_failed; }));
}

void LocalWorkers::start(std::function<std::unique_ptr<WorkSource>(Returns)> const& make_source)
{
    // All sources before the first worker starts: the pool gives less to one of several workers.
    std::vector<std::pair<WorkerSlot*, std::unique_ptr<WorkSource>>> sources;
    for (WorkerSlot& slot : slots_)
        if (!slot.has_failed) sources.emplace_back(&slot, make_source(slot.returns));
    running_ = static_cast<int>(sources.size());
    for (auto& [slot, source] : sources)
        threads_.emplace_back([this, slot = slot, source = std::move(source)]() mutable {
            run_worker(*slot, *source);
            source.reset();
            std::scoped_lock const lock(mutex_);
            --running_;
            ended_.notify_all();
        });
}

bool LocalWorkers::wait_for(double seconds)
{
    std::unique_lock lock(mutex_);
    return ended_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return running_ == 0; });
}

void LocalWorkers::run_worker(WorkerSlot& slot, WorkSource& source)
{
    bool may_have_sums = false;
    try {
        std::unique_ptr<Worker> const worker = slot.make();
        context_.progress.start_clock();
        may_have_sums = is_tallied(context_.scene.view().tally);
        worker->run(source);
        WorkerReport report = worker->report();
        report.counts.add(slot.report.counts); // of a round before
        report.seconds_banks += slot.report.seconds_banks;
        slot.report = std::move(report);
    } catch (Error const& error) {
        if (error.status() != ExitStatus::system)
            give_up();
        else if (may_have_sums)
            give_up_tally(slot, error);
        else
            note_failure(slot, error);
    } catch (...) {
        give_up();
    }
}

void LocalWorkers::note_failure(WorkerSlot& slot, Error const& error)
{
    std::scoped_lock const lock(mutex_);
    slot.has_failed = true;
    slot.report = {};
    slot.report.device = slot.name;
    slot.report.failure = error.what();
    last_device_failure_ = std::current_exception();
    if (total_workers_ > 1)
        notify(options_, fmt::format("{} has failed, its samples go to the others: {}", slot.name, error.what()));
}

/// A device adds its sums at its end: those of the samples that it has delivered are lost with it.
void LocalWorkers::give_up_tally(WorkerSlot const& slot, Error const& failure)
{
    try {
        fail_system(
            fmt::format("{} has failed, and what it had added to the tally is lost: {}", slot.name, failure.what()),
            slot.name, "render again without that device, for example with --device cpu");
    } catch (Error const&) {
        give_up();
    }
}

void LocalWorkers::give_up()
{
    std::scoped_lock const lock(mutex_);
    failure_ = std::current_exception();
    context_.progress.cancel();
}

std::vector<WorkerReport> LocalWorkers::report() const
{
    std::vector<WorkerReport> reports;
    for (WorkerSlot const& slot : slots_) reports.push_back(slot.report);
    return reports;
}

} // namespace volpt
