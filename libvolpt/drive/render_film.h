// Renders the samples that a film lacks, on all cores, tile by tile, and stops in order when asked.
#pragma once

#include "kernels/gpu.h"
#include "libvolpt/core/path.hd.h"
#include "libvolpt/film/film.h"
#include "libvolpt/scene/render_scene.h"
#include "libvolpt/sys/progress.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace volpt {

struct RenderOptions {
    int threads = 1;
    std::uint32_t tile_size = 0; ///< pixels; 0: a file tile on the CPU, as much as fits on a GPU; the picture does not depend on it
    double time_limit_s = 0;                 ///< 0: none; the first unit is finished in any case
    std::string cpu_backend = {};            ///< name from list_cpu_backends; empty: the fastest
    std::optional<GpuOptions> gpu = {};      ///< render there; an empty kernel name lets a pilot choose
    ProgressSink progress = {};              ///< may be empty; answering false stops the render
};

enum class RenderEnd {
    finished,
    stopped,
    time_limit,
    device_failed, ///< the film holds what had been copied back by then
};

/// What is known of a render on a GPU beside its counts.
struct GpuReport {
    GpuDevice device;
    GpuOptions options; ///< as given or as the pilot chose
    GpuKernelFacts facts;
    GpuMemoryPlan memory;
    std::vector<std::pair<std::string, double>> pilot; ///< what was tried, paths per second, fastest first; empty: nothing
    double seconds_device = 0;                         ///< from the first launch to the end of the last
    double extension_efficiency = 0;                   ///< lanes that ran events over lanes that were carried along
    double regeneration_efficiency = 0;                ///< the same of starts
};

struct RenderReport {
    RenderEnd end = RenderEnd::finished;
    double seconds_render = 0; ///< transport alone, wall clock
    double seconds_banks = 0;  ///< making what long steps take their outcomes from
    std::string device;        ///< "cpu", or the GPU's name
    std::string kernel;        ///< the backend's name
    PathCounts counts;         ///< of this call
    std::string failure;       ///< what the device said, if it failed
    std::optional<GpuReport> gpu;
};

/// An empty film of the scene.
Film make_film(RenderScene const& scene, std::uint64_t seed);

/// Adds the samples of `todo` (one entry a file tile, as Film::tile_ranges) to `film`. Work comes in units of one file tile
/// and a few samples; a unit is in the film wholly or not at all, and is dropped if a stop finds it unfinished, so that the
/// film is valid and resumable whenever this returns. `progress` may be called from any thread, one at a time. Error (usage) on an unknown backend.
RenderReport render_ranges(RenderScene const& scene, Film& film, std::vector<SampleRanges> const& todo,
                           RenderOptions const& options);

/// render_ranges of whatever part of `samples` the film lacks.
RenderReport render_film(RenderScene const& scene, Film& film, SampleRange samples, RenderOptions const& options);

} // namespace volpt
