// A real collision: absorption, roulette, new direction, and the draws that they take.
#include "libvolpt/core/scatter.hd.h"

#include "libvolpt/core/fixed_point.hd.h"
#include "tests/core/random_vectors.h"

#include <gtest/gtest.h>

#include <vector>

namespace volpt::test {
namespace {

template <int bands>
PathState<bands> make_path(std::uint32_t sample = 0)
{
    PathState<bands> path{};
    path.direction = {0, 0, 1};
    for (float& w : path.throughput) w = 1;
    path.rng = seed_rng(41, 0, sample, 0);
    path.stage = Stage::inside;
    return path;
}

TEST(Scatter, AWhiteMediumLeavesTheThroughputAloneToTheBit)
{
    RandomVectors random(16);
    MediumView medium;
    for (int i = 0; i < 1000; ++i) {
        PathState<3> path = make_path<3>();
        for (float& w : path.throughput) w = random.uniform_float(0, 1);
        PathState<3> const before = path;
        absorb<Source::constant>(medium, {}, path);
        for (int b = 0; b < 3; ++b) EXPECT_EQ(path.throughput[b], before.throughput[b]);
    }
}

TEST(Scatter, AbsorptionMultipliesByAlbedoWithOneRounding)
{
    MediumView medium;
    RandomVectors random(17);
    for (int i = 0; i < 10000; ++i) {
        medium.band[0].constant_one_minus_albedo = random.uniform_float(0, 1) * (i % 2 == 0 ? 1.0f : 1e-3f);
        PathState<1> path = make_path<1>();
        path.throughput[0] = random.uniform_float(0, 1);
        double const w = static_cast<double>(path.throughput[0]);
        double const exact = w - w * static_cast<double>(medium.band[0].constant_one_minus_albedo);
        absorb<Source::constant>(medium, {}, path);
        ASSERT_EQ(path.throughput[0], static_cast<float>(exact));
    }
    medium.band[0].constant_one_minus_albedo = 1;
    PathState<1> black = make_path<1>();
    absorb<Source::constant>(medium, {}, black);
    EXPECT_EQ(black.throughput[0], 0.0f);
}

TEST(Scatter, EachBandMeetsItsOwnAlbedo)
{
    MediumView medium;
    medium.band[0].constant_one_minus_albedo = 0.5f;
    medium.band[1].constant_one_minus_albedo = 0.25f;
    medium.band[2].constant_one_minus_albedo = 1;
    PathState<3> all = make_path<3>();
    absorb<Source::constant>(medium, {}, all);
    EXPECT_EQ(all.throughput[0], 0.5f);
    EXPECT_EQ(all.throughput[1], 0.75f);
    EXPECT_EQ(all.throughput[2], 0.0f);
    PathState<1> one = make_path<1>();
    one.band = 1;
    absorb<Source::constant>(medium, {}, one);
    EXPECT_EQ(one.throughput[0], 0.75f);
}

/// One brick of labels: 5 where z is 0, else 9.
struct LabelledMedium {
    std::vector<std::uint32_t> table{0, 0};
    std::vector<std::uint32_t> words = std::vector<std::uint32_t>(128);
    std::vector<float> losses = std::vector<float>(2 * kMaxMaterials);
    std::vector<float> anisotropies = std::vector<float>(kMaxMaterials);
    MediumView medium;

