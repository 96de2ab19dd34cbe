// One that renders batches of a pool: a GPU, or the CPU's threads.
#pragma once

#include "libvolpt/render/film_sink.h"
#include "libvolpt/render/pool/work_source.h"
#include "libvolpt/render/render_progress.h"

#include <memory>

namespace volpt {

/// Where a worker's batches come from and its sums go. All outlive it.
struct WorkerContext {
    RenderScene const& scene;
    Film const& film; ///< for its scene and size alone
    FilmSink& sink;
    RenderProgress& progress;
};

/// Made and run in one thread.
class Worker {
public:
    virtual ~Worker() = default;
    /// Renders until the pool gives nothing more and what was taken is in the film, or the watch stops. What is thrown
    /// leaves undelivered what the worker held.
    virtual void run(WorkSource& source) = 0;
    virtual WorkerReport report() = 0;
};

} // namespace volpt
