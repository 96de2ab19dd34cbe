// The two ends of a path's way through the lanes: which path comes next, and where its radiance goes.
#pragma once

#include "libvolpt/backend/render_tile.h"
#include "libvolpt/core/extend_path.hd.h"

namespace volpt {

/// Hands out the paths of a tile one by one: bands fastest, then samples, then pixels, so that neighbouring lanes work
/// on neighbouring places.
struct PathCursor {
    RenderTile tile;
    std::uint32_t bands_apart; ///< paths per sample of a pixel: bands, or 1 if one path carries all
    std::uint32_t band = 0, sample = 0, x = 0, y = 0;

    VOLPT_HD PathCursor(RenderTile const& t, std::uint32_t bands) : tile(t), bands_apart(bands), x(t.x0), y(t.y0) {}

    VOLPT_HD bool done() const { return y >= tile.y1 || tile.sample_count == 0 || tile.x0 >= tile.x1; }

    VOLPT_HD PathId take()
    {
        std::uint32_t const width = tile.x1 - tile.x0;
        PathId const id{x, y, tile.first_sample + sample, band, (y - tile.y0) * width + (x - tile.x0)};
        if (++band < bands_apart) return id;
        band = 0;
        if (++sample < tile.sample_count) return id;
        sample = 0;
        if (++x < tile.x1) return id;
        x = tile.x0;
        ++y;
        return id;
    }
};

/// Adds the radiance of an ended path to its pixel.
template <int bands>
VOLPT_HD void add_to_sums(SceneView const& scene, PathState<bands> const& path, TileSumsView sums, std::size_t plane)
{
    FixedSample<bands> const sample = round_sample(path, scene.sum_scale);
    for (int b = 0; b < bands; ++b) {
        std::size_t const at = (bands > 1 ? static_cast<std::size_t>(b) : path.band) * plane + path.slot;
        FixedSquare const square = square_of(sample.value[b]);
        sums.sums[at] += sample.value[b];
        sums.low_squares[at] += square.low;
        sums.high_squares[at] += square.high;
    }
}

} // namespace volpt
