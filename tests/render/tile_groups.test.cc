// A film cut into as many tiles as asked, each pixel in one of them, each file tile in one group.
#include "libvolpt/render/pool/tile_groups.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

namespace volpt::test {
namespace {

Film make_empty_film(std::uint32_t width, std::uint32_t height)
{
    Scene scene;
    scene.width = width;
    scene.height = height;
    scene.bands = 1;
    return Film(scene, 0, 0);
}

std::size_t count_render_tiles(std::vector<TileGroup> const& groups)
{
    return std::accumulate(groups.begin(), groups.end(), std::size_t{0},
                           [](std::size_t sum, TileGroup const& group) { return sum + group.render_tiles.size(); });
}

/// Every pixel is in one render tile, every file tile in one group, and a group's tiles lie in its file tiles.
void expect_covered_once(Film const& film, std::vector<TileGroup> const& groups)
{
    std::vector<int> pixels(std::size_t{film.width()} * film.height()), file_tiles(film.tile_ranges.size());
    for (TileGroup const& group : groups) {
        for (std::size_t const tile : group.file_tiles) ++file_tiles.at(tile);
        for (RenderTile const& tile : group.render_tiles) {
            for (std::uint32_t y = tile.y0; y < tile.y1; ++y)
                for (std::uint32_t x = tile.x0; x < tile.x1; ++x) ++pixels.at(std::size_t{y} * film.width() + x);
            for (std::uint32_t y = tile.y0 / kFileTileEdge; y <= (tile.y1 - 1) / kFileTileEdge; ++y)
                for (std::uint32_t x = tile.x0 / kFileTileEdge; x <= (tile.x1 - 1) / kFileTileEdge; ++x)
                    ASSERT_EQ(std::ranges::count(group.file_tiles, std::size_t{y} * film.tiles_x() + x), 1);
        }
    }
    EXPECT_TRUE(std::ranges::all_of(pixels, [](int times) { return times == 1; }));
    EXPECT_TRUE(std::ranges::all_of(file_tiles, [](int times) { return times == 1; }));
}

std::vector<TileGroup> make_groups(Film const& film, TileEdges const& edges)
{
    return make_tile_groups(film, std::vector<SampleRanges>(film.tile_ranges.size(), {{0, 5}}), edges);
}

/// Largest and smallest step between edges.
std::pair<std::uint32_t, std::uint32_t> find_steps(std::vector<std::uint32_t> const& edges)
{
    std::uint32_t most = 0, least = UINT32_MAX;
    for (std::size_t i = 1; i < edges.size(); ++i) {
        most = std::max(most, edges[i] - edges[i - 1]);
        least = std::min(least, edges[i] - edges[i - 1]);
    }
    return {most, least};
}

TEST(TileGroups, AGridHasAsManyTilesAsAsked)
{
    for (auto const& [width, height] : {std::pair{1920u, 1920u}, {400u, 400u}, {130u, 70u}, {63u, 300u}}) {
        Film const film = make_empty_film(width, height);
        for (TileGrid const grid : {TileGrid{1, 1}, {2, 2}, {4, 4}, {4, 1}, {8, 8}, {32, 32}, {5, 3}, {63, 64}}) {
            SCOPED_TRACE(testing::Message() << width << 'x' << height << ' ' << grid.columns << 'x' << grid.rows);
            TileEdges const edges = cut_into_grid(film, grid);
            EXPECT_EQ(edges.count_tiles(), grid.columns * grid.rows);
            std::vector<TileGroup> const groups = make_groups(film, edges);
            EXPECT_EQ(count_render_tiles(groups), grid.columns * grid.rows);
            expect_covered_once(film, groups);
        }
    }
}

TEST(TileGroups, WhatAllFileTilesLackIsOneGroupAndTheRestIsRectangles)
{
    Film const film = make_empty_film(8 * 64, 8 * 64);
    std::vector<SampleRanges> todo(64, {{10, 20}});
    for (std::size_t tile = 27; tile < 64; ++tile) todo[tile] = {{8, 22}}; // from the middle of row 3 on
    todo[2] = {{10, 20}, {40, 1}};
    std::vector<TileGroup> const groups = make_tile_groups(film, todo, cut_by_size(film, 1024));
    ASSERT_EQ(groups.size(), 4u);
    EXPECT_EQ(groups[0].todo, (SampleRanges{{10, 20}}));
    EXPECT_EQ(groups[0].file_tiles.size(), 64u);
    std::vector<SampleRanges> handed_out(64);
    for (TileGroup const& group : groups) {
        EXPECT_EQ(group.render_tiles.size(), 1u);
        EXPECT_EQ(count_pixels(group), group.file_tiles.size() * 64 * 64);
        for (std::size_t const tile : group.file_tiles) insert_ranges(handed_out[tile], group.todo);
    }
    EXPECT_EQ(handed_out, todo);
}

TEST(TileGroups, TilesOfAGridAreAlike)
{
    Film const film = make_empty_film(1920, 1920);
    for (std::uint32_t const parts : {2u, 4u, 8u, 16u, 30u}) {
        auto const [most, least] = find_steps(cut_into_grid(film, {parts, parts}).x);
        EXPECT_LE(most - least, kFileTileEdge) << parts;
    }
    for (std::uint32_t const parts : {31u, 32u, 64u, 100u, 1919u}) {
        auto const [most, least] = find_steps(cut_into_grid(film, {parts, parts}).x);
        EXPECT_LE(most - least, 1u) << parts;
    }
}

TEST(TileGroups, TilesOfASizeAreOfThatSize)
{
    Film const film = make_empty_film(1000, 300);
    for (std::uint32_t const size : {1u, 7u, 30u, 40u, 64u, 128u, 4096u}) {
        TileEdges const edges = cut_by_size(film, size);
        EXPECT_EQ(edges.count_tiles(), std::uint64_t{(999 / size) + 1} * (299 / size + 1));
        EXPECT_LE(find_steps(edges.x).first, size);
        expect_covered_once(film, make_groups(film, edges));
    }
    EXPECT_EQ(find_steps(cut_by_size(film, 100).x).first, kFileTileEdge);
}

TEST(TileGroups, WhereFileTilesLackOtherSamplesNoneGetsTooManyOrTooFew)
{
    Film const film = make_empty_film(300, 200);
    std::vector<SampleRanges> todo(film.tile_ranges.size(), {{0, 5}});
    todo[3] = {{2, 1}};
    for (TileGrid const grid : {TileGrid{1, 1}, {2, 2}, {7, 7}}) {
        std::vector<SampleRanges> handed_out(todo.size());
        for (TileGroup const& group : make_tile_groups(film, todo, cut_into_grid(film, grid)))
            for (std::size_t const tile : group.file_tiles) insert_ranges(handed_out[tile], group.todo);
        EXPECT_EQ(handed_out, todo); // insert_ranges refuses what is there already
    }
    todo[3].clear();
    for (TileGroup const& group : make_tile_groups(film, todo, cut_into_grid(film, {2, 2})))
        EXPECT_EQ(std::ranges::count(group.file_tiles, 3u), 0);
}

} // namespace
} // namespace volpt::test
