// Cuts the samples that a film lacks into the rectangles in which they are rendered.
#pragma once

#include "libvolpt/backend/render_tile.h"
#include "libvolpt/core/outcome.hd.h"
#include "libvolpt/film/film.h"

#include <compare>
#include <vector>

namespace volpt {

/// File tiles that lack the same samples, and the rectangles in which they are rendered. A film records samples by file
/// tile, so all rectangles of a group enter it together.
struct TileGroup {
    std::vector<std::size_t> file_tiles;  ///< indices into Film::tile_ranges
    std::vector<RenderTile> render_tiles; ///< without samples
    SampleRanges todo;
};

/// Names a group, or one row of its file tiles. All ranks cut alike, so the name means the same on each.
struct TileGroupId {
    static constexpr std::int32_t kAllRows = -1;

    std::uint32_t group = 0;
    std::int32_t row = kAllRows;
    auto operator<=>(TileGroupId const&) const = default;
};

/// Groups whose render tiles have at most `tile_size` pixels along a side. If `tile_size` is at least a file tile's
/// edge, a render tile is a square of whole file tiles (or one file tile, where its neighbours lack other samples);
/// otherwise a group is one file tile cut into render tiles. `todo` has one entry per file tile.
std::vector<TileGroup> make_tile_groups(Film const& film, std::vector<SampleRanges> const& todo,
                                        std::uint32_t tile_size);

/// Parts of `whole`, at most `edge` pixels along a side, row by row.
std::vector<RenderTile> cut_block(RenderTile const& whole, std::uint32_t edge);

std::uint64_t count_pixels(RenderTile const& tile);
std::uint64_t count_pixels(TileGroup const& group);
/// Pixels of the largest render tile that `tile_size` can give.
std::uint32_t count_most_pixels(Film const& film, std::uint32_t tile_size);

/// Rows of file tiles that a group can be cut into; 1 if it cannot be cut.
std::uint32_t count_tile_rows(TileGroup const& group);
/// A group of one row of file tiles, without samples.
TileGroup cut_tile_row(TileGroup const& group, std::uint32_t row);

/// Samples per bank of outcomes, 0 if the scene has no banks. No unit of work has samples of two banks.
inline std::uint32_t count_bank_samples(Scene const& scene)
{
    return scene.long_steps == LongSteps::on ? kBankSamples : 0;
}

} // namespace volpt
