#include "libvolpt/render/pool/tile_groups.h"

#include <algorithm>

namespace volpt {
namespace {

/// File tiles [x0, x1) x [y0, y1).
struct FileTileRect {
    std::uint32_t x0, y0, x1, y1;
};

RenderTile to_pixels(Film const& film, FileTileRect const& rect)
{
    RenderTile block;
    block.x0 = rect.x0 * kFileTileEdge;
    block.y0 = rect.y0 * kFileTileEdge;
    block.x1 = std::min(rect.x1 * kFileTileEdge, film.width());
    block.y1 = std::min(rect.y1 * kFileTileEdge, film.height());
    return block;
}

std::vector<std::size_t> list_file_tiles(Film const& film, FileTileRect const& rect)
{
    std::vector<std::size_t> tiles;
    for (std::uint32_t y = rect.y0; y < rect.y1; ++y)
        for (std::uint32_t x = rect.x0; x < rect.x1; ++x) tiles.push_back(std::size_t{y} * film.tiles_x() + x);
    return tiles;
}

std::vector<std::uint32_t> cut_side_by_size(std::uint32_t length, std::uint32_t size)
{
    std::uint32_t const step = size < kFileTileEdge ? size : size / kFileTileEdge * kFileTileEdge;
    std::vector<std::uint32_t> edges{0};
    while (length - edges.back() > step) edges.push_back(edges.back() + step);
    edges.push_back(length);
    return edges;
}

std::vector<std::uint32_t> cut_side_into(std::uint32_t length, std::uint32_t parts)
{
    std::uint64_t const file_tiles = (length - 1) / kFileTileEdge + 1;
    std::vector<std::uint32_t> edges;
    for (std::uint64_t i = 0; i < parts; ++i)
        edges.push_back(static_cast<std::uint32_t>(
            parts <= file_tiles ? (2 * i * file_tiles + parts) / (2 * parts) * kFileTileEdge : i * length / parts));
    edges.push_back(length);
    return edges;
}

/// Those edges that are edges of file tiles too, in file tiles.
std::vector<std::uint32_t> find_group_edges(std::vector<std::uint32_t> const& edges)
{
    std::vector<std::uint32_t> found;
    for (std::uint32_t const edge : edges)
        if (edge % kFileTileEdge == 0 || edge == edges.back())
            found.push_back((edge + kFileTileEdge - 1) / kFileTileEdge);
    return found;
}

SampleRanges find_shared_by_all(Film const& film, std::vector<SampleRanges> const& todo, FileTileRect const& rect)
{
    std::vector<std::size_t> const tiles = list_file_tiles(film, rect);
    SampleRanges shared = todo[tiles.front()];
    for (std::size_t const tile : tiles)
        if (todo[tile] != shared) shared = intersect_ranges(shared, todo[tile]);
    return shared;
}

/// Rectangles of file tiles of `rect` that lack the same samples beside `shared`, with these samples: runs along a row,
/// joined with the run above where that has the same ends. What a worker returns is mostly the rest of a row and the
/// rows below it, so there are few.
std::vector<std::pair<FileTileRect, SampleRanges>> cut_by_lacking(Film const& film,
                                                                  std::vector<SampleRanges> const& todo,
                                                                  FileTileRect const& rect, SampleRanges const& shared)
{
    std::vector<std::pair<FileTileRect, SampleRanges>> parts;
    for (std::uint32_t y = rect.y0; y < rect.y1; ++y) {
        std::vector<std::pair<FileTileRect, SampleRanges>> runs;
        for (std::uint32_t x = rect.x0; x < rect.x1; ++x) {
            SampleRanges lacking = subtract_ranges(todo[std::size_t{y} * film.tiles_x() + x], shared);
            if (!runs.empty() && runs.back().second == lacking)
                ++runs.back().first.x1;
            else
                runs.emplace_back(FileTileRect{x, y, x + 1, y + 1}, std::move(lacking));
        }
        for (auto& entry : runs) {
            FileTileRect const& run = entry.first;
            SampleRanges& lacking = entry.second;
            auto const above = std::ranges::find_if(parts, [&](auto const& part) {
                return part.first.y1 == y && part.first.x0 == run.x0 && part.first.x1 == run.x1 &&
                       part.second == lacking;
            });
            if (above != parts.end())
                ++above->first.y1;
            else
                parts.emplace_back(run, std::move(lacking));
        }
    }
    return parts;
}

/// The pieces of [first, end) between edges.
std::vector<std::pair<std::uint32_t, std::uint32_t>> cut_range(std::uint32_t first, std::uint32_t end,
                                                               std::vector<std::uint32_t> const& edges)
{
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pieces;
    for (auto edge = std::upper_bound(edges.begin(), edges.end(), first); first < end; ++edge) {
        pieces.emplace_back(first, std::min(*edge, end));
        first = *edge;
    }
    return pieces;
}

} // namespace

TileEdges cut_by_size(Film const& film, std::uint32_t tile_size)
{
    return {cut_side_by_size(film.width(), tile_size), cut_side_by_size(film.height(), tile_size)};
}

TileEdges cut_into_grid(Film const& film, TileGrid const& grid)
{
    return {cut_side_into(film.width(), grid.columns), cut_side_into(film.height(), grid.rows)};
}

std::vector<TileGroup> make_tile_groups(Film const& film, std::vector<SampleRanges> const& todo, TileEdges const& edges)
{
    std::vector<TileGroup> groups;
    auto const add = [&](FileTileRect const& rect, SampleRanges const& lacking) {
        if (!lacking.empty())
            groups.push_back({list_file_tiles(film, rect), cut_block(to_pixels(film, rect), edges), lacking});
    };
    std::vector<std::uint32_t> const columns = find_group_edges(edges.x), rows = find_group_edges(edges.y);
    for (std::size_t row = 1; row < rows.size(); ++row)
        for (std::size_t column = 1; column < columns.size(); ++column) {
            FileTileRect const rect{columns[column - 1], rows[row - 1], columns[column], rows[row]};
            SampleRanges const shared = find_shared_by_all(film, todo, rect);
            add(rect, shared);
            for (auto const& [part, lacking] : cut_by_lacking(film, todo, rect, shared)) add(part, lacking);
        }
    return groups;
}

std::vector<RenderTile> cut_block(RenderTile const& whole, TileEdges const& edges)
{
    std::vector<RenderTile> parts;
    for (auto const& [y0, y1] : cut_range(whole.y0, whole.y1, edges.y))
        for (auto const& [x0, x1] : cut_range(whole.x0, whole.x1, edges.x)) {
            RenderTile part = whole;
            part.x0 = x0;
            part.y0 = y0;
            part.x1 = x1;
            part.y1 = y1;
            parts.push_back(part);
        }
    return parts;
}

std::uint64_t count_pixels(RenderTile const& tile)
{
    return std::uint64_t{tile.x1 - tile.x0} * (tile.y1 - tile.y0);
}

std::uint64_t count_pixels(TileGroup const& group)
{
    std::uint64_t pixels = 0;
    for (RenderTile const& tile : group.render_tiles) pixels += count_pixels(tile);
    return pixels;
}

std::uint32_t count_most_pixels(TileEdges const& edges)
{
    auto const longest = [](std::vector<std::uint32_t> const& side) {
        std::uint32_t most = 0;
        for (std::size_t i = 1; i < side.size(); ++i) most = std::max(most, side[i] - side[i - 1]);
        return most;
    };
    return longest(edges.x) * longest(edges.y);
}

std::uint32_t count_tile_rows(TileGroup const& group)
{
    if (group.render_tiles.size() != 1) return 1;
    return (group.render_tiles[0].y1 - group.render_tiles[0].y0 - 1) / kFileTileEdge + 1;
}

TileGroup cut_tile_row(TileGroup const& group, std::uint32_t row)
{
    RenderTile tile = group.render_tiles[0];
    auto const columns = static_cast<std::ptrdiff_t>((tile.x1 - tile.x0 - 1) / kFileTileEdge + 1);
    auto const first = group.file_tiles.begin() + row * columns;
    tile.y0 += row * kFileTileEdge;
    tile.y1 = std::min(tile.y0 + kFileTileEdge, tile.y1);
    return {{first, first + columns}, {tile}, {}};
}

} // namespace volpt
