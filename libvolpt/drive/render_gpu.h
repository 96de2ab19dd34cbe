// Renders the samples that a film lacks on a GPU.
#pragma once

#include "libvolpt/drive/render_film.h"

namespace volpt {

/// render_ranges for options with a GPU.
RenderReport render_ranges_on_gpu(RenderScene const& scene, Film& film, std::vector<SampleRanges> const& todo,
                                  RenderOptions const& options);

} // namespace volpt
