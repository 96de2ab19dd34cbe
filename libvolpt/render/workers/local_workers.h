// The workers of this process, each in a thread of its own.
#pragma once

#include "libvolpt/render/workers/gpu_worker.h"
#include "libvolpt/sys/error.h"

#include <condition_variable>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

namespace volpt {

class LocalWorkers {
public:
    /// All outlive the crew. Areas are of at most `tile_size` pixels along a side; `company` is the number of workers
    /// that share the pool, this crew's among them.
    LocalWorkers(WorkerContext const& place, RenderOptions const& options, std::uint32_t tile_size, int total_workers);
    ~LocalWorkers() { join(); }

    /// GPUs, and the CPU unless it is to stand back.
    static int count_workers(RenderOptions const& options);
    /// Those that have not failed.
    int count_active() const;
    /// Each able worker is made, takes its seat, and gets up when it has nothing more to do.
    void start(std::function<std::unique_ptr<WorkSource>()> const& make_source);
    /// Whether all seats are empty; waits up to so long for it.
    bool wait_for(double seconds);
    /// Waits until all seats are empty.
    void join() { threads_.clear(); }

    /// What was no failure of a worker's device: it ends the render. When no worker runs.
    std::exception_ptr failure() const { return failure_; }
    /// Of the worker that failed last.
    std::exception_ptr last_device_failure() const { return last_device_failure_; }
    /// An entry a worker. When no worker runs.
    std::vector<WorkerReport> report() const;

private:
    /// A worker's making, and what became of it.
    struct WorkerSlot {
        std::string name;
        std::function<std::unique_ptr<Worker>()> make;
        bool has_failed = false;
        WorkerReport report = {};
    };

    void run_worker(WorkerSlot& post, WorkSource& source);
    void note_failure(WorkerSlot& post, Error const& error);
    void give_up();

    WorkerContext context_;
    RenderOptions const& options_;
    int total_workers_;
    TunedKernels tuned_kernels_;
    std::shared_ptr<BrickStore> bricks_; ///< one host copy for all GPUs
    std::vector<WorkerSlot> slots_;
    mutable std::mutex mutex_;
    std::condition_variable ended_;
    int running_ = 0;
    std::exception_ptr failure_;
    std::exception_ptr last_device_failure_;
    std::vector<std::jthread> threads_;
};

} // namespace volpt
