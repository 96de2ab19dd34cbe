// The backdrop of pictures: what is seen of the environment directly, and nothing else, is darkened.
#include "libvolpt/render/dim_background.h"
#include "libvolpt/film/film_stats.h"
#include "libvolpt/sys/error.h"
#include "tests/support/make_scene.h"
#include "tests/support/merge_films.h"

#include <gtest/gtest.h>

namespace volpt::test {
namespace {

constexpr SampleRange kBackdropSamples{0, 24};

Scene hide_background(Scene scene)
{
    scene.environment.background = Background::hidden;
    scene.coverage = CoveragePlane::counted;
    return scene;
}

Film render_and_dim(Scene const& scene, PackedVolume const& volume, double factor, int threads = 1)
{
    return dim_background(render_scene(scene, volume, kBackdropSamples), volume, nullptr, factor, {.threads = threads});
}

/// Sums of samples whose radiance is a whole number of the film's units are exact.
TEST(DimBackground, LeavesAtFactor0WhatAHiddenBackgroundLeaves)
{
    for (PackedVolume const& volume : {make_cloud(), make_inks(), make_bare_cube(0.5f, 0.25f)})
        for (BoundaryKind const boundary : {BoundaryKind::none, BoundaryKind::smooth}) {
            Scene scene = make_scene(volume, 70, 66);
            scene.boundary = {boundary, 1.5, 1};
            EXPECT_EQ(render_and_dim(scene, volume, 0).sums,
                      render_scene(hide_background(scene), volume, kBackdropSamples).sums);
        }
}

TEST(DimBackground, OfChromaticMediaDarkensEachBandByItsOwnPaths)
{
    PackedVolume const volume = make_mixed(Source::constant, Source::constant);
    Scene const scene = make_scene(volume);
    EXPECT_EQ(render_and_dim(scene, volume, 0).sums,
              render_scene(hide_background(scene), volume, kBackdropSamples).sums);
}

TEST(DimBackground, OfTwoHemispheresDarkensWhatIsSeenOfEach)
{
    PackedVolume const volume = make_cloud();
    Scene scene = make_scene(volume);
    scene.environment.kind = EnvironmentKind::hemispheres;
    scene.environment.radiance = {2};
    scene.environment.below = {0.5f};
    EXPECT_EQ(render_and_dim(scene, volume, 0).sums,
              render_scene(hide_background(scene), volume, kBackdropSamples).sums);
}

TEST(DimBackground, IsAsManyTimesDarkerAsItsFactorSays)
{
    PackedVolume const volume = make_cloud();
    Scene const scene = make_scene(volume);
    Film const film = render_scene(scene, volume, kBackdropSamples), dimmed = render_and_dim(scene, volume, 0.25);
    Film const hidden = render_scene(hide_background(scene), volume, kBackdropSamples);
    for (std::size_t i = 0; i < film.sums.size(); ++i)
        EXPECT_EQ(film.sums[i] - dimmed.sums[i], (film.sums[i] - hidden.sums[i]) / 4 * 3) << i;
    EXPECT_EQ(dimmed.squares, film.squares);
    EXPECT_EQ(dimmed.tile_ranges, film.tile_ranges);
}

TEST(DimBackground, DoesNotDependOnThreads)
{
    PackedVolume const volume = make_inks();
    Scene const scene = make_scene(volume, 150, 70);
    EXPECT_EQ(render_and_dim(scene, volume, 0.2, 3).sums, render_and_dim(scene, volume, 0.2).sums);
}

TEST(DimBackground, TakesTheSamplesThatTheFilmHas)
{
    PackedVolume const volume = make_cloud();
    Scene const scene = make_scene(volume);
    RenderScene const rendered(scene, volume, nullptr, 0);
    Film const parts = merge_films({render_scene(scene, volume, {3, 4}), render_scene(scene, volume, {9, 5})});
    Film const hidden = merge_films(
        {render_scene(hide_background(scene), volume, {3, 4}), render_scene(hide_background(scene), volume, {9, 5})});
    EXPECT_EQ(dim_background(parts, volume, nullptr, 0, {}).sums, hidden.sums);
    Film const empty(scene, 0, rendered.sum_log2());
    EXPECT_EQ(dim_background(empty, volume, nullptr, 0, {}).sums, empty.sums);
}

TEST(DimBackground, OfManySamplesIsTheBackgroundOfTheFirst)
{
    PackedVolume const volume = make_cloud();
    Scene const scene = make_scene(volume, 4, 4);
    Film const film = render_scene(scene, volume, {0, 256});
    Film const dimmed = dim_background(film, volume, nullptr, 0, {});
    Film const first = render_scene(scene, volume, {0, 32}), rest = dim_background(first, volume, nullptr, 0, {});
    for (std::size_t i = 0; i < film.sums.size(); ++i)
        EXPECT_EQ(film.sums[i] - dimmed.sums[i], std::min(film.sums[i], 8 * (first.sums[i] - rest.sums[i]))) << i;
}

TEST(ChooseBackdrop, DarkensOnlyAPlainEnvironmentUnlessAsked)
{
    PackedVolume const volume = make_cloud();
    Scene scene = make_scene(volume);
    EXPECT_EQ(choose_backdrop(scene, {}), kDefaultBackdrop);
    EXPECT_EQ(choose_backdrop(scene, 1), 1);
    scene.environment.kind = EnvironmentKind::hemispheres;
    scene.environment.below = {0};
    EXPECT_EQ(choose_backdrop(scene, {}), 1);
    EXPECT_EQ(choose_backdrop(scene, 0.5), 0.5);
    EXPECT_THROW(choose_backdrop(scene, -0.1), Error);
    EXPECT_THROW(choose_backdrop(scene, std::numeric_limits<double>::quiet_NaN()), Error);
}

TEST(ChooseBackdrop, IsRefusedWhereNoEnvironmentIsSeen)
{
    PackedVolume const volume = make_cloud();
    Scene dark = make_scene(volume), particles = dark, glowing = dark;
    dark.environment.radiance = {0, 0, 0};
    particles.integrator = Integrator::light;
    glowing.emission = MediumEmission::emits;
    for (Scene const& scene : {make_probe(volume), dark, particles, glowing, hide_background(make_scene(volume))}) {
        EXPECT_EQ(choose_backdrop(scene, {}), 1);
        EXPECT_THROW(choose_backdrop(scene, 0.5), Error);
    }
}

} // namespace
} // namespace volpt::test
