// A rectangle of pixels with a range of samples, and where its sums go.
#pragma once

#include "libvolpt/core/scene_view.hd.h"

#include <cstdint>

namespace volpt {

/// Pixels [x0, x1) x [y0, y1), samples [first_sample, first_sample + sample_count), all bands.
struct RenderTile {
    std::uint32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    std::uint32_t first_sample = 0;
    std::uint32_t sample_count = 0;
};

/// How many tiles a film is cut into.
struct TileGrid {
    std::uint32_t columns = 1;
    std::uint32_t rows = 1;
};

/// Sums over the samples of a tile, planes [plane][row][column] of the pixels that it reaches (find_reached_pixels;
/// count_sum_planes): of the values, and of both halves of their squares (FixedSquare). Which sums of halves stand for
/// a sum of squares depends on the schedule; the number low_squares + 2^32 high_squares does not.
template <class Word>
struct TilePlanesOf {
    Word* sums = nullptr;
    Word* low_squares = nullptr;
    Word* high_squares = nullptr;
};
using TileSumsView = TilePlanesOf<std::uint64_t>;
using ConstTileSumsView = TilePlanesOf<std::uint64_t const>;

template <class Word>
VOLPT_HD TilePlanesOf<Word> skip_planes(TilePlanesOf<Word> const& sums, std::size_t values)
{
    return {sums.sums + values, sums.low_squares + values, sums.high_squares + values};
}

/// The pixels that samples of `tile` add to: its own, but particles appear anywhere on the film.
inline RenderTile find_reached_pixels(SceneView const& scene, RenderTile const& tile)
{
    if (scene.transport != Transport::particles && scene.transport != Transport::bidirectional &&
        scene.transport != Transport::metropolis)
        return tile;
    return {0, 0, scene.width, scene.height, tile.first_sample, tile.sample_count};
}

/// As those of a film: one for each band, and with Transport::bidirectional then one for each band of what particles
/// add to other pixels.
inline std::uint32_t count_sum_planes(SceneView const& scene)
{
    return scene.bands * (scene.transport == Transport::bidirectional ? 2u : 1u);
}

inline std::size_t count_pixels_of(RenderTile const& tile)
{
    return std::size_t{tile.x1 - tile.x0} * (tile.y1 - tile.y0);
}

/// Asked about once per millisecond of a render whether to stop; null: never. A plain function pointer, so that the
/// units compiled for different instruction sets share no code.
struct StopPoll {
    bool (*should_stop)(void* context) = nullptr;
    void* context = nullptr;
};

/// True if one path carries all bands of the scene (grey RGB); otherwise each band is a path of its own.
inline bool carries_all_bands(SceneView const& scene)
{
    return scene.path_bands == 3;
}

/// Paths per sample of a pixel.
inline std::uint32_t count_paths_per_sample(SceneView const& scene)
{
    return carries_all_bands(scene) ? 1 : scene.bands;
}

} // namespace volpt
