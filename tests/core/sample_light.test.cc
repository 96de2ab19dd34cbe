// Connections to emitters: what arrives from each kind is what its definition gives, and densities are those that
// directions are sampled with.
#include "tests/core/emitter_scene.h"
#include "tests/core/random_vectors.h"

#include <gtest/gtest.h>

namespace volpt::test {
namespace {

/// Of `evaluate(sample)`, over samples of the light at a point.
template <class Evaluate>
RunningMean average_light(SceneView const& scene, Vec3 point, int count, Evaluate&& evaluate)
{
    RunningMean mean;
    Rng rng = seed_rng(22, 1, 0, 0);
    for (int i = 0; i < count; ++i) mean.add(evaluate(sample_light<1>(scene, point, 0, rng)));
    return mean;
}

/// What arrives at a point of a surface.
RunningMean average_irradiance(SceneView const& scene, Vec3 point, Vec3 normal, int count = 400000)
{
    return average_light(scene, point, count, [&](LightSample<1> const& sample) {
        return static_cast<double>(sample.value[0] * std::max(0.0f, dot(sample.direction, normal)));
    });
}

TEST(EmitterTables, EntriesAreChosenByTheirProbabilitiesAlone)
{
    float const cdf[] = {0.0f, 0x1p-30f, 0.25f, 0.25f, 0.5f, 1.0f, 1.0f};
    auto const choose = [&](std::uint32_t bits) { return choose_entry(cdf, 7, bits); };
    EXPECT_EQ(choose(0), 1u) << "never one without probability";
    EXPECT_EQ(choose(3), 1u);
    EXPECT_EQ(choose(4), 2u);
    EXPECT_EQ(choose((1u << 30) - 1), 2u);
    EXPECT_EQ(choose(1u << 30), 4u);
    EXPECT_EQ(choose((1u << 31) - 1), 4u);
    EXPECT_EQ(choose(1u << 31), 5u);
    EXPECT_EQ(choose(0xffffffffu), 5u);
    EXPECT_EQ(choose_entry(cdf, 5, 1u << 31), 5u) << "above the last";
}

TEST(EmitterTables, PlacesInEntriesAreEven)
{
    float const cdf[] = {0x1p-32f, 0.25f, 0.75f, 1.0f};
    EXPECT_EQ(find_place_in_entry(cdf, 0, 0), 0.0f);
    EXPECT_EQ(find_place_in_entry(cdf, 2, 1u << 30), 0.0f);
    EXPECT_EQ(find_place_in_entry(cdf, 2, 1u << 31), 0.5f);
    EXPECT_EQ(find_place_in_entry(cdf, 3, 7u << 29), 0.5f);
    EXPECT_LT(find_place_in_entry(cdf, 2, (3u << 30) - 1), 1.0f);
    EXPECT_LT(find_place_in_entry(cdf, 3, 0xffffffffu), 1.0f);
}

TEST(EmitterTables, LargeMeshesLoseNoTriangle)
{
    // A float of the bits would leave few values to each triangle.
    std::uint32_t const count = 1u << 22;
    std::vector<float> cdf(count);
    for (std::uint32_t i = 0; i < count; ++i) cdf[i] = static_cast<float>(i + 1) / static_cast<float>(count);
    Rng rng = seed_rng(22, 14, 0, 0);
    for (int i = 0; i < 100000; ++i) {
        std::uint32_t const bits = rng.draw();
        ASSERT_EQ(choose_entry(cdf.data(), count, bits), bits >> 10);
    }
}

TEST(SampleLight, APointGivesItsIntensityOverTheSquaredDistance)
{
    EmitterScene lights(3);
    lights.add(make_point({1, 2, 3}), {2, 0.5, 0}, {8 * kPiDouble, 2 * kPiDouble, 0});
    SceneView const& scene = lights.finish();
    RandomVectors random(221);
    Rng rng = seed_rng(22, 2, 0, 0);
    for (int i = 0; i < 1000; ++i) {
        Vec3 const at = 7.0f * random.direction();
        LightSample<3> const sample = sample_light<3>(scene, at, 0, rng);
        Vec3 const to = Vec3{1, 2, 3} - at;
        double const d = length(to);
        ASSERT_NEAR(static_cast<double>(sample.value[0]), 2 / (d * d), 1e-6 * 2 / (d * d));
        ASSERT_EQ(sample.value[1], 0.25f * sample.value[0]);
        ASSERT_EQ(sample.value[2], 0.0f);
        ASSERT_EQ(sample.density, 0.0f);
        ASSERT_NEAR(static_cast<double>(sample.distance_mm), d, 1e-6 * d);
        ASSERT_NEAR(dot_double(sample.direction, to), d, 1e-6 * d);
        ASSERT_EQ(sample_light<1>(scene, at, 1, rng).value[0], sample.value[1]) << "a path of one band has its own";
    }
    EXPECT_EQ(sample_light<1>(scene, {1, 2, 3}, 0, rng).value[0], 0.0f) << "at the point itself";
}

TEST(SampleLight, ASpotFadesFromItsInnerConeToItsEdge)
{
    EmitterScene lights;
    lights.add(make_spot({0, 0, 2}, {0, 0, -1}, 0.5f, 0.1f), {3}, {1});
    SceneView const& scene = lights.finish();
    Rng rng = seed_rng(22, 3, 0, 0);
    float last = 3;
    for (int i = 0; i < 100; ++i) {
        float const c = 0.01f * static_cast<float>(i);
        Vec3 const away = turn_from_axis({0, 0, -1}, c, 1234567u * static_cast<std::uint32_t>(i));
        float const value = sample_light<1>(scene, Vec3{0, 0, 2} + 2.0f * away, 0, rng).value[0] * 4;
        if (c < 0.0999f) {
            EXPECT_NEAR(value, 3, 1e-5);
        }
        if (c > 0.5001f) {
            EXPECT_EQ(value, 0);
        }
        EXPECT_LE(value, last + 1e-5f);
        last = value;
    }
    Vec3 const half = turn_from_axis({0, 0, -1}, 0.3f, 0);
    EXPECT_NEAR(sample_light<1>(scene, Vec3{0, 0, 2} + half, 0, rng).value[0], 1.5, 1e-5);
}

TEST(SampleLight, ADiskOnItsAxisGivesTheFormFactor)
{
    for (double const distance : {0.5, 1.0, 4.0}) {
        EmitterScene lights;
        lights.add_triangles(make_disc({0, 0, 0}, 1), 2);
        SceneView const& scene = lights.finish();
        RunningMean const irradiance = average_irradiance(scene, {0, 0, static_cast<float>(distance)}, {0, 0, -1});
        double const expected = kPiDouble * 2 / (1 + distance * distance);
        EXPECT_NEAR(irradiance.mean(), expected, 5 * irradiance.error() + 3e-4 * expected) << distance;
        EXPECT_LT(irradiance.error(), 2e-3 * expected);
        EXPECT_EQ(average_irradiance(scene, {0, 0, -static_cast<float>(distance)}, {0, 0, 1}, 100).mean(), 0)
            << "dark from behind";
    }
}

TEST(SampleLight, ARectangleGivesItsQuadrature)
{
    Vec3 const centre{0.5f, -0.25f, 2}, u{1, 0.5f, 0}, v{0.4f, -0.8f, 0.3f}, normal = normalize({0.2f, 0.1f, 1});
    EmitterScene lights;
    lights.add_triangles(make_rectangle(centre, u, v), 1.5);
    RunningMean const irradiance = average_irradiance(lights.finish(), {0, 0, 0}, normal);
    double expected = 0;
    int const n = 400;
    Vec3 const front = cross(u, v); // a quarter of the area long
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k) {
            float const s = (2.0f * static_cast<float>(i) + 1) / n - 1, t = (2.0f * static_cast<float>(k) + 1) / n - 1;
            Vec3 const at = centre + s * u + t * v;
            double const d2 = dot_double(at, at);
            expected += 1.5 * 4 * std::max(0.0, dot_double(at, normal)) * std::max(0.0, -dot_double(at, front)) /
                        (d2 * d2) / (n * n);
        }
    EXPECT_GT(expected, 0.1);
    EXPECT_NEAR(irradiance.mean(), expected, 5 * irradiance.error() + 1e-4 * expected);
}

TEST(SampleLight, ASphereIsSampledWithinItsSolidAngleAlone)
{
    RandomVectors random(222);
    for (double const distance : {1.0001, 1.5, 3.0, 1000.0}) {
        EmitterScene lights;
        lights.add_sphere({0, 0, 0}, 1, 3);
        SceneView const& scene = lights.finish();
        Rng rng = seed_rng(22, 4, 0, 0);
        double const sine2 = 1 / (distance * distance);
        double const solid_angle = 2 * kPiDouble * sine2 / (1 + std::sqrt(1 - sine2));
        for (int i = 0; i < 2000; ++i) {
            Vec3 const at = static_cast<float>(distance) * random.direction();
            LightSample<1> const sample = sample_light<1>(scene, at, 0, rng);
            ASSERT_NEAR(static_cast<double>(sample.value[0]), 3 * solid_angle, 1e-3 * solid_angle);
            ASSERT_NEAR(static_cast<double>(sample.density * sample.value[0]), 3, 1e-5);
            ASSERT_NEAR(length(move_along(at, sample.distance_mm, sample.direction)), 1, 1e-6 * distance + 1e-5);
            ASSERT_LT(dot_double(sample.direction, at), 0) << "the near side";
        }
        Vec3 const at{0, 0, static_cast<float>(distance)};
        RunningMean const irradiance = average_irradiance(scene, at, {0, 0, -1}, 100000);
        EXPECT_NEAR(irradiance.mean(), 3 * kPiDouble * sine2, 5 * irradiance.error() + 1e-3 * sine2);
        EXPECT_EQ(sample_light<1>(scene, {0.5f, 0.1f, 0.2f}, 0, rng).value[0], 0.0f) << "inside";
    }
}

TEST(SampleLight, ASunGivesItsIrradianceEverywhere)
{
    Vec3 const down = normalize({0.1f, 0.2f, -1});
    EmitterScene parallel;
    parallel.add(make_sun(down, 0), {0.7}, {1});
    Rng rng = seed_rng(22, 5, 0, 0);
    LightSample<1> const sample = sample_light<1>(parallel.finish(), {1, 2, 3}, 0, rng);
    EXPECT_EQ(sample.value[0], 0.7f);
    EXPECT_EQ(sample.density, 0.0f);
    EXPECT_EQ(sample.distance_mm, kInfinitelyFar_mm);
    EXPECT_EQ(sample.direction.z, -down.z);
    for (float const cone : {1.1e-5f, 0.1f}) {
        EmitterScene wide;
        wide.add(make_sun(down, cone), {5}, {1});
        SceneView const& scene = wide.finish();
        RunningMean const irradiance = average_irradiance(scene, {1, 2, 3}, -down, 20000);
        double const c = static_cast<double>(cone);
        EXPECT_NEAR(irradiance.mean(), 5 * kPiDouble * c * (2 - c), 1e-5 + 5 * irradiance.error());
        int found = 0;
        for (int i = 0; i < 1000; ++i) {
            float radiance[1];
            LightSample<1> const towards = sample_light<1>(scene, {0, 0, 0}, 0, rng);
            read_distant_light(scene, towards.direction, 1.0f, 0, towards.density, radiance);
            found += radiance[0] != 0;
            if (radiance[0] != 0) {
                ASSERT_NEAR(radiance[0], 2.5f, 1e-5f) << "equal densities share equally";
            }
        }
        EXPECT_GT(found, 990) << "but for rounding at the edge";
        float radiance[1];
        read_distant_light(scene, turn_from_axis(-down, 1.01f * cone, 7u << 28), 1.0f, 0, 0.0f, radiance);
        EXPECT_EQ(radiance[0], 0.0f) << "beside it";
        read_distant_light(scene, -down, 1.0f, 0, 0.0f, radiance);
        EXPECT_EQ(radiance[0], 5.0f) << "seen directly";
    }
}

TEST(SampleLight, BeamsCarryTheirPowerAndBeginAtTheirOrigin)
{
    Vec3 const down = normalize({0.3f, -0.2f, -1}), origin{0, 0, 4};
    Frame const frame = make_frame(down);
    for (BeamProfile const profile : {BeamProfile::disc, BeamProfile::gaussian}) {
        EmitterScene lights;
        lights.add(make_beam(profile, origin, down, 0.5f), {3}, {3});
        SceneView const& scene = lights.finish();
        Rng rng = seed_rng(22, 6, 0, 0);
        double power = 0;
        double const step = 0.01;
        for (int i = -200; i < 200; ++i)
            for (int k = -200; k < 200; ++k) {
                float const s = static_cast<float>((i + 0.5) * step), t = static_cast<float>((k + 0.5) * step);
                Vec3 const at = origin + 2.0f * down + s * frame.tangent + t * frame.bitangent;
                LightSample<1> const sample = sample_light<1>(scene, at, 0, rng);
                power += static_cast<double>(sample.value[0]) * step * step;
                if (sample.value[0] > 0) {
                    ASSERT_NEAR(sample.distance_mm, 2, 1e-5);
                }
            }
        EXPECT_NEAR(power, 3, profile == BeamProfile::disc ? 5e-3 : 1e-5);
        EXPECT_EQ(sample_light<1>(scene, origin - down, 0, rng).value[0], 0.0f) << "behind its origin";
        EXPECT_EQ(sample_light<1>(scene, origin + down, 0, rng).density, 0.0f);
    }
    for (BeamProfile const profile : {BeamProfile::pencil, BeamProfile::slit}) {
        EmitterScene lights;
        lights.add(make_beam(profile, origin, down, 0), {3}, {3});
        EXPECT_EQ(average_irradiance(lights.finish(), origin + down, -down, 100).mean(), 0) << "of no width";
    }
}

TEST(SampleLight, ChoicesAreDividedOut)
{
    EmitterScene lights;
    lights.add_triangles(make_rectangle({0, 0, 2}, {1, 0, 0}, {0, -1, 0}), 1);
    lights.add(make_point({1, 1, 1}), {2}, {1});
    lights.add_sphere({-2, 1, 1}, 0.5f, 4);
    lights.add(make_sun({0, 0, -1}, 0), {0.25}, {3});
    lights.set_environment(0.02);
    SceneView const& scene = lights.finish();
    EmitterScene area;
    area.add_triangles(make_rectangle({0, 0, 2}, {1, 0, 0}, {0, -1, 0}), 1);
    Vec3 const up{0, 0, 1};
    RunningMean const of_area = average_irradiance(area.finish(), {0, 0, 0}, up);
    double const expected =
        of_area.mean() + 2 / (3 * std::sqrt(3.0)) + 4 * kPiDouble * 0.25 / 6 / std::sqrt(6.0) + 0.25 + 0.02 * kPiDouble;
    RunningMean const irradiance = average_irradiance(scene, {0, 0, 0}, up, 1000000);
    EXPECT_NEAR(irradiance.mean(), expected, 5 * (irradiance.error() + of_area.error()));
    EXPECT_LT(irradiance.error(), 0.01 * expected);
}

TEST(SampleLight, AnEmptySceneGivesNothing)
{
    SceneView const scene;
    Rng rng = seed_rng(22, 7, 0, 0);
    LightSample<3> const sample = sample_light<3>(scene, {0, 0, 0}, 0, rng);
    EXPECT_EQ(sample.value[0] + sample.value[1] + sample.value[2] + sample.density, 0.0f);
}

/// Light of a hit of `sample` by chance, with the density of the sample: half of it, if densities agree.
float read_same(SceneView const& scene, std::uint32_t primitive, Vec3 from, Vec3 front, LightSample<1> const& sample)
{
    Vec3 const at = move_along(from, sample.distance_mm, sample.direction);
    float radiance[1];
    read_emitter(scene, {primitive, from, at, sample.direction, front}, 0, sample.density, radiance);
    return radiance[0];
}

TEST(SampleLight, HitsByChanceHaveTheDensityOfSamples)
{
    EmitterScene triangles, sphere;
    triangles.add_triangles(make_rectangle({0, 0, 2}, {1, 0, 0}, {0, -1, 0}), 4);
    triangles.add(make_point({1, 1, 1}), {0}, {10}); // chosen, but dark
    sphere.add_sphere({0, 0, 2}, 0.5f, 4);
    sphere.add(make_point({1, 1, 1}), {0}, {10});
    SceneView const& flat = triangles.finish();
    SceneView const& round = sphere.finish();
    Rng rng = seed_rng(22, 8, 0, 0);
    int seen = 0;
    for (int i = 0; i < 2000; ++i) {
        Vec3 const from{0.3f, 0.2f, 0.1f};
        LightSample<1> const to_flat = sample_light<1>(flat, from, 0, rng);
        if (to_flat.value[0] > 0) {
            ASSERT_NEAR(read_same(flat, 1, from, {0, 0, -1}, to_flat), 2, 1e-4);
            ASSERT_EQ(read_same(flat, 1, from, {0, 0, 1}, to_flat), 0) << "from behind";
            ++seen;
        }
        LightSample<1> const to_round = sample_light<1>(round, from, 0, rng);
        if (to_round.value[0] > 0) {
            Vec3 const at = move_along(from, to_round.distance_mm, to_round.direction);
            Vec3 const front = normalize(at - Vec3{0, 0, 2});
            float const light = read_same(round, 0, from, front, to_round);
            // At its edge, rounding may turn the front away.
            if (dot(front, to_round.direction) < -1e-3f) {
                ASSERT_NEAR(light, 2, 1e-4);
            }
            ++seen;
        }
    }
    EXPECT_GT(seen, 1000);
    float radiance[1];
    read_emitter(flat, {0, {0, 0, 0}, {0, 0, 2}, {0, 0, 1}, {0, 0, -1}}, 0, 0.0f, radiance);
    EXPECT_EQ(radiance[0], 4.0f) << "without a scattering before it, in full";
}

TEST(SampleLight, ChanceAndConnectionAddUpToAllLight)
{
    // The rectangle of z = 2 by even directions, and by connection: each weighted, their sum is what either gives
    // alone.
    EmitterScene lights;
    lights.add_triangles(make_rectangle({0, 0, 2}, {3, 0, 0}, {0, -3, 0}), 1);
    SceneView const& scene = lights.finish();
    RandomVectors random(223);
    Rng rng = seed_rng(22, 9, 0, 0);
    RunningMean alone, both;
    for (int i = 0; i < 400000; ++i) {
        LightSample<1> const sample = sample_light<1>(scene, {0, 0, 0}, 0, rng);
        alone.add(static_cast<double>(sample.value[0]));
        double sum = static_cast<double>(sample.value[0] * weigh_balanced(sample.density, kEvenDensity));
        Vec3 const direction = random.direction();
        Vec3 const at = (2 / direction.z) * direction;
        if (direction.z > 0.01f && std::abs(at.x) < 3 && std::abs(at.y) < 3) {
            float radiance[1];
            read_emitter(scene, {0, {0, 0, 0}, at, direction, {0, 0, -1}}, 0, kEvenDensity, radiance);
            sum += static_cast<double>(radiance[0] / kEvenDensity);
        }
        both.add(sum);
    }
    double const expected = 4 * std::asin(9.0 / 13); // solid angle of a square of half edge 3 at height 2
    EXPECT_NEAR(alone.mean(), expected, 5 * alone.error());
    EXPECT_NEAR(both.mean(), expected, 5 * both.error());
    EXPECT_LT(both.error(), 0.01);
}

} // namespace
} // namespace volpt::test
