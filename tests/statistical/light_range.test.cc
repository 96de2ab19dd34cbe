// Light of wide range: what is far dimmer than the brightest light keeps its mean, and its standard error is true.
#include "libvolpt/film/film_stats.h"
#include "tests/statistical/measure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace volpt::test {
namespace {

constexpr std::uint32_t kEdge = 32;

Scene make_lit_scene(PackedVolume const& volume, LightImage const& light, std::uint32_t edge)
{
    Scene scene = make_scene(volume, edge, edge);
    scene.environment = {EnvironmentKind::image, {1.0f}, {}, light.checksum, 2, 0};
    return scene;
}

/// A sky of even radiance with a sun of one pixel.
LightImage make_sun(PackedVolume const& volume, float sky, float sun)
{
    Image picture = make_image(128, 64, Transfer::linear, {"Y"});
    std::ranges::fill(picture.channels[0].values, sky);
    picture.channels[0].values[10 * 128 + 40] = sun;
    return make_light_image(picture, volume.meta().band_numbers, "sun");
}

TEST(LightRange, StandardErrorUnderASunIsTheSpreadOverSeeds)
{
    constexpr int kSeeds = 48;
    PackedVolume const volume = make_bare_cube(20, 0.1f);
    LightImage const light = make_sun(volume, 1.0f, 1e6f);
    std::vector<double> means;
    double variance = 0;
    for (int seed = 0; seed < kSeeds; ++seed) {
        FilmSummary const summary = summarize_film(render_scene(make_lit_scene(volume, light, 8), volume, {0, 4}, {},
                                                                static_cast<std::uint64_t>(seed), &light));
        means.push_back(summary.mean[0]);
        variance += std::pow(summary.standard_error[0], 2) / kSeeds;
        EXPECT_GT(summary.standard_error[0], 0) << seed;
    }
    double const spread = measure_mean(means).standard_error * std::sqrt(kSeeds);
    EXPECT_NEAR(std::sqrt(variance) / spread, 1, 0.5);
}

TEST(LightRange, SkyFarBelowTheBrightestLightKeepsItsMean)
{
    // The same paths under the same sky, with a film that has room for a sun, though none shines.
    PackedVolume const volume = make_bare_cube(20, 0.1f);
    struct Case {
        float sky, sun;
    };
    for (Case const& range : {Case{1.0f, 1e5f}, Case{0.05f, 1e7f}, Case{0.2f, 1e9f}}) {
        LightImage light = make_sun(volume, range.sky, range.sky);
        FilmSummary const fine =
            summarize_film(render_scene(make_lit_scene(volume, light, kEdge), volume, {0, 256}, {}, 7, &light));
        light.largest = range.sun;
        Film const film = render_scene(make_lit_scene(volume, light, kEdge), volume, {0, 256}, {}, 7, &light);
        FilmSummary const coarse = summarize_film(film);
        double const unit = std::ldexp(1.0, -film.sum_log2());
        double const rounding = 0.5 * unit / std::sqrt(256.0 * kEdge * kEdge);
        EXPECT_NEAR(coarse.mean[0], fine.mean[0], 4.5 * rounding) << range.sun;
        EXPECT_LT(4.5 * rounding, 0.02 * fine.mean[0]) << "this must be able to see a bias";
        EXPECT_GE(coarse.standard_error[0], 0.999 * fine.standard_error[0]) << range.sun;
        EXPECT_EQ(coarse.dim_share > 0.1, fine.mean[0] < kDimUnits * unit) << range.sun;
        EXPECT_EQ(fine.dim_share, 0);
    }
}

TEST(LightRange, SkyThatIsSeenDirectlyHasNoErrorWhereItIsWholeUnits)
{
    PackedVolume const volume = make_bare_cube(0);
    LightImage light = make_sun(volume, 1.0f, 1.0f);
    light.largest = 1e5f;
    Film const film = render_scene(make_lit_scene(volume, light, 8), volume, {0, 7}, {}, 7, &light);
    FilmSummary const summary = summarize_film(film);
    EXPECT_EQ(summary.mean[0], 1.0);
    EXPECT_EQ(summary.standard_error[0], 0.0);
}

} // namespace
} // namespace volpt::test
