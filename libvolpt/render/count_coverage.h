// The coverage of a film: how many samples hit something.
#pragma once

#include "libvolpt/backend/render_tile.h"
#include "libvolpt/film/sample_range.h"

#include <vector>

namespace volpt {

/// For each pixel of `area`, row by row, the number of `samples` that hit something: whose path has an event before it
/// escapes, a collision or one at a face or surface that reflects, refracts or returns light. Where each
/// band has paths of its own, that of the first band decides. Long steps are left out, which changes no expectation.
/// `area` gives the pixels alone. On up to `threads` threads (sys/parallel.h).
///
/// It is counted here, after the samples were rendered wherever that was, and not by the paths themselves: a function
/// of the samples' numbers is the same on every device and for every partition, and no kernel has to be compiled with
/// and without it. It costs the start of a path and what comes up to its first event, in scenes with coverage alone.
std::vector<std::uint64_t> count_coverage(SceneView const& scene, RenderTile const& area, SampleRanges const& samples,
                                          int threads);

} // namespace volpt
