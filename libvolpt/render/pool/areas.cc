// Squares of file tiles, or parts of one.
#include "libvolpt/render/pool/areas.h"

#include "libvolpt/render/tile_sums.h"

#include <algorithm>

namespace volpt {
namespace {

/// Tiles [x0, x1) x [y0, y1) as pixels.
RenderTile to_pixels(Film const& film, std::uint32_t x0, std::uint32_t y0, std::uint32_t x1, std::uint32_t y1)
{
    RenderTile block;
    block.x0 = x0 * kFileTileEdge;
    block.y0 = y0 * kFileTileEdge;
    block.x1 = std::min(x1 * kFileTileEdge, film.width());
    block.y1 = std::min(y1 * kFileTileEdge, film.height());
    return block;
}

} // namespace

std::vector<AreaGroup> cut_areas(Film const& film, std::vector<SampleRanges> const& todo, std::uint32_t tile_size)
{
    std::uint32_t const edge = std::max(1u, tile_size / kFileTileEdge);
    std::uint32_t const part_edge = std::min(tile_size, edge * kFileTileEdge);
    std::vector<AreaGroup> groups;
    auto const add = [&](std::uint32_t x0, std::uint32_t y0, std::uint32_t x1, std::uint32_t y1) {
        AreaGroup group;
        group.todo = todo[std::size_t{y0} * film.tiles_x() + x0];
        if (group.todo.empty()) return;
        for (std::uint32_t y = y0; y < y1; ++y)
            for (std::uint32_t x = x0; x < x1; ++x) group.tiles.push_back(std::size_t{y} * film.tiles_x() + x);
        group.areas = cut_block(to_pixels(film, x0, y0, x1, y1), part_edge);
        groups.push_back(std::move(group));
    };
    for (std::uint32_t y = 0; y < film.tiles_y(); y += edge)
        for (std::uint32_t x = 0; x < film.tiles_x(); x += edge) {
            std::uint32_t const x1 = std::min(x + edge, film.tiles_x());
            std::uint32_t const y1 = std::min(y + edge, film.tiles_y());
            SampleRanges const& first = todo[std::size_t{y} * film.tiles_x() + x];
            bool alike = true;
            for (std::uint32_t ty = y; ty < y1; ++ty)
                for (std::uint32_t tx = x; tx < x1; ++tx)
                    alike = alike && todo[std::size_t{ty} * film.tiles_x() + tx] == first;
            if (alike) {
                add(x, y, x1, y1);
                continue;
            }
            for (std::uint32_t ty = y; ty < y1; ++ty)
                for (std::uint32_t tx = x; tx < x1; ++tx) add(tx, ty, tx + 1, ty + 1);
        }
    return groups;
}

std::uint64_t count_pixels(RenderTile const& area)
{
    return std::uint64_t{area.x1 - area.x0} * (area.y1 - area.y0);
}

std::uint64_t count_pixels(AreaGroup const& group)
{
    std::uint64_t pixels = 0;
    for (RenderTile const& area : group.areas) pixels += count_pixels(area);
    return pixels;
}

std::uint32_t count_tile_rows(AreaGroup const& group)
{
    return group.areas.size() == 1 ? (group.areas[0].y1 - group.areas[0].y0 - 1) / kFileTileEdge + 1 : 1;
}

AreaGroup cut_tile_row(AreaGroup const& group, std::uint32_t row)
{
    RenderTile area = group.areas[0];
    auto const columns = static_cast<std::ptrdiff_t>((area.x1 - area.x0 - 1) / kFileTileEdge + 1);
    auto const first_tile = group.tiles.begin() + row * columns;
    area.y0 += row * kFileTileEdge;
    area.y1 = std::min(area.y0 + kFileTileEdge, area.y1);
    return {{first_tile, first_tile + columns}, {area}, {}};
}

std::uint32_t count_most_pixels(Film const& film, std::uint32_t tile_size)
{
    std::uint32_t const edge = std::max(tile_size, 1u);
    return std::min(film.width(), edge) * std::min(film.height(), edge);
}

} // namespace volpt
