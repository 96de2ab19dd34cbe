// Coverage: a function of the samples alone, and the part of them that hit something.
#include "libvolpt/film/film_stats.h"
#include "libvolpt/render/count_coverage.h"
#include "tests/support/frozen_scenes.h"
#include "tests/support/make_object_scene.h"
#include "tests/support/merge_films.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

namespace volpt::test {
namespace {

constexpr SampleRange kCoverageSamples{0, 6};

Scene count_in(Scene scene)
{
    scene.coverage = CoveragePlane::counted;
    return scene;
}

TEST(Coverage, IsTheSameForThreadsTilesAndParts)
{
    PackedVolume const volume = make_inks();
    Scene const scene = count_in(make_scene(volume, 150, 70));
    Film const whole = render_scene(scene, volume, kCoverageSamples);
    for (RenderOptions const& options :
         {RenderOptions{.threads = 3}, RenderOptions{.tile_size = 7}, RenderOptions{.tiles = TileGrid{2, 3}}})
        EXPECT_EQ(hash_film(render_scene(scene, volume, kCoverageSamples, options)), hash_film(whole));
    Film const merged = merge_films({render_scene(scene, volume, {4, 2}), render_scene(scene, volume, {0, 4})});
    EXPECT_EQ(merged.coverage, whole.coverage);
    EXPECT_EQ(hash_film(merged), hash_film(whole));
    EXPECT_EQ(render_with_stops(scene, volume, kCoverageSamples).film.coverage, whole.coverage);
}

TEST(Coverage, ChangesNothingElse)
{
    PackedVolume const volume = make_cloud();
    Scene const scene = make_scene(volume);
    Film const plain = render_scene(scene, volume, kCoverageSamples),
               counted = render_scene(count_in(scene), volume, kCoverageSamples);
    EXPECT_EQ(counted.sums, plain.sums);
    EXPECT_EQ(counted.squares, plain.squares);
    EXPECT_EQ(counted.statistics, plain.statistics);
    EXPECT_TRUE(plain.coverage.empty());
}

/// In black light, what a path hits is all that is missing in white light with albedo 0.
TEST(Coverage, CountsThePathsWhoseLightDoesNotComeStraight)
{
    for (PackedVolume const& volume : {make_bare_cube(2, 1), make_bare_cube(0.1f, 1)}) {
        Film const film = render_scene(count_in(make_scene(volume)), volume, {0, 16});
        for (std::size_t i = 0; i < film.sums.size(); ++i)
            EXPECT_EQ(film.sums[i] + (film.coverage[i] << film.sum_log2()), std::uint64_t{16} << film.sum_log2());
    }
}

TEST(Coverage, IsAllThatAHiddenBackgroundLeavesOfAWhiteVolume)
{
    for (PackedVolume const& volume : {make_bare_cube(2, 0), make_bare_cube(0.1f, 0)}) {
        Scene scene = count_in(make_scene(volume));
        scene.environment.background = Background::hidden;
        Film const film = render_scene(scene, volume, {0, 16});
        EXPECT_GT(std::accumulate(film.coverage.begin(), film.coverage.end(), std::uint64_t{0}), 0u);
        for (std::size_t i = 0; i < film.sums.size(); ++i)
            EXPECT_EQ(film.sums[i], film.coverage[i % film.coverage.size()] << film.sum_log2());
    }
}

TEST(Coverage, HidingTheBackgroundTakesNothingElseAway)
{
    PackedVolume const volume = make_cloud();
    for (BoundaryKind const boundary : {BoundaryKind::none, BoundaryKind::smooth}) {
        Scene scene = count_in(make_scene(volume));
        scene.boundary = {boundary, 1.5, 1};
        Film const shown = render_scene(scene, volume, {0, 16});
        scene.environment.background = Background::hidden;
        Film const hidden = render_scene(scene, volume, {0, 16});
        EXPECT_EQ(hidden.coverage, shown.coverage);
        for (std::size_t i = 0; i < shown.coverage.size(); ++i)
            EXPECT_EQ(hidden.sums[i] + ((16 - shown.coverage[i]) << shown.sum_log2()), shown.sums[i]);
    }
}

/// Whatever the medium, the paths that are followed once more are those of the render.
TEST(Coverage, IsWhatTheRendersOwnPathsMeet)
{
    int compared = 0;
    for (auto& [name, frozen] : make_frozen_scenes()) {
        Scene scene = count_in(frozen.scene);
        if (scene.camera.kind == CameraKind::probe || connects_emitters(scene)) continue;
        SCOPED_TRACE(name);
        scene.long_steps = LongSteps::plain;
        scene.environment = {};
        Film const shown = render_scene(scene, frozen.volume, {0, 8});
        scene.environment.background = Background::hidden;
        Film const hidden = render_scene(scene, frozen.volume, {0, 8});
        for (std::size_t i = 0; i < shown.coverage.size(); ++i)
            ASSERT_EQ(hidden.sums[i] + ((8 - shown.coverage[i]) << shown.sum_log2()), shown.sums[i]) << i;
        ++compared;
    }
    EXPECT_GE(compared, 10);
}

TEST(Coverage, OfGreyVolumesBelongsToThePathsOfAllBands)
{
    VolumeMeta meta = cloud_meta();
    set_three_bands(meta);
    meta.band_numbers = {2, 5, 7};
    meta.constant_one_minus_albedo = {1, 1, 1};
    PackedVolume const volume = make_volume(meta, {.density = cloud_density});
    Film const film = render_scene(count_in(make_scene(volume)), volume, {0, 8});
    for (std::size_t i = 0; i < film.coverage.size(); ++i)
        EXPECT_EQ(film.sums[i] + (film.coverage[i] << film.sum_log2()), std::uint64_t{8} << film.sum_log2());
}

TEST(Coverage, OfAThinMediumIsWhatItStops)
{
    PackedVolume const volume = make_bare_cube(0.5f);
    Scene scene = count_in(make_scene(volume, 8, 8));
    scene.camera = {.kind = CameraKind::orthographic, .ortho_width_mm = 1};
    scene.camera.origin_world = {0.5, 0.5, 5};
    scene.camera.target_world = {0.5, 0.5, 0};
    Film const film = render_scene(scene, volume, {0, 4000});
    double const hits = std::accumulate(film.coverage.begin(), film.coverage.end(), 0.0);
    EXPECT_NEAR(hits / (64 * 4000), 1 - std::exp(-0.5), 0.004); // 4 standard errors
}

TEST(Coverage, OfAnObjectWithABoundaryIsItsOutline)
{
    PackedVolume const volume = make_object_medium(1, 0);
    Scene scene = make_scene(volume, 16, 16);
    scene.camera = {.kind = CameraKind::orthographic, .ortho_width_mm = 2};
    scene.camera.origin_world = {1, 1, 9};
    scene.camera.target_world = {1, 1, 0};
    scene.boundary = {BoundaryKind::smooth, 1.5, 1, 0};
    ObjectScene const object(scene, volume, make_box({0.5f, 0.5f, 0.5f}, {1.5f, 1.5f, 1.5f}));
    RenderTile const all{0, 0, 16, 16};
    auto const hits = count_coverage(object.view(), all, {{3, 20}}, 1);
    for (std::size_t i = 0; i < hits.size(); ++i) {
        bool const is_covered = i % 16 >= 4 && i % 16 < 12 && i / 16 >= 4 && i / 16 < 12;
        EXPECT_EQ(hits[i], is_covered ? 20u : 0u) << i;
    }
    EXPECT_EQ(count_coverage(object.view(), all, {{3, 20}}, 3), hits);
}

} // namespace
} // namespace volpt::test
