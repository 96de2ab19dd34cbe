// A worker renders work items of a pool: a device with a queue, or the CPU's threads.
#pragma once

#include "libvolpt/render/film_sink.h"
#include "libvolpt/render/pool/tile_groups.h"
#include "libvolpt/render/pool/work_source.h"
#include "libvolpt/render/render_progress.h"
#include "libvolpt/render/workers/kernel_tuning.h"

#include <memory>

namespace volpt {

/// What a worker renders and where its sums go. All outlive it.
struct WorkerContext {
    RenderScene const& scene;
    Film const& film; ///< for its scene, size and keeps_half alone
    FilmSink& sink;
    RenderProgress& progress;
};

/// Made and run in one thread.
class Worker {
public:
    virtual ~Worker() = default;
    /// Renders until the pool gives nothing more and what was taken is in the film, or the render is to stop. If it
    /// throws, what the worker held is not delivered.
    virtual void run(WorkSource& source) = 0;
    virtual WorkerReport report() = 0;
};

enum class Workers { one, several };

/// Renders on `options.threads` threads with the CPU kernel `options.cpu_backend`, in units of one file tile, cut at
/// `edges`, and a few samples; a unit that is unfinished when the render stops is dropped. `workers` take from the same
/// pool. Error (usage) on an unknown kernel.
std::unique_ptr<Worker> make_cpu_worker(WorkerContext const& context, RenderOptions const& options,
                                        TileEdges const& edges, Workers workers);

/// What the workers on devices of one backend share.
struct DeviceGroup {
    Backend const* backend; ///< null: there is none
    std::shared_ptr<SharedState> shared = {};
    TunedKernels tuned_kernels = {};
    KeptRenderers* kept = nullptr; ///< may be null
};

/// Of RenderOptions, for a device.
struct DevicePolicy {
    double launch_s;
    double least_tuned_s;
    StoppedSamples stopped_samples;
};

/// Renders on the device that `options` names, areas of at most `most_pixels` pixels; one of `total_workers` of the
/// render. Kernels are tuned if `policy.least_tuned_s` or more are left. `group` outlives it. Opens the device and
/// copies the scene there: Error (system) if that fails or there is no backend, Error (usage) as
/// Backend::make_renderer.
std::unique_ptr<Worker> make_device_worker(WorkerContext const& context, RendererOptions const& options,
                                           std::uint32_t most_pixels, DevicePolicy policy, int total_workers,
                                           DeviceGroup& group);

} // namespace volpt
