// Sums of an area whose film keeps its half, as renderers give them.
#pragma once

#include "libvolpt/core/fixed_point.hd.h"
#include "libvolpt/render/film_sink.h"

#include <algorithm>
#include <vector>

namespace volpt::test {

struct SumsWithHalf {
    TileSums all;
    TileSums half; ///< empty where the renderer keeps none apart
};

/// Of a buffer that was opened with `half` and closed.
inline SumsWithHalf collect_with_half(RenderTile const& reached, std::uint32_t planes, CollectedSums const& got,
                                      FilmHalf half)
{
    SumsWithHalf sums{copy_sums(reached, planes, got.planes).planes, TileSums()};
    if (half == FilmHalf::joined) return sums;
    sums.half = copy_sums(reached, planes, got.half_planes).planes;
    for (std::size_t i = 0; i < sums.all.sums.size(); ++i) {
        sums.all.sums[i] += sums.half.sums[i];
        sums.all.low_squares[i] += sums.half.low_squares[i];
        sums.all.high_squares[i] += sums.half.high_squares[i];
    }
    return sums;
}

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
