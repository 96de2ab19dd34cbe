// What detectors have counted, as numbers with their standard errors.
#pragma once

#include "libvolpt/scene/light/group_spread.h"
#include "libvolpt/scene/light/tally_sums.h"

#include <vector>

namespace volpt {

/// A number and its standard error, from the spread between groups; both NaN where nothing was detected.
struct Measured {
    double value = 0;
    double error = 0;
};

/// Light of one band that was detected in one ring and gate. Means are weighted by the particles' weights.
struct DetectedLight {
    std::uint32_t gate = 0;
    std::uint32_t ring = 0; ///< the one after the last of `rings` has what leaves farther out
    std::uint32_t band = 0;
    Measured weight;                        ///< per launched watt
    Measured optical_path_mm;               ///< mean path length times index of refraction, since the launch
    std::vector<Measured> partial_paths_mm; ///< mean path lengths in the solid, by material
};

struct DetectorValues {
    std::vector<DetectedLight> cells; ///< [gate][ring][band]
    std::vector<DetectedLight> total; ///< by band, of all cells
};

/// By detector. `particles` are the numbers of particles in `sums`.
std::vector<DetectorValues> measure_detectors(TallySums const& sums, GroupCounts const& particles);

} // namespace volpt
