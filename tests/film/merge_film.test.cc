// Merging: films of disjoint samples add up to the film that one render would have made, in any order.
#include "tests/film/film_samples.h"

#include "libvolpt/sys/error.h"
#include "tests/support/expect_error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace volpt {
namespace {

using test::expect_error;

constexpr std::uint64_t kSamples = 6;

Film make_whole_film()
{
    Film film = make_empty_film(130, 70, 3);
    add_samples(film, {0, kSamples});
    return film;
}

/// Every sample of every tile goes to one of the films by chance.
std::vector<Film> deal_samples(std::size_t film_count, unsigned seed)
{
    std::mt19937 random(seed);
    std::vector<Film> films(film_count, make_empty_film(130, 70, 3));
    for (std::size_t tile = 0; tile < films[0].tile_ranges.size(); ++tile)
        for (std::uint64_t sample = 0; sample < kSamples; ++sample)
            add_samples(films[random() % film_count], tile, {sample, 1});
    return films;
}

TEST(MergeFilm, AnyPartitionInAnyOrderEqualsOneRender)
{
    Film const whole = make_whole_film();
    std::string const expected = bytes_of(whole);
    for (unsigned seed = 0; seed < 3; ++seed) {
        std::vector<Film> const films = deal_samples(3, seed);
        std::vector<std::size_t> order{0, 1, 2};
        do {
            Film left = films[order[0]];
            merge_film(left, films[order[1]]);
            merge_film(left, films[order[2]]);
            EXPECT_EQ(bytes_of(left), expected);
            EXPECT_EQ(hash_film(left), hash_film(whole));

            Film right = films[order[1]];
            merge_film(right, films[order[2]]);
            Film outer = films[order[0]];
            merge_film(outer, right);
            EXPECT_EQ(bytes_of(outer), expected);
        } while (std::next_permutation(order.begin(), order.end()));
    }
}

TEST(MergeFilm, EmptyFilmIsNeutral)
{
    Film film = make_empty_film(130, 70, 3);
    merge_film(film, make_whole_film());
    merge_film(film, make_empty_film(130, 70, 3));
    EXPECT_EQ(bytes_of(film), bytes_of(make_whole_film()));
}

void expect_refused(Film into, Film const& from, std::initializer_list<std::string_view> parts)
{
    std::string const before = bytes_of(into);
    expect_error(ExitStatus::input, parts, [&] { merge_film(into, from); });
    EXPECT_EQ(bytes_of(into), before);
}

TEST(MergeFilm, OverlapInOneTileIsRefusedAndNothingChanges)
{
    Film into = make_empty_film(130, 70, 1);
    Film from = into;
    add_samples(into, {0, 4});
    for (std::size_t tile = 0; tile < from.tile_ranges.size(); ++tile)
        add_samples(from, tile, {tile == 4 ? 3u : 4u, 4});
    expect_refused(into, from, {"tile 1,1", "samples 3:1"});
    expect_refused(into, into, {"tile 0,0", "samples 0:4"});
}

TEST(MergeFilm, DifferentSceneIsRefusedWithItsFields)
{
    Scene scene = make_film_scene(130, 70, 1);
    scene.camera.fov_x_deg = 30;
    scene.g = 0.5f;
    scene.override_g = true;
    expect_refused(make_empty_film(130, 70, 1), Film(scene, 42, 31, 31),
                   {"camera.fov_x_deg (45 and 30)", "override_g (no and yes)", "g (0 and 0.5)"});
    expect_refused(make_empty_film(130, 70, 1), make_empty_film(70, 130, 1), {"width (130 and 70)", "height"});
}

TEST(MergeFilm, DifferentSeedOrScaleIsRefused)
{
    Film const film = make_empty_film(8, 8, 1);
    expect_refused(film, Film(film.scene(), 43, 31, 31), {"seeds, 42 and 43"});
    expect_refused(film, Film(film.scene(), 42, 30, 31), {"2^31 and 2^30"});
    expect_refused(film, Film(film.scene(), 42, 31, 29), {"squares 2^31 and 2^29"});
}

TEST(MergeFilm, SumsThatWouldWrapAreRefusedAndNothingChanges)
{
    Film into = make_empty_film(8, 8, 1);
    Film from = into;
    add_samples(into, {0, 1});
    add_samples(from, {1, 1});
    from.squares[63] = ~std::uint64_t{0};
    expect_refused(into, from, {"do not fit 64 bits"});
    from = make_empty_film(8, 8, 1);
    from.statistics.extensions = ~std::uint64_t{0};
    expect_refused(into, from, {"statistics"});
}

TEST(MergeFilm, ManyRangesMergeInLinearTime)
{
    Film odd = make_empty_film(1, 1, 1);
    Film even = odd;
    for (std::uint64_t i = 0; i < 300'000; ++i) {
        even.tile_ranges[0].push_back({4 * i, 1});
        odd.tile_ranges[0].push_back({4 * i + 2, 1});
    }
    merge_film(even, odd);
    EXPECT_EQ(even.tile_ranges[0].size(), 600'000u);
}

} // namespace
} // namespace volpt
