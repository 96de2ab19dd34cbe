// Renders the samples that a film lacks, on all cores, tile by tile, and stops in order when asked.
#pragma once

#include "libvolpt/core/path.hd.h"
#include "libvolpt/film/film.h"
#include "libvolpt/scene/render_scene.h"
#include "libvolpt/sys/progress.h"

#include <string>
#include <vector>

namespace volpt {

struct RenderOptions {
    int threads = 1;
    std::uint32_t tile_size = kFileTileEdge; ///< pixels; the picture does not depend on it
    double time_limit_s = 0;                 ///< 0: none; the first unit is finished in any case
    std::string cpu_backend = {};            ///< name from list_cpu_backends; empty: the fastest
    ProgressSink progress = {};              ///< may be empty; answering false stops the render
};

enum class RenderEnd { finished, stopped, time_limit };

struct RenderReport {
    RenderEnd end = RenderEnd::finished;
    double seconds_render = 0; ///< transport alone, wall clock
    std::string device;        ///< "cpu"
    std::string kernel;        ///< the backend's name
    PathCounts counts;         ///< of this call
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
