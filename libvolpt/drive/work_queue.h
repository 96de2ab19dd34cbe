// Cuts the samples that a film lacks into units of one file tile and a few samples.
#pragma once

#include "libvolpt/cpu/render_block.h"
#include "libvolpt/film/film.h"

#include <vector>

namespace volpt {

struct WorkUnit {
    std::size_t tile = 0; ///< index into Film::tile_ranges
    RenderBlock block;
    std::uint64_t paths = 0;
};

/// Units of about 65536 paths (half a second in the whitest resin, so that a stop is prompt; long enough that the lanes run
/// full), all tiles' first samples before any tile's second ones.
std::vector<WorkUnit> plan_units(Film const& film, std::vector<SampleRanges> const& todo, std::uint32_t paths_a_sample);

} // namespace volpt
