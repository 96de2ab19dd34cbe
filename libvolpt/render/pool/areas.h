// Cuts what a film lacks into areas.
#pragma once

#include "libvolpt/backend/render_tile.h"
#include "libvolpt/film/film.h"

#include <compare>
#include <vector>

namespace volpt {

/// File tiles that lack the same samples, and the rectangles in which they are rendered. The film knows of samples by
/// file tile, so all areas of a group enter it together.
struct AreaGroup {
    std::vector<std::size_t> tiles; ///< indices into Film::tile_ranges
    std::vector<RenderTile> areas;  ///< without samples
    SampleRanges todo;
};

/// One group of those that were cut alike everywhere, or a row of its tiles.
inline constexpr std::int32_t kAllRows = -1;
struct AreaName {
    std::uint32_t group = 0;
    std::int32_t row = kAllRows;
    auto operator<=>(AreaName const&) const = default;
};

/// Groups for areas of at most `tile_size` pixels along a side. From a file tile's edge up, an area is a square of
/// whole file tiles (or one file tile, where its neighbours lack other samples); below, a group is one file tile cut
/// into areas.
std::vector<AreaGroup> cut_areas(Film const& film, std::vector<SampleRanges> const& todo, std::uint32_t tile_size);

std::uint64_t count_pixels(RenderTile const& area);
std::uint64_t count_pixels(AreaGroup const& group);
/// Rows of tiles that a group can be cut into; 1 if it cannot.
std::uint32_t count_tile_rows(AreaGroup const& group);
/// A group of the one row, without samples.
AreaGroup cut_tile_row(AreaGroup const& group, std::uint32_t row);

/// Pixels of the largest area that `tile_size` can give.
std::uint32_t count_most_pixels(Film const& film, std::uint32_t tile_size);

} // namespace volpt
