// The workers of this process, each in a thread of its own.
#pragma once

#include "libvolpt/render/workers/worker.h"
#include "libvolpt/sys/error.h"

#include <condition_variable>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

namespace volpt {

class LocalWorkers {
public:
    /// `context` and `options` outlive the workers. The film is cut at `edges`; `total_workers`
    /// share the pool, these among them.
    LocalWorkers(WorkerContext const& context, RenderOptions const& options, TileEdges const& edges, int total_workers);
    ~LocalWorkers() { join(); }

    /// One per GPU, and one for the CPU where it takes part.
    static int count_workers(RenderOptions const& options);
    /// Workers that have not failed.
    int count_active() const;
    /// Makes each worker that has not failed, in a thread of its own, with a source of its own, and runs it.
    void start(std::function<std::unique_ptr<WorkSource>(Returns)> const& make_source);
    /// Whether all workers have ended; waits at most so long for it.
    bool wait_for(double seconds);
    /// Waits until all workers have ended.
    void join() { threads_.clear(); }

    /// An error that is no failure of a device: it ends the render. Call when no worker runs.
    std::exception_ptr failure() const { return failure_; }
    /// Of the worker that failed last.
    std::exception_ptr last_device_failure() const { return last_device_failure_; }
    /// One entry per worker. Call when no worker runs.
    std::vector<WorkerReport> report() const;

private:
    /// How to make a worker, and what became of it.
    struct WorkerSlot {
        std::string name;
        std::function<std::unique_ptr<Worker>()> make;
        Returns returns;
        bool has_failed = false;
        WorkerReport report = {};
    };

    void run_worker(WorkerSlot& slot, WorkSource& source);
    void note_failure(WorkerSlot& slot, Error const& error);
    void give_up_tally(WorkerSlot const& slot, Error const& failure);
    void give_up();

    WorkerContext context_;
    RenderOptions const& options_;
    int total_workers_;
    DeviceGroup gpus_;
    std::vector<WorkerSlot> slots_;
    mutable std::mutex mutex_;
    std::condition_variable ended_;
    int running_ = 0;
    std::exception_ptr failure_;
    std::exception_ptr last_device_failure_;
    std::vector<std::jthread> threads_;
};

} // namespace volpt
