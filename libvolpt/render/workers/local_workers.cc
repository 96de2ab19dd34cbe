// Puts workers to seats, and sees what became of them.
#include "libvolpt/render/workers/local_workers.h"

#include "libvolpt/cpu/brick_accesses.h"
#include "libvolpt/render/workers/cpu_worker.h"

#include <algorithm>
#include <fmt/format.h>

namespace volpt {

LocalWorkers::LocalWorkers(WorkerContext const& place, RenderOptions const& options, std::uint32_t tile_size,
                           int total_workers)
    : context_(place), options_(options), total_workers_(total_workers), bricks_(make_brick_store([this] {
          return estimate_brick_accesses(context_.scene.view(), options_.threads,
                                         choose_access_flights(options_.threads));
      }))
{
    std::uint32_t const most_pixels = count_most_pixels(place.film, tile_size);
    for (GpuOptions const& gpu : options.gpus)
        slots_.push_back({fmt::format("GPU {}", gpu.device), [this, &gpu, most_pixels, total_workers] {
                              return make_gpu_worker(context_, gpu, most_pixels, total_workers, tuned_kernels_,
                                                     bricks_);
                          }});
    Company const kind = total_workers == 1 ? Company::alone : Company::beside_others;
    if (std::cmp_less(slots_.size(), count_workers(options)))
        slots_.push_back({"the CPU", [this, kind] { return make_cpu_worker(context_, options_, kind); }});
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
        std::count_if(slots_.begin(), slots_.end(), [](WorkerSlot const& post) { return !post.has_failed; }));
}

void LocalWorkers::start(std::function<std::unique_ptr<WorkSource>()> const& make_source)
{
    // All seats before the first worker starts: a pool gives less to one who is not alone.
    std::vector<std::pair<WorkerSlot*, std::unique_ptr<WorkSource>>> sources;
    for (WorkerSlot& post : slots_)
        if (!post.has_failed) sources.emplace_back(&post, make_source());
    running_ = static_cast<int>(sources.size());
    for (auto& [post, source] : sources)
        threads_.emplace_back([this, post = post, source = std::move(source)]() mutable {
            run_worker(*post, *source);
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

void LocalWorkers::run_worker(WorkerSlot& post, WorkSource& source)
{
    try {
        std::unique_ptr<Worker> const worker = post.make();
        context_.progress.start_clock();
        worker->run(source);
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

void LocalWorkers::note_failure(WorkerSlot& post, Error const& error)
{
    std::scoped_lock const lock(mutex_);
    post.has_failed = true;
    post.report = {};
    post.report.device = post.name;
    post.report.failure = error.what();
    last_device_failure_ = std::current_exception();
    if (total_workers_ > 1)
        notify(options_, fmt::format("{} has failed, its samples go to the others: {}", post.name, error.what()));
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
    for (WorkerSlot const& post : slots_) reports.push_back(post.report);
    return reports;
}

} // namespace volpt
