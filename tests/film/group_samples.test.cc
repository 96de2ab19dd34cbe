#include "libvolpt/film/film_stats.h"
#include "tests/film/film_samples.h"

#include <gtest/gtest.h>

namespace volpt {
namespace {

TEST(GroupSamples, CountEverySampleOfEveryPixelOnce)
{
    Film film = make_empty_film(70, 3, 1); // a tile of 64 x 3 pixels and one of 6 x 3
    film.tile_ranges = {{{3, 7}, {100, 1}}, {{0, 2}}};
    std::vector<std::uint64_t> expected(4);
    for (std::uint64_t const sample : {3u, 4u, 5u, 6u, 7u, 8u, 9u, 100u}) expected[sample % 4] += 64 * 3;
    for (std::uint64_t const sample : {0u, 1u}) expected[sample % 4] += 6 * 3;
    EXPECT_EQ(count_group_samples(film, 4), expected);
}

TEST(GroupSamples, AreEmptyInAnEmptyFilm)
{
    EXPECT_EQ(count_group_samples(make_empty_film(1, 1, 1), 2), (std::vector<std::uint64_t>{0, 0}));
}

} // namespace
} // namespace volpt
