// Renders the samples that a film lacks, on the CPU, on GPUs or on both, and stops in order when asked.
#pragma once

#include "libvolpt/backend/backend.h"
#include "libvolpt/film/film.h"
#include "libvolpt/render/ranks/communicator.h"
#include "libvolpt/scene/render_scene.h"
#include "libvolpt/sys/progress.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace volpt {

class KeptRenderers;

enum class CpuUse {
    without_gpus, ///< only if no GPU is given
    beside_gpus,
};

/// What becomes of samples that a GPU has begun when the render is stopped.
enum class StoppedSamples {
    waited_for, ///< they enter the film
    dropped,    ///< the film is not wanted any more; only with RenderOptions::kept, whose renderers wait for them later
};

struct RenderOptions {
    int threads = 1; ///< of the CPU
    /// Pixels; 0: a file tile on the CPU, as much as fits on a GPU. The film does not depend on it.
    std::uint32_t tile_size = 0;
    std::optional<TileGrid> tiles = {};     ///< instead: how many tiles, as cut_into_grid has them
    double time_limit_s = 0;                ///< 0: none; the first unit of work is finished in any case
    std::string cpu_backend = {};           ///< name from list_cpu_kernels; empty: the fastest
    std::filesystem::path bank_cache = {};  ///< folder of BankCache, for the CPU's banks of outcomes; empty: none
    Backend const* gpu_backend = nullptr;   ///< of `gpus`; null: each of them fails
    std::vector<RendererOptions> gpus = {}; ///< devices to render on; an empty kernel name: tuned automatically
    /// Of a GPU's launches, about: what one that fails can lose, and what a stop waits for, two at a time.
    double launch_s = 0.1;
    KeptRenderers* kept = nullptr; ///< of the renders before with the same scene, for this one; may be null
    StoppedSamples stopped_samples = StoppedSamples::waited_for;
    double least_tuned_s = 10; ///< shorter renders take the standard kernel: tuning costs some 0.1 s
    CpuUse cpu = CpuUse::without_gpus;
    double progress_s = 0.1;       ///< interval at which `progress` is called
    ProgressSink progress = {};    ///< may be empty; returning false stops the render
    NoticeSink notice = {};        ///< may be empty; called for workers that fail, from any thread
    Communicator* ranks = nullptr; ///< not null on rank 0 of a job, whose other ranks are in follow_renders
    double checkpoint_s = 0;       ///< interval at which the film is written as it is; 0: never
    /// Given a copy of the film, in another thread, one call at a time; what it throws becomes a notice.
    std::function<void(Film&)> write_checkpoint = {};
};

/// Calls `options.notice`, if there is one. What it throws is ignored: a render does not end for a lost notice.
void notify(RenderOptions const& options, std::string_view text) noexcept;

enum class RenderEnd {
    finished,
    stopped,
    time_limit,
    device_failed, ///< no worker is left; the film holds what had entered it by then
};

/// What is known of a render on a device with a queue beside its counts.
struct DeviceReport {
    DeviceInfo device;
    RendererOptions options; ///< as given or as the tuning chose
    KernelFacts facts;
    MemoryPlan memory;
    std::vector<std::pair<std::string, double>> tuning; ///< what was tried, paths per second, fastest first
    double seconds_device = 0;                          ///< from the first launch to the end of the last
    double extension_efficiency = 0;                    ///< lanes that ran events over lanes that were carried along
    double regeneration_efficiency = 0;                 ///< the same of starts
    double shadow_ray_efficiency = 0;                   ///< the same of shadow rays; 0 if there were none
};

/// What one worker did: a GPU, or the CPU's threads.
struct WorkerReport {
    std::string place;        ///< "rank 2 on node7"; empty for workers of rank 0 and outside MPI jobs
    std::string device;       ///< "cpu", or the GPU's name
    std::string kernel;       ///< the backend's name
    PathCounts counts;        ///< that are in the film
    double seconds_banks = 0; ///< for making the banks of outcomes that long steps use
    double end_s = 0;         ///< when it had nothing more to do, from the render's start
    std::string failure;      ///< the error's text, if it failed; only `device` is set then
    std::optional<DeviceReport> gpu;
};

struct RenderReport {
    RenderEnd end = RenderEnd::finished;
    /// Wall clock, from when the first worker was ready; without seconds_banks if one worker rendered all.
    double seconds_render = 0;
    double seconds_banks = 0;  ///< for making banks of outcomes, of the worker that took longest
    double seconds_gather = 0; ///< part of seconds_render: adding up the ranks' films after the last worker had ended
    std::string device;        ///< the workers' devices: "cpu", "4 x NVIDIA H200, cpu"
    std::string kernel;        ///< and their kernels
    PathCounts counts;         ///< of this call
    std::uint64_t tiles = 0;   ///< into which the film was cut
    std::string failure;       ///< the error's text of the last device, if all failed
    std::vector<WorkerReport> workers;

    /// The GPU that rendered all; null if there were several workers, or none was a GPU.
    DeviceReport const* only_gpu() const { return workers.size() == 1 && workers[0].gpu ? &*workers[0].gpu : nullptr; }
};

/// An empty film of the scene.
Film make_film(RenderScene const& scene, std::uint64_t seed);

/// Adds the samples of `todo` (one entry per file tile, as in Film::tile_ranges) to `film`. All workers take from one
/// pool and add whole file tiles with the same samples, so that the film is valid and resumable whenever this returns.
/// The failure of a worker is reported as a notice, and the others render what it had not added; if all fail, the film
/// keeps what they had added, and the end is device_failed, or an Error (system) if that was nothing. `progress` may be
/// called from any thread, by one at a time. Error (usage) on unknown backends, kernels and launch shapes.
RenderReport render_ranges(RenderScene const& scene, Film& film, std::vector<SampleRanges> const& todo,
                           RenderOptions const& options);

/// render_ranges of the part of `samples` that the film lacks.
RenderReport render_film(RenderScene const& scene, Film& film, SampleRange samples, RenderOptions const& options);

/// A film with the scene, seed and sample ranges of `like`, rendered on the CPU for comparison with it. `light` is
/// needed if the scene's light is an image. Error (input) if the volume or the light is not the film's. `statistics` of
/// the result count its own paths.
Film render_reference(PackedVolume const& volume, Film const& like, LightImage const* light,
                      RenderOptions const& options);

} // namespace volpt
