// Which bricks a render looks up, as a few paths tell.
#include "libvolpt/cpu/brick_accesses.h"
#include "tests/support/make_scene.h"

#include <gtest/gtest.h>

namespace volpt::test {
namespace {

constexpr std::uint32_t kFlights = 1 << 19;

/// 96 voxels along an edge, a mean free path of about two.
PackedVolume const& get_dense_block()
{
    static PackedVolume const volume = [] {
        VolumeMeta meta = density_meta({96, 96, 96}, Filter::trilinear, Encoding::u8);
        meta.density_value_scale = 1.0f / 255;
        meta.scale = 1.0f;
        meta.constant_one_minus_albedo = {0.1f};
        return make_volume(
            meta, {.density = [](int x, int y, int z) { return 0.4f + static_cast<float>((x + y + z) % 5) / 10; }});
    }();
    return volume;
}

std::uint64_t sum_all(std::vector<std::uint32_t> const& lookups)
{
    std::uint64_t sum = 0;
    for (std::uint32_t const count : lookups) sum += count;
    return sum;
}

BrickAccessCounts estimate(Scene const& scene, PackedVolume const& volume, int threads = 2)
{
    RenderScene const built(scene, volume, nullptr, 3);
    return estimate_brick_accesses(built.view(), threads, kFlights);
}

TEST(BrickAccessCounts, WhatLightReachesIsHotterThanTheFarSide)
{
    Scene scene = make_probe(get_dense_block()); // of the face +z
    BrickAccessCounts const heat = estimate(scene, get_dense_block());
    for (BrickLookups const* lookups : {&heat.fit, &heat.holdout}) {
        std::uint64_t layers[12] = {};
        for (std::size_t brick = 0; brick < 12 * 12 * 12; ++brick) layers[brick / 144] += lookups->flights[brick];
        EXPECT_GT(layers[11], 100 * (layers[0] + 1));
        for (int z = 9; z < 12; ++z) EXPECT_GT(layers[z], layers[z - 1]) << z;
    }
}

TEST(BrickAccessCounts, IsTheSameOnAnyNumberOfThreads)
{
    Scene const scene = make_scene(get_dense_block());
    BrickAccessCounts const one = estimate(scene, get_dense_block(), 1), three = estimate(scene, get_dense_block(), 3);
    EXPECT_EQ(one.fit.flights, three.fit.flights);
    EXPECT_EQ(one.fit.collisions, three.fit.collisions);
    EXPECT_EQ(one.holdout.flights, three.holdout.flights);
    EXPECT_EQ(one.holdout.collisions, three.holdout.collisions);
}

TEST(BrickAccessCounts, AnEighthOfThePathsJudgesWhatTheOthersChose)
{
    BrickAccessCounts const heat = estimate(make_scene(get_dense_block()), get_dense_block());
    double const holdout = static_cast<double>(sum_all(heat.holdout.flights)),
                 fit = static_cast<double>(sum_all(heat.fit.flights));
    EXPECT_GT(holdout, kFlights / 10.0);
    EXPECT_NEAR(holdout / fit, 1.0 / 7, 0.02);
    EXPECT_LT(sum_all(heat.fit.collisions), sum_all(heat.fit.flights));
}

TEST(BrickAccessCounts, EverySourceOfExtinctionAndAlbedoIsWalked)
{
    for_each_source_pair([](Source extinction, Source albedo) {
        PackedVolume const volume = make_mixed(extinction, albedo);
        BrickAccessCounts const heat = estimate(make_scene(volume), volume);
        bool const bare = extinction == Source::constant && albedo == Source::constant;
        EXPECT_EQ(sum_all(heat.fit.collisions) > 0, !bare);
    });
}

/// Paths are longer than there is time for: those that are walked must not be of one corner.
TEST(BrickAccessCounts, LongPathsAreStillOfTheWholePicture)
{
    VolumeMeta meta = density_meta({96, 96, 16}, Filter::nearest);
    meta.scale = 5.0f;
    PackedVolume const white =
        make_volume(meta, {.density = [](int x, int, int) { return 1.0f + static_cast<float>(x % 2); }});
    BrickAccessCounts const heat = estimate(make_probe(white), white);
    std::uint64_t quarters[4] = {};
    for (std::size_t brick = 0; brick < heat.fit.flights.size(); ++brick)
        quarters[brick / 12 % 12 / 6 * 2 + brick % 12 / 6] += heat.fit.flights[brick];
    auto const [least, most] = std::minmax_element(std::begin(quarters), std::end(quarters));
    EXPECT_GT(*least, *most / 2);
}

TEST(BrickAccessCounts, LightThatStaysForEverEnds)
{
    PackedVolume const white = make_volume(
        density_meta({96, 96, 96}), {.density = [](int x, int, int) { return 5.0f + static_cast<float>(x % 2); }});
    Scene scene = make_scene(white);
    scene.boundary = {BoundaryKind::smooth, 1.5, 1.0, 0};
    EXPECT_GT(sum_all(estimate(scene, white).fit.flights), kFlights / 2);
}

} // namespace
} // namespace volpt::test