    LabelledMedium()
    {
        for (std::uint32_t m = 0; m < 512; ++m) {
            bool const first_layer = (m & 0b100100100u) == 0;
            words[m / 4] |= (first_layer ? 5u : 9u) << (8 * (m % 4));
        }
        losses[5] = 0.25f;
        losses[9] = 0.5f;
        losses[kMaxMaterials + 5] = 0.75f;
        losses[kMaxMaterials + 9] = 1;
        anisotropies[5] = 0.9f;
        medium.brick_counts[0] = medium.brick_counts[1] = medium.brick_counts[2] = 1;
        medium.label = make_plane_reader({table.data(), words.data(), 1, Encoding::u8, 1, 1, 2});
        medium.material_one_minus_albedo = losses.data();
        medium.material_g = anisotropies.data();
        medium.albedo = Source::material;
        medium.scattering = Scattering::material_g;
    }
};

TEST(Scatter, MaterialsGiveAlbedoByLabelAndBand)
{
    LabelledMedium const labelled;
    for (int z = 0; z < 2; ++z)
        for (std::uint32_t band = 0; band < 2; ++band) {
            PathState<1> path = make_path<1>();
            path.band = band;
            absorb<Source::material>(labelled.medium, make_voxel_ref(labelled.medium, 3, 4, z), path);
            float const expected[2][2] = {{0.75f, 0.25f}, {0.5f, 0.0f}};
            EXPECT_EQ(path.throughput[0], expected[z][band]);
        }
}

TEST(Scatter, MaterialsGiveAnisotropyByLabel)
{
    LabelledMedium const labelled;
    for (int z = 0; z < 2; ++z) {
        double sum = 0;
        constexpr std::uint32_t kPaths = 100000;
        for (std::uint32_t i = 0; i < kPaths; ++i) {
            PathState<1> path = make_path<1>(i);
            sample_scattering<Scattering::material_g>(labelled.medium, make_voxel_ref(labelled.medium, 3, 4, z), path);
            sum += static_cast<double>(path.direction.z);
        }
        EXPECT_NEAR(sum / kPaths, z == 0 ? 0.9 : 0.0, 4 / std::sqrt(3.0 * kPaths));
    }
}

TEST(Scatter, RouletteIsUnbiasedAndNeverLiftsAWeightAboveItsBound)
{
    constexpr std::uint32_t kPaths = 200000;
    for (float const w_min : {0.5f, 0.1f, 1.0f})
        for (float const share : {0.02f, 0.3f, 0.97f}) {
            double sum[3] = {0, 0, 0};
            std::uint32_t survivors = 0;
            float const before[3] = {share * w_min, 0.5f * share * w_min, 0};
            for (std::uint32_t i = 0; i < kPaths; ++i) {
                PathState<3> path = make_path<3>(i);
                std::copy(std::begin(before), std::end(before), path.throughput);
                std::uint32_t const drawn = path.rng.counter;
                play_roulette(make_roulette(w_min), path);
                ASSERT_EQ(path.rng.counter - drawn, 1u);
                ASSERT_LE(largest_throughput(path), std::nextafter(w_min, 2.0f));
                ASSERT_EQ(path.stage == Stage::ended, largest_throughput(path) == 0.0f);
                if (path.stage != Stage::ended) ++survivors;
                for (int b = 0; b < 3; ++b) sum[b] += static_cast<double>(path.throughput[b]);
            }
            double const p = static_cast<double>(share);
            EXPECT_NEAR(static_cast<double>(survivors) / kPaths, p, 4 * std::sqrt(p * (1 - p) / kPaths));
            double const standard_error = static_cast<double>(w_min) * std::sqrt(p * (1 - p) / kPaths);
            for (int b = 0; b < 3; ++b)
                EXPECT_NEAR(sum[b] / kPaths, static_cast<double>(before[b]), 4 * standard_error);
        }
}

TEST(Scatter, RouletteKeepsTheRatioOfTheBands)
{
    for (std::uint32_t i = 0; i < 1000; ++i) {
        PathState<3> path = make_path<3>(i);
        path.throughput[0] = 0.1f;
        path.throughput[1] = 0.05f;
        path.throughput[2] = 0.025f;
        play_roulette(make_roulette(0.5f), path);
        if (path.stage == Stage::ended) continue;
        EXPECT_NEAR(path.throughput[0], 0.5f, 1e-7);
        EXPECT_NEAR(path.throughput[1], 0.25f, 1e-7);
        EXPECT_NEAR(path.throughput[2], 0.125f, 1e-7);
    }
}

TEST(Scatter, RouletteDoesNotPlayFromItsBoundUpwards)
{
    for (float const w : {0.5f, 0.51f, 1.0f}) {
        PathState<1> path = make_path<1>();
        path.throughput[0] = w;
        std::uint32_t const drawn = path.rng.counter;
        play_roulette(make_roulette(0.5f), path);
        EXPECT_EQ(path.throughput[0], w);
        EXPECT_EQ(path.rng.counter, drawn);
        EXPECT_EQ(path.stage, Stage::inside);
    }
    PathState<1> faint = make_path<1>();
    faint.throughput[0] = 1e-9f;
    play_roulette(make_roulette(0.0f), faint);
    EXPECT_EQ(faint.stage, Stage::inside) << "roulette is off";
}

TEST(Scatter, WhatTheFilmCannotSeeEndsThePathWithoutADraw)
{
    for (float const w : {0.0f, kInvisibleThroughput})
        for (float const w_min : {0.0f, 0.5f}) {
            PathState<1> path = make_path<1>();
            path.throughput[0] = w;
            std::uint32_t const drawn = path.rng.counter;
            play_roulette(make_roulette(w_min), path);
            EXPECT_EQ(path.stage, Stage::ended);
            EXPECT_EQ(path.rng.counter, drawn);
            EXPECT_EQ(path.throughput[0], 0.0f);
        }
    EXPECT_LE(kInvisibleThroughput * 0x1p31f, 0.25f) << "the film would miss it";
}

TEST(Scatter, ACollisionDrawsTwoNumbersAndOneMoreForRoulette)
{
    SceneView scene;
    scene.roulette = make_roulette(0.5f);
    for (float const g : {0.0f, 0.5f})
        for (float const loss : {0.2f, 0.8f, 1.0f}) {
            scene.medium.g = g;
            scene.medium.scattering = g == 0 ? Scattering::isotropic : Scattering::constant_g;
            scene.medium.band[0].constant_one_minus_albedo = loss;
            PathState<1> path = make_path<1>();
            std::uint32_t const drawn = path.rng.counter;
            scatter<Medium<1, Extinction::bare, MajorantGrid::global>>(scene, {}, path);
            EXPECT_EQ(path.rng.counter - drawn, loss == 0.8f ? 3u : 2u);
            EXPECT_NEAR(length(path.direction), 1, 5e-7);
        }
}

} // namespace
} // namespace volpt::test
