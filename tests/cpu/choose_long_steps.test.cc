// The rule of --long-steps auto: it foresees the flights that long steps save, from volume and scene alone.
#include "libvolpt/cpu/choose_long_steps.h"
#include "tests/support/make_scene.h"

#include <gtest/gtest.h>

namespace volpt::test {
namespace {

/// Of so many pixels that banks cost little beside the paths.
Scene make_large_scene(PackedVolume const& volume)
{
    return make_scene(volume, 4096, 3072);
}

double find_ratio(FlightCounts const& flights)
{
    return static_cast<double>(flights.plain) / static_cast<double>(flights.stepping);
}

TEST(ChooseLongSteps, DenseVolumesHaveThemThinOnesHaveNot)
{
    PackedVolume const dense = make_bare_cube(60), thin = make_bare_cube(6), empty = make_bare_cube(0);
    EXPECT_EQ(choose_long_steps(make_large_scene(dense), dense), LongSteps::spheres);
    EXPECT_EQ(choose_long_steps(make_large_scene(thin), thin), LongSteps::plain);
    EXPECT_EQ(choose_long_steps(make_large_scene(empty), empty), LongSteps::plain);
}

TEST(ChooseLongSteps, WhatVariesEverywhereHasNone)
{
    VolumeMeta const meta = density_meta({40, 40, 40});
    PackedVolume const volume = make_volume(
        meta, {.density = [](int x, int y, int z) { return 100.0f + static_cast<float>((x + y + z) % 3); }});
    EXPECT_EQ(count_flights(make_scene(volume), volume).plain, 0u) << "nothing was worth walking";
    EXPECT_EQ(choose_long_steps(make_large_scene(volume), volume), LongSteps::plain);
}

TEST(ChooseLongSteps, DepthsThatLightDoesNotReachDoNotCount)
{
    // Black all around a white core.
    VolumeMeta meta = density_meta({64, 64, 64}, Filter::nearest);
    meta.extinction = meta.albedo = meta.anisotropy = Source::material;
    std::vector<Material> const materials{{"white", {20}, {0.001f}, 0}, {"black", {20}, {0.9f}, 0}};
    auto const label = [](int x, int y, int z) { return std::min({x, y, z, 63 - x, 63 - y, 63 - z}) < 3 ? 1 : 0; };
    PackedVolume const volume = make_volume(meta, {.label = label}, materials);
    FlightCounts const flights = count_flights(make_scene(volume), volume);
    EXPECT_GT(flights.plain, 0u);
    EXPECT_EQ(choose_long_steps(make_large_scene(volume), volume), LongSteps::plain);
    PackedVolume const white = make_volume(meta, {.label = [](int, int, int) { return 0; }}, materials);
    EXPECT_EQ(choose_long_steps(make_large_scene(white), white), LongSteps::spheres);
}

TEST(ChooseLongSteps, AGlobalMajorantHasNone)
{
    VolumeMeta meta = density_meta({64, 64, 64}, Filter::nearest);
    meta.extinction = meta.albedo = meta.anisotropy = Source::material;
    PackedVolume const volume =
        make_volume(meta, {.label = [](int, int, int) { return 0; }}, {{"white", {20}, {0.001f}, 0}});
    Scene scene = make_large_scene(volume);
    EXPECT_EQ(choose_long_steps(scene, volume), LongSteps::spheres);
    scene.majorant = MajorantKind::global;
    EXPECT_EQ(choose_long_steps(scene, volume), LongSteps::plain);
}

TEST(ChooseLongSteps, LightAndWhatTheSceneSaysOfThemPlayNoPart)
{
    PackedVolume const volume = make_roomy(Source::plane, Source::plane);
    Scene scene = make_scene(volume);
    FlightCounts const expected = count_flights(scene, volume);
    scene.long_steps = LongSteps::spheres;
    scene.environment = {EnvironmentKind::image, {1.0f}, {}, Hash128{1, 2}, 2, 33};
    FlightCounts const flights = count_flights(scene, volume);
    EXPECT_GT(flights.plain, 0u);
    EXPECT_EQ(flights.plain, expected.plain);
    EXPECT_EQ(flights.stepping, expected.stepping);
}

TEST(ChooseLongSteps, FlightsSavedAreThoseThatRendersSave)
{
    PackedVolume const volume = make_bare_cube(40, 0.001f, 0.4f);
    Scene scene = make_scene(volume, 128, 96);
    scene.boundary = {BoundaryKind::smooth, 1.5, 1.0, 0};
    FlightCounts const flights = count_flights(scene, volume);
    double const foreseen = static_cast<double>(flights.plain - flights.stepping) / 2048;
    Film const plain = render_scene(scene, volume, {0, 4});
    scene.long_steps = LongSteps::spheres;
    Film const stepped = render_scene(scene, volume, {0, 4});
    double const saved =
        static_cast<double>(plain.statistics.tentative_collisions - stepped.statistics.tentative_collisions) /
        static_cast<double>(plain.statistics.paths);
    EXPECT_NEAR(foreseen / saved, 1, 0.1);
}

TEST(ChooseLongSteps, FilmsWhoseBanksWouldCostMoreThanTheirPathsHaveNone)
{
    PackedVolume const volume = make_bare_cube(60);
    auto const choose = [&](std::uint32_t edge) { return choose_long_steps(make_scene(volume, edge, edge), volume); };
    EXPECT_EQ(choose(1), LongSteps::plain);
    EXPECT_EQ(choose(16), LongSteps::plain);
    EXPECT_EQ(choose(2048), LongSteps::spheres);
    // Once on, it stays on for larger films.
    LongSteps last = LongSteps::plain;
    for (std::uint32_t edge = 1; edge <= 4096; edge *= 2) {
        LongSteps const now = choose(edge);
        EXPECT_FALSE(last == LongSteps::spheres && now == LongSteps::plain) << edge;
        last = now;
    }
    FlightCounts const flights = count_flights(make_scene(volume, 5, 3), volume);
    EXPECT_EQ(flights.bank_paths, 5u * 3 * 64);
    EXPECT_EQ(flights.bank_outcomes % (1u << 14), 0u);
    EXPECT_GT(flights.bank_outcomes, 0u);
}

TEST(ChooseLongSteps, SpheresPassSeams)
{
    auto const measure = [](float width) {
        VolumeMeta meta;
        meta.dims = {1, 1, 1};
        meta.pitch_mm = {width, width, 10};
        meta.scale = 10;
        meta.constant_one_minus_albedo = {0.001f};
        PackedVolume const volume = make_volume(meta);
        Scene scene = make_probe(volume);
        scene.boundary.sides = Sides::periodic;
        return find_ratio(count_flights(scene, volume));
    };
    double const wide = measure(400);
    EXPECT_GT(wide, 5);
    EXPECT_NEAR(measure(2) / wide, 1, 0.15);
}

} // namespace
} // namespace volpt::test
