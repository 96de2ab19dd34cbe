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

} // namespace

std::vector<TileGroup> make_tile_groups(Film const& film, std::vector<SampleRanges> const& todo,
                                        std::uint32_t tile_size)
{
    std::uint32_t const edge = std::max(1u, tile_size / kFileTileEdge); // in file tiles
    std::uint32_t const render_edge = std::min(tile_size, edge * kFileTileEdge);
    std::vector<TileGroup> groups;
    auto const add = [&](FileTileRect const& rect) {
        SampleRanges const& lacking = todo[std::size_t{rect.y0} * film.tiles_x() + rect.x0];
        if (!lacking.empty())
            groups.push_back({list_file_tiles(film, rect), cut_block(to_pixels(film, rect), render_edge), lacking});
    };
    for (std::uint32_t y = 0; y < film.tiles_y(); y += edge)
        for (std::uint32_t x = 0; x < film.tiles_x(); x += edge) {
            FileTileRect const square{x, y, std::min(x + edge, film.tiles_x()), std::min(y + edge, film.tiles_y())};
            std::vector<std::size_t> const tiles = list_file_tiles(film, square);
            bool const is_uniform =
                std::ranges::all_of(tiles, [&](std::size_t tile) { return todo[tile] == todo[tiles.front()]; });
            if (is_uniform) {
                add(square);
                continue;
            }
            for (std::uint32_t ty = y; ty < square.y1; ++ty)
                for (std::uint32_t tx = x; tx < square.x1; ++tx) add({tx, ty, tx + 1, ty + 1});
        }
    return groups;
}

std::vector<RenderTile> cut_block(RenderTile const& whole, std::uint32_t edge)
{
    std::vector<RenderTile> parts;
    for (std::uint32_t y = whole.y0; y < whole.y1; y += edge)
        for (std::uint32_t x = whole.x0; x < whole.x1; x += edge) {
            RenderTile part = whole;
            part.x0 = x;
            part.y0 = y;
            part.x1 = std::min(x + edge, whole.x1);
            part.y1 = std::min(y + edge, whole.y1);
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

std::uint32_t count_most_pixels(Film const& film, std::uint32_t tile_size)
{
    std::uint32_t const edge = std::max(tile_size, 1u);
    return std::min(film.width(), edge) * std::min(film.height(), edge);
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
