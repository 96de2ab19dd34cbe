// Directions of environments: their densities are those that they are sampled with, and tables bound what particles
// weigh.
#include "tests/core/emitter_scene.h"
#include "tests/core/random_vectors.h"

#include <gtest/gtest.h>

namespace volpt::test {
namespace {

/// Some texels dark, whole rows too, one very bright.
std::vector<float> make_uneven_sky(std::uint32_t edge)
{
    RandomVectors random(225);
    std::vector<float> texels(2 * edge * edge);
    for (std::size_t i = 0; i < texels.size(); ++i) {
        float const value = random.uniform_float(0, 1);
        texels[i] = value < 0.3f ? 0.0f : value;
        if (i / edge > edge && i / edge < edge + 5) texels[i] = 0;
    }
    texels[edge * 3 + 2] = 40;
    return texels;
}

double integrate_sky(SceneView const& scene)
{
    RandomVectors random(226);
    RunningMean mean;
    for (int i = 0; i < 2000000; ++i)
        mean.add(static_cast<double>(read_light(scene.environment, 1, 0, random.direction())));
    return 4 * kPiDouble * mean.mean();
}

TEST(EnvironmentSampler, DensitiesIntegrateToOne)
{
    for (std::uint32_t const edge : {1u, 2u, 7u, 16u}) {
        EmitterScene lights;
        lights.set_environment_image(edge,
                                     edge < 3 ? std::vector<float>(2 * edge * edge, 0.5f) : make_uneven_sky(edge));
        SceneView const& scene = lights.finish();
        RandomVectors random(227);
        RunningMean mean;
        for (int i = 0; i < 400000; ++i)
            mean.add(4 * kPiDouble * static_cast<double>(evaluate_environment_density(scene, random.direction())));
        EXPECT_NEAR(mean.mean(), 1, 5 * mean.error()) << edge;
        EXPECT_LT(mean.error(), 0.02);
    }
}

TEST(EnvironmentSampler, SamplesHaveTheDensityOfTheirDirection)
{
    EmitterScene lights;
    lights.set_environment_image(16, make_uneven_sky(16));
    SceneView const& scene = lights.finish();
    Rng rng = seed_rng(22, 10, 0, 0);
    int different = 0;
    for (int i = 0; i < 100000; ++i) {
        std::uint32_t const row_bits = rng.draw();
        std::uint32_t const column_bits = rng.draw();
        EnvironmentDirection const from = sample_environment(scene, row_bits, column_bits);
        ASSERT_NEAR(length(from.direction), 1, 1e-6);
        float const density = evaluate_environment_density(scene, from.direction);
        different += std::abs(density - from.density) > 1e-4f * from.density;
    }
    EXPECT_LT(different, 20) << "but for rounding at texels' edges";
}

TEST(EnvironmentSampler, DirectionsFillTexelsAsDensitiesSay)
{
    // Shares of caps about fixed axes, by samples and by integrating the density.
    EmitterScene lights;
    lights.set_environment_image(8, make_uneven_sky(8));
    SceneView const& scene = lights.finish();
    RandomVectors random(228);
    for (int axis = 0; axis < 12; ++axis) {
        Vec3 const about = random.direction();
        RunningMean sampled, integrated;
        Rng rng = seed_rng(22, 11, static_cast<std::uint32_t>(axis), 0);
        for (int i = 0; i < 100000; ++i) {
            std::uint32_t const row_bits = rng.draw();
            std::uint32_t const column_bits = rng.draw();
            sampled.add(dot(sample_environment(scene, row_bits, column_bits).direction, about) > 0.8f);
            Vec3 const even = random.direction();
            bool const is_in_cap = dot(even, about) > 0.8f;
            integrated.add(is_in_cap ? 4 * kPiDouble * static_cast<double>(evaluate_environment_density(scene, even))
                                     : 0.0);
        }
        EXPECT_NEAR(sampled.mean(), integrated.mean(), 5 * (sampled.error() + integrated.error())) << axis;
    }
}

TEST(EnvironmentSampler, ConnectionsAndChanceEachFindTheWholeSky)
{
    EmitterScene lights;
    lights.set_environment_image(12, make_uneven_sky(12));
    SceneView const& scene = lights.finish();
    double const expected = integrate_sky(scene);
    RandomVectors random(229);
    Rng rng = seed_rng(22, 12, 0, 0);
    RunningMean alone, both;
    for (int i = 0; i < 400000; ++i) {
        LightSample<1> const sample = sample_light<1>(scene, {0, 0, 0}, 0, rng);
        alone.add(static_cast<double>(sample.value[0]));
        float light[1];
        read_distant_light(scene, random.direction(), 1.0f, 0, kEvenDensity, light);
        both.add(static_cast<double>(light[0] / kEvenDensity +
                                     sample.value[0] * weigh_balanced(sample.density, kEvenDensity)));
    }
    EXPECT_NEAR(alone.mean(), expected, 5 * alone.error() + 0.01 * expected);
    EXPECT_NEAR(both.mean(), expected, 5 * both.error() + 0.01 * expected);
    EXPECT_LT(alone.error(), 0.01 * expected);
    EXPECT_LT(both.error(), 0.01 * expected);
}

TEST(EnvironmentSampler, LightSeenDirectlyMayBeHidden)
{
    EmitterScene lights;
    lights.set_environment(3);
    float light[1];
    read_distant_light(lights.finish(), {0, 0, 1}, 0.0f, 0, 0.0f, light);
    EXPECT_EQ(light[0], 0.0f);
    read_distant_light(lights.finish(), {0, 0, 1}, 1.0f, 0, 0.0f, light);
    EXPECT_EQ(light[0], 3.0f);
    read_distant_light(lights.finish(), {0, 0, 1}, 1.0f, 0, kEvenDensity, light);
    EXPECT_NEAR(light[0], 1.5f, 1e-6f);
}

TEST(EnvironmentSampler, ParticlesWeighNoMoreThanOneAndCarryThePower)
{
    for (std::uint32_t const edge : {1u, 3u, 8u, 33u}) {
        EmitterScene lights;
        lights.set_environment_image(edge,
                                     edge < 3 ? std::vector<float>(2 * edge * edge, 0.5f) : make_uneven_sky(edge));
        SceneView const& scene = lights.finish();
        RunningMean weights;
        Rng rng = seed_rng(22, 13, 0, 0);
        for (int i = 0; i < 200000; ++i) {
            ParticleStart<1> const start = sample_particle<1>(scene, 0, rng);
            ASSERT_LE(start.weight[0], 1.0f + 1e-5f);
            ASSERT_GE(start.weight[0], 0.0f);
            weights.add(static_cast<double>(start.weight[0]));
        }
        double const scale = static_cast<double>(scene.lights.reference_power_w);
        double const expected = kPiDouble * kSceneRadius_mm * kSceneRadius_mm * integrate_sky(scene);
        EXPECT_NEAR(scale * weights.mean(), expected, 5 * scale * weights.error() + 0.01 * expected) << edge;
    }
}

} // namespace
} // namespace volpt::test
