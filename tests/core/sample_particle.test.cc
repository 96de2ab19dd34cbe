// Particles that leave emitters: where, in which directions, with what weight; and that they bring to every place what
// sample_light finds there.
#include "tests/core/emitter_scene.h"
#include "tests/core/random_vectors.h"

#include <gtest/gtest.h>

#include <functional>

namespace volpt::test {
namespace {

/// Length of a ray in a ball, in front of its origin.
double find_chord(ParticleStart<1> const& start, Vec3 centre, double radius)
{
    DoubleVec const to = to_double(centre - start.position_mm), d = to_double(start.direction);
    double const along = dot(to, d), rest = radius * radius - (dot(to, to) - along * along);
    if (rest <= 0) return 0;
    double const half = std::sqrt(rest);
    return std::max(0.0, along + half) - std::max(0.0, along - half);
}

/// Fluence rate averaged over a ball in two ways: path length of particles by volume, and light at points of it.
void expect_same_light(SceneView const& scene, Vec3 centre, double radius, double most_error)
{
    RunningMean brought, found;
    Rng rng = seed_rng(22, 20, 0, 0);
    RandomVectors random(230);
    double const volume = 4.0 / 3 * kPiDouble * radius * radius * radius;
    double const scale = static_cast<double>(scene.lights.reference_power_w) / volume;
    for (int i = 0; i < 400000; ++i) {
        ParticleStart<1> const start = sample_particle<1>(scene, 0, rng);
        brought.add(scale * static_cast<double>(start.weight[0]) * find_chord(start, centre, radius));
        Vec3 const way = random.direction();
        Vec3 const at = move_along(centre, static_cast<float>(radius * std::cbrt(random.uniform(0, 1))), way);
        found.add(static_cast<double>(sample_light<1>(scene, at, 0, rng).value[0]));
    }
    EXPECT_GT(found.mean(), 0);
    EXPECT_NEAR(brought.mean(), found.mean(), 5 * (brought.error() + found.error()));
    EXPECT_LT(brought.error() + found.error(), most_error * found.mean());
}

TEST(SampleParticle, APointBringsWhatItsConnectionsFind)
{
    EmitterScene lights;
    lights.add(make_point({1, 0, 0}), {0.5}, {2 * kPiDouble});
    expect_same_light(lights.finish(), {0, 0, 0}, 0.5, 0.01);
}

TEST(SampleParticle, ASpotBringsWhatItsConnectionsFind)
{
    float const outer = 0.3f;
    for (float const inner : {0.0f, 0.1f, 0.3f}) {
        EmitterScene lights;
        double const power = kPiDouble * static_cast<double>(inner + outer) * 2;
        lights.add(make_spot({0, 0, 3}, normalize({0.1f, -0.1f, -1}), outer, inner), {2}, {power});
        expect_same_light(lights.finish(), {0.3f, 0, 0}, 0.8, 0.01);                        // in the middle
        if (inner < outer) expect_same_light(lights.finish(), {-1.5f, 0, 0.5f}, 0.6, 0.02); // where it fades
    }
}

TEST(SampleParticle, AreasBringWhatTheirConnectionsFind)
{
    EmitterScene lights;
    std::vector<EmitterTriangle> uneven = make_rectangle({0, 0, 2}, {1, 0.4f, 0}, {0, -1, 0.2f});
    uneven.push_back({{1, 1, 2}, {1.2f, 1.5f, 2.2f}, {1.5f, 1, 2.5f}});
    lights.add_triangles(uneven, 2);
    expect_same_light(lights.finish(), {0.2f, 0, 0}, 0.7, 0.02);
}

TEST(SampleParticle, ASphereBringsWhatItsConnectionsFind)
{
    EmitterScene lights;
    lights.add_sphere({1, 1, 1}, 0.7f, 2);
    expect_same_light(lights.finish(), {0, 0, 0}, 0.8, 0.02);
}

TEST(SampleParticle, SunsBringWhatTheirConnectionsFind)
{
    double const cross_section = kPiDouble * kSceneRadius_mm * kSceneRadius_mm;
    EmitterScene parallel, wide;
    parallel.add(make_sun(normalize({1, 2, -3}), 0), {0.5}, {0.5 * cross_section});
    expect_same_light(parallel.finish(), {1, 0, 0}, 3, 0.01);
    wide.add(make_sun(normalize({1, 2, -3}), 0.2f), {0.5}, {0.5 * 2 * kPiDouble * 0.2 * cross_section});
    expect_same_light(wide.finish(), {1, 0, 0}, 3, 0.01);
}

TEST(SampleParticle, BeamsBringWhatTheirConnectionsFind)
{
    for (BeamProfile const profile : {BeamProfile::disc, BeamProfile::gaussian}) {
        EmitterScene lights;
        lights.add(make_beam(profile, {0, 0, 3}, normalize({0.1f, 0.2f, -1}), 0.6f), {2}, {2});
        expect_same_light(lights.finish(), {0.3f, 0.6f, 0.3f}, 0.5, 0.01); // off its axis
        expect_same_light(lights.finish(), {0, 0, 3}, 0.5, 0.01);          // where it begins
    }
}

TEST(SampleParticle, SkiesBringWhatTheirConnectionsFind)
{
    EmitterScene even, image;
    even.set_environment(0.5);
    expect_same_light(even.finish(), {1, 0, 0}, 3, 0.02);
    std::vector<float> texels(2 * 25, 0.1f);
    texels[7] = 5;
    texels[31] = 0;
    image.set_environment_image(5, texels);
    expect_same_light(image.finish(), {1, 0, 0}, 3, 0.02);
}

TEST(SampleParticle, ManyEmittersBringWhatTheirConnectionsFind)
{
    EmitterScene lights;
    lights.add_triangles(make_rectangle({0, 0, 2}, {1, 0, 0}, {0, -1, 0}), 1);
    lights.add(make_point({1, 1, 1}), {2}, {8 * kPiDouble});
    lights.add_sphere({-2, 1, 1}, 0.5f, 4);
    lights.set_environment(0.005);
    expect_same_light(lights.finish(), {0, 0, 0}, 0.8, 0.02);
}

TEST(SampleParticle, WeightsAreByBandAndEmittersByPower)
{
    EmitterScene lights(3);
    lights.add(make_point({1, 0, 0}), {1, 1, 1}, {1, 4, 2});
    lights.add(make_point({2, 0, 0}), {1, 1, 1}, {12, 0, 3});
    SceneView const& scene = lights.finish();
    Rng rng = seed_rng(22, 21, 0, 0);
    int second = 0;
    int const count = 100000;
    for (int i = 0; i < count; ++i) {
        Rng same = rng;
        ParticleStart<3> const start = sample_particle<3>(scene, 0, rng);
        bool const is_second = start.position_mm.x == 2.0f;
        second += is_second;
        ASSERT_EQ(start.weight[0], is_second ? 1.0f : 0.25f);
        ASSERT_EQ(start.weight[1], is_second ? 0.0f : 1.0f);
        ASSERT_EQ(start.weight[2], is_second ? 0.25f : 0.5f);
        ASSERT_EQ(sample_particle<1>(scene, 2, same).weight[0], start.weight[2]) << "a path of one band has its own";
        ASSERT_EQ(same.draw(), Rng(rng).draw()) << "draws do not depend on the bands";
    }
    EXPECT_NEAR(second, 0.75 * count, 5 * std::sqrt(count * 0.75 * 0.25));
}

/// Particles of the only emitter.
void for_each_particle(EmitterScene& lights, std::function<void(ParticleStart<1> const&)> const& visit)
{
    SceneView const& scene = lights.finish();
    Rng rng = seed_rng(22, 22, 0, 0);
    for (int i = 0; i < 200000; ++i) visit(sample_particle<1>(scene, 0, rng));
}

TEST(SampleParticle, SurfacesEmitByTheCosineFromTheirFronts)
{
    EmitterScene triangles, sphere;
    triangles.add_triangles({{{0, 0, 1}, {1, 0, 1}, {0, 2, 1}}}, 2);
    sphere.add_sphere({1, 2, 3}, 0.5f, 2);
    for (EmitterScene* const lights : {&triangles, &sphere}) {
        RunningMean cosine, square, x, y;
        for_each_particle(*lights, [&](ParticleStart<1> const& start) {
            ASSERT_EQ(start.has_surface, 1u);
            ASSERT_NEAR(length(start.normal), 1, 1e-6);
            ASSERT_NEAR(length(start.direction), 1, 1e-6);
            double const c = dot_double(start.normal, start.direction);
            ASSERT_GT(c, 0);
            cosine.add(c);
            square.add(c * c);
            Frame const frame = make_frame(start.normal);
            x.add(dot_double(start.direction, frame.tangent));
            y.add(dot_double(start.direction, frame.bitangent));
        });
        EXPECT_NEAR(cosine.mean(), 2.0 / 3, 5 * cosine.error());
        EXPECT_NEAR(square.mean(), 0.5, 5 * square.error());
        EXPECT_NEAR(x.mean(), 0, 5 * x.error());
        EXPECT_NEAR(y.mean(), 0, 5 * y.error());
    }
}

TEST(SampleParticle, PlacesAreEvenOverTriangles)
{
    EmitterScene lights;
    lights.add_triangles({{{0, 0, 1}, {1, 0, 1}, {0, 2, 1}}, {{5, 0, 1}, {8, 0, 1}, {5, 2, 1}}}, 2);
    RunningMean second, x, y, xx, xy;
    for_each_particle(lights, [&](ParticleStart<1> const& start) {
        bool const is_second = start.position_mm.x > 2;
        second.add(is_second);
        Vec3 const p = start.position_mm;
        ASSERT_EQ(p.z, 1.0f);
        double const u = static_cast<double>(is_second ? (p.x - 5) / 3 : p.x), v = static_cast<double>(p.y / 2);
        ASSERT_GE(u, 0);
        ASSERT_GE(v, 0);
        ASSERT_LE(u + v, 1 + 1e-6);
        x.add(u);
        y.add(v);
        xx.add(u * u);
        xy.add(u * v);
    });
    EXPECT_NEAR(second.mean(), 0.75, 5 * second.error());
    EXPECT_NEAR(x.mean(), 1.0 / 3, 5 * x.error());
    EXPECT_NEAR(y.mean(), 1.0 / 3, 5 * y.error());
    EXPECT_NEAR(xx.mean(), 1.0 / 6, 5 * xx.error());
    EXPECT_NEAR(xy.mean(), 1.0 / 12, 5 * xy.error());
}

TEST(SampleParticle, SphereStartsLieOnIt)
{
    EmitterScene lights;
    lights.add_sphere({1, 2, 3}, 0.5f, 2);
    RunningMean height;
    for_each_particle(lights, [&](ParticleStart<1> const& start) {
        Vec3 const from_centre = start.position_mm - Vec3{1, 2, 3};
        ASSERT_NEAR(length(from_centre), 0.5, 1e-6);
        ASSERT_NEAR(dot_double(from_centre, start.normal), 0.5, 1e-6);
        height.add(static_cast<double>(from_centre.z));
    });
    EXPECT_NEAR(height.mean(), 0, 5 * height.error());
}

TEST(SampleParticle, BeamsStayWithinTheirProfile)
{
    Vec3 const origin{0.5f, 1, 2}, direction = normalize({1, -2, 0.5f});
    for (BeamProfile const profile :
         {BeamProfile::pencil, BeamProfile::disc, BeamProfile::gaussian, BeamProfile::slit}) {
        EmitterView beam = make_beam(profile, origin, direction, 0.4f);
        beam.u_axis_mm = {0.4f, 0.2f, 0};
        EmitterScene lights;
        lights.add(beam, {1}, {1});
        RunningMean square, along_slit;
        for_each_particle(lights, [&](ParticleStart<1> const& start) {
            Vec3 const offset = start.position_mm - origin;
            ASSERT_EQ(start.has_surface, 0u);
            ASSERT_EQ(start.direction.y, direction.y);
            ASSERT_NEAR(dot_double(offset, direction), 0, 1e-6);
            if (profile == BeamProfile::pencil) {
                ASSERT_EQ(length(offset), 0);
            }
            if (profile == BeamProfile::disc) {
                ASSERT_LT(length(offset), 0.4 + 1e-6);
            }
            if (profile == BeamProfile::slit) {
                double const s = static_cast<double>(offset.x) / 0.4;
                ASSERT_NEAR(static_cast<double>(offset.y), 0.2 * s, 1e-6);
                ASSERT_LE(std::abs(s), 1 + 1e-6);
                along_slit.add(s * s);
            }
            square.add(dot_double(offset, offset));
        });
        if (profile == BeamProfile::disc || profile == BeamProfile::gaussian) {
            EXPECT_NEAR(square.mean(), 0.16 / 2, 5 * square.error());
        }
        if (profile == BeamProfile::slit) {
            EXPECT_NEAR(along_slit.mean(), 1.0 / 3, 5 * along_slit.error());
        }
    }
}

TEST(SampleParticle, ARectangularBeamIsEvenOverItsArea)
{
    EmitterView beam = make_beam(BeamProfile::rectangle, {0.5f, 1, 2}, {0, 0, -1}, 0);
    beam.u_axis_mm = {0.4f, 0, 0};
    beam.v_axis_mm = {0.1f, 0.2f, 0};
    EmitterScene lights;
    lights.add(beam, {1}, {1});
    RunningMean along_u, along_v, product;
    for_each_particle(lights, [&](ParticleStart<1> const& start) {
        Vec3 const offset = start.position_mm - Vec3{0.5f, 1, 2};
        double const t = static_cast<double>(offset.y) / 0.2, s = (static_cast<double>(offset.x) - 0.1 * t) / 0.4;
        ASSERT_LE(std::max(std::abs(s), std::abs(t)), 1 + 1e-6);
        ASSERT_EQ(start.direction.z, -1);
        along_u.add(s * s);
        along_v.add(t * t);
        product.add(s * t);
    });
    EXPECT_NEAR(along_u.mean(), 1.0 / 3, 5 * along_u.error());
    EXPECT_NEAR(along_v.mean(), 1.0 / 3, 5 * along_v.error());
    EXPECT_NEAR(product.mean(), 0, 5 * product.error());
}

TEST(SampleParticle, LightFromAfarStartsBeforeAllOfTheScene)
{
    EmitterScene sun, sky;
    sun.add(make_sun(normalize({1, 2, -3}), 0.05f), {1}, {1});
    sky.set_environment(1);
    for (EmitterScene* const lights : {&sun, &sky})
        for_each_particle(*lights, [&](ParticleStart<1> const& start) {
            double const along = dot_double(start.position_mm, start.direction);
            ASSERT_NEAR(along, -static_cast<double>(kSceneRadius_mm), 1e-5);
            Vec3 const aside = move_along(start.position_mm, static_cast<float>(-along), start.direction);
            ASSERT_LE(length(aside), kSceneRadius_mm * (1 + 1e-6));
            ASSERT_EQ(start.has_surface, 0u);
        });
}

} // namespace
} // namespace volpt::test
