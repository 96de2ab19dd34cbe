// What enters a film, from any number of threads.
#include "libvolpt/render/film_sink.h"

#include "tests/support/make_scene.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <thread>

namespace volpt::test {
namespace {

/// Sums that differ everywhere, of a part that is large enough for several threads.
BlockSums make_sums(Film const& film, RenderTile const& block, std::uint64_t first)
{
    BlockSums sums{block, TileSums(count_pixels_of(block) * film.planes())};
    for (auto* const plane : {&sums.planes.sums, &sums.planes.low_squares, &sums.planes.high_squares}) {
        std::iota(plane->begin(), plane->end(), first);
        first += plane->size();
    }
    sums.half_sums.resize(sums.planes.sums.size());
    std::iota(sums.half_sums.begin(), sums.half_sums.end(), first);
    return sums;
}

void add(FilmSink& sink, BlockSums const& sums, std::size_t tile, SampleRange samples, int threads)
{
    std::vector<std::size_t> const tiles{tile};
    sink.add({tiles, {samples}, {sums.read()}, {}, {}, threads});
}

TEST(FilmSink, ThreadsAndCallsAtATimeGiveTheSameFilm)
{
    PackedVolume const volume = make_print();
    Film const empty = make_film(RenderScene(make_scene(volume, 512, 700), volume, nullptr, 7), 7);
    ASSERT_TRUE(empty.keeps_half);
    // The rows of both parts are the same, so that one call finds rows that the other has locked.
    BlockSums const left = make_sums(empty, {0, 3, 256, 699, 0, 0}, 1),
                    right = make_sums(empty, {256, 3, 512, 699, 0, 0}, 1000);
    Film expected = empty;
    FilmSink one(expected);
    add(one, left, 0, {0, 4}, 1);
    add(one, right, 1, {0, 4}, 1);
    EXPECT_EQ(expected.sums[std::size_t{3} * 512 + 256], 1000u);
    EXPECT_EQ(expected.half_sums[std::size_t{3} * 512], left.half_sums[0]);
    for (int round = 0; round < 4; ++round) {
        Film film = empty;
        FilmSink sink(film);
        {
            std::jthread const other([&] { add(sink, left, 0, {0, 4}, 3); });
            add(sink, right, 1, {0, 4}, 3);
        }
        EXPECT_EQ(film.sums, expected.sums);
        EXPECT_TRUE(film.squares == expected.squares);
        EXPECT_EQ(film.half_sums, expected.half_sums);
        EXPECT_EQ(film.tile_ranges, expected.tile_ranges);
    }
}

TEST(FilmSink, AnEmptyPartAddsNothing)
{
    PackedVolume const volume = make_print();
    Film film = make_film(RenderScene(make_scene(volume, 20, 10), volume, nullptr, 7), 7);
    FilmSink sink(film);
    add(sink, make_sums(film, {0, 0, 0, 0, 0, 0}, 1), 0, {0, 4}, 2);
    EXPECT_EQ(*std::ranges::max_element(film.sums), 0u);
}

} // namespace
} // namespace volpt::test
