// The size of the areas that a process's devices can take.
#pragma once

#include "libvolpt/render/render_film.h"

namespace volpt {

/// RenderOptions::tile_size, or, if that is 0, the largest whose sums fit on all of the GPUs; at least a file tile's
/// edge.
std::uint32_t choose_tile_size(RenderScene const& scene, Film const& film, RenderOptions const& options);

} // namespace volpt
