// Rendering: the bits of volrender.
#pragma once

#include "volpt/error.h"
#include "volpt/film.h"
#include "volpt/volume.h"

namespace volpt {
VOLPT_API_NAMESPACE v0
{

    /// What particles left in the volume, by cell (docs/tools/volrender.md#tallies).
    struct Tally {
        std::string kind;                     ///< "absorbed" or "fluence"
        std::string unit;                     ///< of the values: "1/mm^3 per launched watt", ..
        std::array<std::size_t, 5> shape{};   ///< gate, band, z, y, x
        std::vector<float> values;            ///< in this order
        std::vector<float> standard_errors;   ///< likewise; NaN of too few particles
        std::array<double, 3> cell_size_mm{}; ///< along x, y, z
        double gate_ns = 0; ///< width of a gate of the time since launch; 0: there is one, without end
    };

    struct RenderResult {
        Film film;
        bool is_finished = true; ///< false: `progress` asked for a stop, a time limit came, or there is a failure
        /// Of a device, or of the volume's file, which another program changed; else none. The film then has the
        /// samples done before, and can be resumed.
        std::optional<Error> failure;
        /// JSON: device, kernel, seconds_render, paths, extensions, ..; of the integrator light also energy, and with
        /// the option detector what detectors have counted.
        std::string report;
        /// With the option tally: that of the film's samples; none after a failure of the volume. Where nothing is
        /// detected, the film then only counts samples, and its means are 0.
        std::optional<Tally> tally{};
    };

    /// `options` are those of volrender (docs/tools/volrender.md) but for files to write and how: {"spp", "64"},
    /// {"resolution", "640x480"}, {"device", "auto"}, {"tally", "absorbed"}, .. Error as volrender's exit status, but
    /// for RenderResult::failure. Other threads may render at the same time.
    VOLPT_API RenderResult render(Volume const& volume, Options const& options = {}, Watch const& watch = {});

    /// Adds to `film` the samples that it lacks of {"spp", N}, {"samples", "FIRST:COUNT"} or {"stop-at-de", DE}; volume
    /// and options are those it was rendered with.
    VOLPT_API RenderResult resume(Film const& film, Volume const& volume, Options const& options = {},
                                  Watch const& watch = {});

    /// Names of the GPUs that render can use.
    VOLPT_API std::vector<std::string> list_gpus();

} // namespace v0
} // namespace volpt
