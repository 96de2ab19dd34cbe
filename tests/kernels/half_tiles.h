#pragma once

#include "libvolpt/backend/render_tile.h"
#include "libvolpt/core/fixed_point.hd.h"

#include <algorithm>
#include <vector>

namespace volpt::test {

/// The samples of the tile that are in the half, in runs.
inline std::vector<RenderTile> list_half_tiles(RenderTile const& tile)
{
    std::vector<RenderTile> runs;
    std::uint64_t const end = std::uint64_t{tile.first_sample} + tile.sample_count;
    for (std::uint64_t first = tile.first_sample; first < end;) {
        std::uint64_t const next = std::min(end, find_run_end(first));
        if (is_in_half(first))
            runs.push_back({tile.x0, tile.y0, tile.x1, tile.y1, static_cast<std::uint32_t>(first),
                            static_cast<std::uint32_t>(next - first)});
        first = next;
    }
    return runs;
}

} // namespace volpt::test
