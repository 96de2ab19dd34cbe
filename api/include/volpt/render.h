// Rendering: the bits of volrender.
#pragma once

#include "volpt/error.h"
#include "volpt/film.h"
#include "volpt/volume.h"

namespace volpt {
VOLPT_API_NAMESPACE v0
{

    struct RenderResult {
        Film film;
        bool is_finished = true; ///< false: `progress` asked for a stop, a time limit came, or there is a failure
        /// Of a device, or of the volume's file, which another program changed; else none. The film then has the
        /// samples done before, and can be resumed.
        std::optional<Error> failure;
        std::string report; ///< JSON: device, kernel, seconds_render, paths, extensions, ..
    };

    /// `options` are those of volrender (docs/tools/volrender.md) but for files to write and how: {"spp", "64"},
    /// {"resolution", "640x480"}, {"device", "auto"}, .. Error as volrender's exit status, but for
    /// RenderResult::failure. Other threads may render at the same time.
    VOLPT_API RenderResult render(Volume const& volume, Options const& options = {}, Watch const& watch = {});

    /// Adds to `film` the samples that it lacks of {"spp", N}, {"samples", "FIRST:COUNT"} or {"stop-at-de", DE}; volume
    /// and options are those it was rendered with.
    VOLPT_API RenderResult resume(Film const& film, Volume const& volume, Options const& options = {},
                                  Watch const& watch = {});

    /// Names of the GPUs that render can use.
    VOLPT_API std::vector<std::string> list_gpus();

} // namespace v0
} // namespace volpt
