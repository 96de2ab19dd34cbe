// The film in memory: tiles, sample counts, hash, and what a bad scene does.
#include "tests/film/film_samples.h"

#include "libvolpt/sys/error.h"

#include <gtest/gtest.h>

#include <set>

namespace volpt {
namespace {

TEST(Film, TilesCoverThePictureAndPixelsKnowTheirs)
{
    Film film = make_empty_film(130, 65, 2);
    EXPECT_EQ(film.tiles_x(), 3u);
    EXPECT_EQ(film.tiles_y(), 2u);
    EXPECT_EQ(film.tile_ranges.size(), 6u);
    EXPECT_EQ(film.sums.size(), 130u * 65 * 2);
    film.tile_ranges[5] = {{0, 3}, {7, 2}};
    EXPECT_EQ(film.samples_at(129, 64), 5u);
    EXPECT_EQ(film.samples_at(127, 64), 0u);
    EXPECT_EQ(film.samples_at(129, 63), 0u);
    EXPECT_EQ(count_tile_samples(film), (std::vector<std::uint64_t>{0, 0, 0, 0, 0, 5}));
}

TEST(Film, HoldsTheSceneInItsNormalForm)
{
    Scene scene = make_film_scene(8, 8, 3);
    scene.environment.radiance = {2, 2, 2};
    Film const film(scene, 1, 31);
    EXPECT_EQ(film.scene().environment.radiance.size(), 1u);
    EXPECT_EQ(film.scene_hash(), hash_scene(scene));
}

TEST(Film, InvalidSceneOrScaleIsRefused)
{
    EXPECT_THROW(Film(make_film_scene(0, 8, 1), 1, 31), Error);
    EXPECT_THROW(Film(make_film_scene(8, 8, 37), 1, 31), Error);
    EXPECT_THROW(Film(make_film_scene(8, 8, 1), 1, 257), Error);
    EXPECT_THROW(Film(make_film_scene(8, 8, 1), 1, -257), Error);
}

TEST(Film, HashIsOfSceneSeedScalesRangesAndPlanesAlone)
{
    Film film = make_empty_film(70, 70, 1);
    add_samples(film, {0, 2});
    Film other = film;
    other.provenance.set("host", "elsewhere");
    other.statistics.paths += 1;
    EXPECT_EQ(hash_film(other), hash_film(film));

    std::set<Hash128> hashes{hash_film(film)};
    Film changed = film;
    changed.sums[77] += 1;
    hashes.insert(hash_film(changed));
    changed = film;
    changed.squares[77] += 1;
    hashes.insert(hash_film(changed));
    changed = film;
    changed.tile_ranges[3] = {{0, 1}, {2, 1}};
    hashes.insert(hash_film(changed));
    changed = film;
    changed.squares[77] += Wide{1} << 64;
    hashes.insert(hash_film(changed));
    Film covered = make_covered_film(70, 70, 1);
    add_samples(covered, {0, 2});
    hashes.insert(hash_film(covered));
    covered.coverage[77] ^= 1;
    hashes.insert(hash_film(covered));
    Scene scene = film.scene();
    hashes.insert(hash_film(Film(scene, 42, 31)));
    hashes.insert(hash_film(Film(scene, 43, 31)));
    hashes.insert(hash_film(Film(scene, 42, 30)));
    scene.estimator = 1;
    hashes.insert(hash_film(Film(scene, 42, 31)));
    scene.estimator = kEstimator;
    scene.scale = 2;
    hashes.insert(hash_film(Film(scene, 42, 31)));
    EXPECT_EQ(hashes.size(), 12u);
}

} // namespace
} // namespace volpt
