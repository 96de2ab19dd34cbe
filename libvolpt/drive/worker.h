// One that renders batches of a pool: a GPU, or the CPU's threads.
#pragma once

#include "libvolpt/drive/film_sink.h"
#include "libvolpt/drive/render_watch.h"
#include "libvolpt/drive/seat.h"

#include <memory>

namespace volpt {

/// Where a worker's batches come from and its sums go. All outlive it.
struct WorkPlace {
    RenderScene const& scene;
    Film const& film; ///< for its scene and size alone
    FilmSink& sink;
    RenderWatch& watch;
};

/// Made and run in one thread.
class Worker {
public:
    virtual ~Worker() = default;
    /// Renders until the pool gives nothing more and what was taken is in the film, or the watch stops. What is thrown
    /// leaves undelivered what the worker held.
    virtual void run(Seat& seat) = 0;
    virtual WorkerReport report() = 0;
};

} // namespace volpt
