#pragma once

#include "libvolpt/render/pool/tile_groups.h"
#include "libvolpt/render/render_film.h"

namespace volpt {

/// RenderOptions::tile_size, or, if that is 0, the largest tile size whose sums fit on every GPU of this process (at
/// most a quarter of what is free beside volume and paths); at least a file tile's edge. RenderOptions::tiles comes
/// before it.
std::uint32_t choose_tile_size(RenderScene const& scene, Film const& film, RenderOptions const& options);

/// The grid that the options ask for, or tiles of `tile_size`. All ranks cut alike.
TileEdges choose_tile_edges(Film const& film, RenderOptions const& options, std::uint32_t tile_size);

} // namespace volpt
