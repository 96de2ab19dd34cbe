#include "libvolpt/denoise/denoise_film.h"
#include "libvolpt/film/film_stats.h"
#include "libvolpt/scene/render_scene.h"
#include "tests/support/expect_error.h"
#include "tests/support/make_scene.h"
#include "tests/support/make_surroundings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace volpt::test {
namespace {

Guides cast(Scene const& scene, PackedVolume const& volume, int threads = 1, GuideRays rays = GuideRays::grid)
{
    RenderScene const built(scene, volume, nullptr, 7);
    return cast_guides(built.view(), rays, threads);
}

Scene look_straight_down(PackedVolume const& volume)
{
    Scene scene = make_scene(volume, 16, 16);
    scene.camera = {};
    scene.camera.kind = CameraKind::orthographic;
    scene.camera.origin_world = {0.5, 0.5, 3};
    scene.camera.target_world = {0.5, 0.5, 0};
    scene.camera.up_world = {0, 1, 0};
    scene.camera.ortho_width_mm = 2; // twice the cube's width
    return scene;
}

TEST(Guides, OpenMediumHasItsTransmittance)
{
    PackedVolume const cube = make_bare_cube(2.0f, 0.25f);
    VolumeMeta const& meta = cube.meta();
    ASSERT_EQ(meta.dims[0], 1);
    Guides const guides = cast(look_straight_down(cube), cube);
    auto const centre = 8 * 16 + 8, corner = 0;
    double const stopped = 1 - std::exp(-2.0 * static_cast<double>(meta.pitch_mm[2]));
    EXPECT_NEAR(guides.coverage[centre], stopped, 1e-4);
    EXPECT_NEAR(guides.albedo[0][centre], 0.75 * stopped, 1e-4);
    EXPECT_EQ(guides.normal[2][centre], 0);
    EXPECT_EQ(guides.coverage[corner], 0);
    EXPECT_EQ(guides.albedo[0][corner], 0);
    EXPECT_EQ(guides.depth_mm[corner], 0);
}

TEST(Guides, FaceHasNormalDepthAndWhatLiesUnderIt)
{
    PackedVolume const cube = make_bare_cube(50.0f, 0.25f);
    Scene scene = look_straight_down(cube);
    scene.boundary = {BoundaryKind::smooth, 1.5, 1.0, 0};
    Guides const guides = cast(scene, cube);
    auto const centre = 8 * 16 + 8, corner = 0;
    EXPECT_EQ(guides.coverage[centre], 1);
    EXPECT_NEAR(guides.normal[2][centre], 1, 1e-6);
    EXPECT_GT(guides.depth_mm[centre], 0);
    EXPECT_NEAR(guides.depth_mm[centre], guides.depth_mm[centre - 1], 1e-5);
    EXPECT_NEAR(guides.albedo[0][centre], 0.75, 1e-3);
    EXPECT_NEAR(guides.beneath[0][centre], 0.75, 1e-2);
    EXPECT_EQ(guides.coverage[corner], 0);
}

TEST(Guides, NormalIsThatOfTheFaceThatIsSeen)
{
    PackedVolume const cube = make_bare_cube(50.0f, 0.25f);
    for (std::size_t const axis : {0u, 1u}) {
        Scene scene = look_straight_down(cube);
        scene.boundary = {BoundaryKind::smooth, 1.5, 1.0, 0};
        scene.camera.target_world = scene.camera.origin_world = {0.5, 0.5, 0.5};
        scene.camera.origin_world[axis] = 3;
        scene.camera.up_world = {0, 0, 1};
        Guides const guides = cast(scene, cube);
        auto const centre = 8 * 16 + 8;
        for (std::size_t component = 0; component < 3; ++component)
            EXPECT_NEAR(guides.normal[component][centre], component == axis ? 1 : 0, 1e-6) << axis << component;
    }
}

TEST(Guides, EveryKindOfSceneHasFiniteGuidesOnAnyThreads)
{
    auto const check = [](Scene const& scene, PackedVolume const& volume, GuideRays rays) {
        Guides const one = cast(scene, volume, 1, rays), many = cast(scene, volume, 3, rays);
        EXPECT_EQ(one.coverage, many.coverage);
        EXPECT_EQ(one.albedo, many.albedo);
        EXPECT_EQ(one.depth_mm, many.depth_mm);
        float most = 0;
        for (std::size_t i = 0; i < one.pixels(); ++i) {
            ASSERT_TRUE(std::isfinite(one.depth_mm[i]) && std::isfinite(one.normal[0][i]));
            ASSERT_GE(one.coverage[i], 0);
            ASSERT_LE(one.coverage[i], 1.00001f);
            most = std::max(most, one.coverage[i]);
            for (auto const& albedo : one.albedo) {
                ASSERT_GE(albedo[i], 0);
                ASSERT_LE(albedo[i], 1.00001f);
            }
        }
        EXPECT_GT(most, 0.1f);
    };
    for (auto const& volume : {make_cloud(), make_colour_cloud(), make_print(), make_inks()}) {
        for (GuideRays const rays : {GuideRays::grid, GuideRays::sparse}) {
            check(make_scene(volume), volume, rays);
            check(make_probe(volume), volume, rays);
        }
    }
}

TEST(Guides, BeneathIsTheMixtureOfWhatLiesUnderIt)
{
    // So deep that the walk ends before all light is stopped.
    PackedVolume const cube = make_bare_cube(19.2f, 0.25f);
    Scene scene = look_straight_down(cube);
    scene.boundary = {BoundaryKind::smooth, 1.5, 1.0, 0};
    Guides const guides = cast(scene, cube);
    EXPECT_NEAR(guides.beneath[0][8 * 16 + 8], 0.75, 1e-4);
    EXPECT_NEAR(guides.albedo[0][8 * 16 + 8], 0.75, 1e-4);
}

TEST(Guides, SparseRaysSeeWhatAGridSees)
{
    PackedVolume const cube = make_bare_cube(50.0f, 0.25f);
    Scene scene = look_straight_down(cube);
    scene.width = scene.height = 63; // so that no edge of the cube lies between two pixels
    scene.boundary = {BoundaryKind::smooth, 1.5, 1.0, 0};
    Guides const grid = cast(scene, cube), sparse = cast(scene, cube, 1, GuideRays::sparse);
    for (std::size_t i = 0; i < grid.pixels(); ++i) {
        EXPECT_NEAR(sparse.coverage[i], grid.coverage[i], 1e-6) << i;
        EXPECT_NEAR(sparse.albedo[0][i], grid.albedo[0][i], 1e-4) << i;
        EXPECT_NEAR(sparse.normal[2][i], grid.normal[2][i], 1e-6) << i;
        EXPECT_NEAR(sparse.depth_mm[i], grid.depth_mm[i], 1e-3) << i;
    }
}

TEST(Guides, SmallPicturesHaveGrids)
{
    EXPECT_EQ(choose_guide_rays(640 * 480), GuideRays::grid);
    EXPECT_EQ(choose_guide_rays(1920 * 1080), GuideRays::sparse);
}

TEST(DenoiseFilm, IsNearerToTheExpectation)
{
    PackedVolume const volume = make_colour_cloud();
    Scene const scene = make_scene(volume, 64, 48);
    Guides const guides = cast(scene, volume);
    Film const few = render_scene(scene, volume, {0, 16}, {}, 1), many = render_scene(scene, volume, {0, 1024}, {}, 2);
    DenoisedFilm const denoised = denoise_film(few, guides, 1), reference = denoise_film(many, guides, 1);
    DenoisedFilm const again = denoise_film(few, guides, 4);
    for (std::size_t band = 0; band < 3; ++band) {
        BandReader const reader(few, band), truth(many, band);
        double noisy = 0, left = 0;
        for (std::size_t i = 0; i < guides.pixels(); ++i) {
            double const expected = mean_of(truth.read(i, 1024), many.sum_log2());
            noisy += std::pow(mean_of(reader.read(i, 16), few.sum_log2()) - expected, 2);
            left += std::pow(static_cast<double>(denoised.bands[band].values[i]) - expected, 2);
        }
        EXPECT_LT(left, noisy / 4) << band;
        EXPECT_EQ(denoised.bands[band].values, again.bands[band].values);
    }
}

TEST(DenoiseFilm, OfOneSampleKeepsASkyBesideABrightPixel)
{
    PackedVolume const volume = make_cloud();
    Film film = make_film(RenderScene(make_scene(volume, 64, 64), volume, nullptr, 7), 7);
    for (SampleRanges& ranges : film.tile_ranges) ranges = {{0, 1}};
    auto const shade = [](std::size_t pixel) { return (pixel / 8 + pixel / (64 * 8)) % 2 == 0 ? 0.25 : 0.75; };
    for (std::size_t i = 0; i < film.sums.size(); ++i) {
        film.sums[i] = static_cast<std::uint64_t>(std::ldexp(i == 0 ? 200 : shade(i), film.sum_log2()));
        film.squares[i] = Wide{film.sums[i]} * film.sums[i];
    }
    Guides nothing = cast(make_scene(volume, 64, 64), volume);
    for (auto* const plane : {&nothing.coverage, &nothing.depth_mm, &nothing.thinness, &nothing.albedo[0],
                              &nothing.beneath[0], &nothing.normal[0], &nothing.normal[1], &nothing.normal[2]})
        std::ranges::fill(*plane, 0.0f);
    std::vector<float> const values = denoise_film(film, nothing, 1).bands[0].values;
    double error = 0;
    for (std::size_t i = 64 * 16; i < values.size(); ++i)
        error += std::abs(static_cast<double>(values[i]) - shade(i)) / static_cast<double>(values.size());
    EXPECT_LT(error, 0.15); // all of the contrast is 0.25
}

TEST(DenoiseFilm, EndsWhenNobodyWantsIt)
{
    PackedVolume const volume = make_cloud();
    Scene const scene = make_scene(volume, 16, 12);
    RenderScene const built(scene, volume, nullptr, 7);
    GoesOn const ends = [] { return false; };
    EXPECT_THROW(cast_guides(built.view(), GuideRays::grid, 1, ends), Interruption);
    EXPECT_THROW(cast_guides(built.view(), GuideRays::sparse, 2, ends), Interruption);
    EXPECT_THROW(denoise_film(render_scene(scene, volume, {0, 2}), cast(scene, volume), 1, ends), Interruption);
}

TEST(DenoiseFilm, GuidesOfAnotherSizeAreRefused)
{
    PackedVolume const volume = make_cloud();
    Scene const scene = make_scene(volume, 16, 12);
    Film const film = render_scene(make_scene(volume, 12, 16), volume, {0, 2});
    Guides const guides = cast(scene, volume);
    expect_error(ExitStatus::usage, {"16x12", "12x16"}, [&] { denoise_film(film, guides, 1); });
}

} // namespace
} // namespace volpt::test
