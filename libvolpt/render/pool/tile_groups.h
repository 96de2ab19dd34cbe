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

/// Where a film is cut into tiles: columns and rows in ascending order, from 0 to its width and height.
struct TileEdges {
    std::vector<std::uint32_t> x, y;

    std::uint64_t count_tiles() const { return (x.size() - 1) * (y.size() - 1); }
};

/// Tiles of `tile_size` pixels along a side, rounded down to whole file tiles if it is larger than one; those at the
/// right and lower edge may be smaller.
TileEdges cut_by_size(Film const& film, std::uint32_t tile_size);

/// Exactly so many tiles, alike in size: to one file tile where the film has that many file tiles along the side, else
/// to one pixel. `grid` has no more columns than the film is wide and no more rows than it is high.
TileEdges cut_into_grid(Film const& film, TileGrid const& grid);

/// A film records samples by file tile, so a group is the smallest rectangle of whole file tiles that holds whole tiles
/// of `edges` too. Where its file tiles lack different samples, those that all of them lack are one group, and the rest
/// are rectangles of file tiles that lack the same; `edges` cut them. `todo` has one entry per file tile.
std::vector<TileGroup> make_tile_groups(Film const& film, std::vector<SampleRanges> const& todo,
                                        TileEdges const& edges);

/// The parts into which `edges` cut `whole`, row by row.
std::vector<RenderTile> cut_block(RenderTile const& whole, TileEdges const& edges);

std::uint64_t count_pixels(RenderTile const& tile);
std::uint64_t count_pixels(TileGroup const& group);
/// Pixels of the largest tile.
std::uint32_t count_most_pixels(TileEdges const& edges);

/// Rows of file tiles that a group can be cut into; 1 if it cannot be cut.
std::uint32_t count_tile_rows(TileGroup const& group);
/// A group of one row of file tiles, without samples.
TileGroup cut_tile_row(TileGroup const& group, std::uint32_t row);

/// Samples per bank of outcomes, 0 if the scene has no banks. No unit of work has samples of two banks.
inline std::uint32_t count_bank_samples(Scene const& scene)
{
    return scene.long_steps != LongSteps::plain ? kBankSamples : 0;
}

} // namespace volpt
