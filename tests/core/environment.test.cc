// Light from outside: the hemisphere squares, lookups, and the end of a path.
#include "libvolpt/core/environment.hd.h"
#include "tests/core/random_vectors.h"

#include <gtest/gtest.h>

#include <vector>

namespace volpt::test {
namespace {

TEST(Environment, HemisphereMapAndItsInverseAreInverse)
{
    RandomVectors random(11);
    for (int i = 0; i < 100000; ++i) {
        Vec3 const d = random.direction();
        Vec3 const back = from_hemisphere(to_hemisphere(d));
        ASSERT_NEAR(back.x, d.x, 2e-6);
        ASSERT_NEAR(back.y, d.y, 2e-6);
        ASSERT_NEAR(back.z, d.z, 2e-6);
    }
    for (std::uint32_t hemisphere = 0; hemisphere < 2; ++hemisphere)
        for (int i = 1; i < 64; ++i)
            for (int k = 1; k < 64; ++k) {
                HemisphereCoord const c{hemisphere, static_cast<float>(i) / 64, static_cast<float>(k) / 64};
                HemisphereCoord const back = to_hemisphere(from_hemisphere(c));
                ASSERT_EQ(back.hemisphere, hemisphere);
                ASSERT_NEAR(back.u, c.u, 1e-6);
                ASSERT_NEAR(back.v, c.v, 1e-6);
            }
}

TEST(Environment, PolesAreCentresAndTheHorizonIsTheEdge)
{
    HemisphereCoord const up = to_hemisphere({0, 0, 1});
    EXPECT_EQ(up.hemisphere, 0u);
    EXPECT_EQ(up.u, 0.5f);
    EXPECT_EQ(up.v, 0.5f);
    EXPECT_EQ(to_hemisphere({0, 0, -1}).hemisphere, 1u);
    for (int i = 0; i < 360; ++i) {
        exact::SinCos const turn = exact::sincos_turns(static_cast<std::uint32_t>(i) * 11930465u);
        HemisphereCoord const c = to_hemisphere({turn.cosine, turn.sine, 0});
        float const to_edge = exact::min(exact::min(c.u, 1 - c.u), exact::min(c.v, 1 - c.v));
        ASSERT_NEAR(to_edge, 0, 1e-6);
    }
}

/// A light with an image of `edge` texels; values[hemisphere][row][column][band].
struct ImageLight {
    std::vector<float> texels;
    EnvironmentView view;

    ImageLight(std::uint32_t edge, std::uint32_t bands, std::vector<float> values) : texels(std::move(values))
    {
        view.kind = LightKindView::image;
        view.edge = edge;
        view.texels = texels.data();
        for (std::uint32_t b = 0; b < bands; ++b) view.above[b] = 1;
        view.row[0] = {1, 0, 0};
        view.row[1] = {0, 1, 0};
        view.row[2] = {0, 0, 1};
    }
};

TEST(Environment, AConstantImageIsThatConstantToTheBit)
{
    RandomVectors random(12);
    for (float const value : {0.1f, 1.0f, 3.3f, 12345.678f}) {
        ImageLight const light(9, 2, std::vector<float>(2 * 9 * 9 * 2, value));
        for (int i = 0; i < 20000; ++i) ASSERT_EQ(read_light(light.view, 2, i % 2, random.direction()), value);
    }
}

TEST(Environment, HemispheresOfAnImageNeverMix)
{
    std::vector<float> texels(2 * 8 * 8, 0.0f);
    std::fill(texels.begin(), texels.begin() + 64, 1.0f);
    ImageLight const light(8, 1, texels);
    RandomVectors random(13);
    for (int i = 0; i < 100000; ++i) {
        Vec3 d = random.direction();
        if (i % 2 == 0) d = normalize({d.x, d.y, d.z * 1e-6f});
        ASSERT_EQ(read_light(light.view, 1, 0, d), d.z >= 0 ? 1.0f : 0.0f) << d.z;
    }
    EXPECT_EQ(read_light(light.view, 1, 0, {1, 0, 0}), 1.0f);
}

TEST(Environment, LookupsAreBilinearBetweenTexelCentres)
{
    std::vector<float> texels(2 * 4 * 4);
    for (std::size_t i = 0; i < texels.size(); ++i) texels[i] = static_cast<float>(i * i % 23);
    ImageLight const light(4, 1, texels);
    RandomVectors random(14);
    for (int i = 0; i < 20000; ++i) {
        HemisphereCoord const c{static_cast<std::uint32_t>(i % 2), random.uniform_float(0, 1),
                                random.uniform_float(0, 1)};
        double const x = std::clamp(static_cast<double>(c.u) * 4 - 0.5, 0.0, 3.0);
        double const y = std::clamp(static_cast<double>(c.v) * 4 - 0.5, 0.0, 3.0);
        double expected = 0;
        for (int row = 0; row < 4; ++row)
            for (int column = 0; column < 4; ++column)
                expected +=
                    std::max(0.0, 1 - std::abs(x - column)) * std::max(0.0, 1 - std::abs(y - row)) *
                    static_cast<double>(texels[c.hemisphere * 16u + static_cast<std::size_t>(row * 4 + column)]);
        ASSERT_NEAR(read_light_image(light.view, 1, 0, c), expected, 1e-4);
    }
}

TEST(Environment, NoLookupExceedsTheBrightestTexel)
{
    RandomVectors random(15);
    std::vector<float> texels(2 * 5 * 5);
    for (float& texel : texels) texel = random.uniform_float(0, 1) < 0.5f ? 0.1f : 0.7f;
    ImageLight const light(5, 1, texels);
    for (int i = 0; i < 200000; ++i) {
        float const value = read_light(light.view, 1, 0, random.direction());
        ASSERT_LE(value, 0.7f);
        ASSERT_GE(value, 0.0f);
    }
}

TEST(Environment, HemispheresSplitAtTheLightsOwnHorizon)
{
    EnvironmentView light;
    light.kind = LightKindView::hemispheres;
    light.above[0] = 2;
    light.below[0] = 0.25f;
    light.row[0] = {0, 1, 0};
    light.row[1] = {0, 0, 1};
    light.row[2] = {1, 0, 0}; // up is +x
    EXPECT_EQ(read_light(light, 1, 0, {1, 0, 0}), 2.0f);
    EXPECT_EQ(read_light(light, 1, 0, normalize({0.01f, 1, -1})), 2.0f);
    EXPECT_EQ(read_light(light, 1, 0, normalize({-0.01f, 1, 1})), 0.25f);
}

TEST(Environment, EscapingTurnsThroughputIntoRadianceAndEndsThePath)
{
    SceneView scene;
    scene.bands = 3;
    scene.environment.above[0] = 1;
    scene.environment.above[1] = 2;
    scene.environment.above[2] = 0;
    PathState<3> all{};
    all.throughput[0] = all.throughput[1] = all.throughput[2] = 0.5f;
    escape(scene, all);
    EXPECT_EQ(all.throughput[0], 0.5f);
    EXPECT_EQ(all.throughput[1], 1.0f);
    EXPECT_EQ(all.throughput[2], 0.0f);
    EXPECT_EQ(all.stage, Stage::ended);
    PathState<1> one{};
    one.throughput[0] = 0.5f;
    one.band = 1;
    escape(scene, one);
    EXPECT_EQ(one.throughput[0], 1.0f) << "a one-band path meets the light of its band";
}

} // namespace
} // namespace volpt::test
