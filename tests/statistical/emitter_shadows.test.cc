// Surfaces under emitters: shadows of a sphere, a floor of large triangles; and light that only particles bring.
#include "tests/statistical/lit_scenes.h"

namespace volpt::test {
namespace {

constexpr SphereView kBall{{6, 1, 2}, 0.8f};

/// The empty cube of look_at_ground, and a black ball beside it.
PackedVolume make_ball_over_ground()
{
    SurroundingShapes shapes;
    add_sphere(shapes, kBall, make_bsdf(BsdfKind::diffuse, 0));
    return make_cube_among(shapes, 0, 0);
}

constexpr double kGround_mm = -2.0 / 4096;

/// Whether the ball hides what lies along `to` from the ground at (x, 1).
bool is_hidden(double x, std::array<double, 3> const& to)
{
    std::array<double, 3> const ball{6 - x, 0, 2 - kGround_mm};
    double along = 0, length2 = 0, distance2 = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        along += ball[i] * to[i];
        length2 += to[i] * to[i];
        distance2 += ball[i] * ball[i];
    }
    return distance2 - along * along / length2 < 0.8 * 0.8;
}

TEST(EmitterShadows, ABallUnderARectangleHasItsPenumbra)
{
    PackedVolume const volume = make_ball_over_ground();
    Emitter rectangle = make_emitter(EmitterKind::rectangle, {6, 1, 5}, 1);
    rectangle.unit = EmitterUnit::radiance;
    rectangle.u_axis_mm = {0, 0.5, 0};
    rectangle.v_axis_mm = {0.5, 0, 0};
    double last = 0;
    for (double const x : {7.1, 7.3, 7.5}) {
        Scene scene = look_at_ground(volume, x, 1);
        add_emitter(scene, rectangle);
        int const n = 400;
        double irradiance = 0;
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) {
                std::array<double, 3> const to{5.5 + (i + 0.5) / n - x, (j + 0.5) / n - 0.5, 5 - kGround_mm};
                if (is_hidden(x, to)) continue;
                double const d2 = to[0] * to[0] + to[1] * to[1] + to[2] * to[2];
                irradiance += to[2] * to[2] / (d2 * d2) / (n * n);
            }
        EXPECT_GT(irradiance, 1.3 * last) << "outwards, less of the light is hidden";
        last = irradiance;
        expect_truth(measure_radiance(scene, volume, 8000 / kHaste)[0], 0.6 / kPi * irradiance, 1e-3 * irradiance,
                     "penumbra");
    }
}

TEST(EmitterShadows, ABallUnderASunHasItsPenumbra)
{
    PackedVolume const volume = make_ball_over_ground();
    Emitter sun = make_emitter(EmitterKind::sun, {0, 0, 0}, 1);
    sun.unit = EmitterUnit::radiance;
    sun.angle_deg = 20;
    for (double const x : {6.85, 6.95, 7.05}) {
        Scene scene = look_at_ground(volume, x, 1);
        add_emitter(scene, sun);
        int const n = 400;
        double const width = 1 - std::cos(kPi / 18);
        double irradiance = 0, all = 0;
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) {
                double const cosine = 1 - width * (i + 0.5) / n, sine = std::sqrt(1 - cosine * cosine);
                double const azimuth = 2 * kPi * (j + 0.5) / n;
                double const part = 2 * kPi * width * cosine / (n * n);
                all += part;
                if (!is_hidden(x, {sine * std::cos(azimuth), sine * std::sin(azimuth), cosine})) irradiance += part;
            }
        EXPECT_TRUE(irradiance > 0.05 * all && irradiance < 0.95 * all) << "not in the penumbra";
        expect_truth(measure_radiance(scene, volume, 8000 / kHaste)[0], 0.6 / kPi * irradiance, 1e-3 * irradiance,
                     "penumbra");
    }
}

/// A ray to a sphere begins off the floor, by more where triangles are large, and still has to arrive.
TEST(EmitterShadows, ASphereLightsAFloorOfLargeTriangles)
{
    SurroundingShapes shapes;
    add_mesh(shapes, make_box({-100, -100, -2}, {100, 100, -1}), make_bsdf(BsdfKind::diffuse, 0.6f));
    PackedVolume const volume = make_cube_among(shapes, 0, 0);
    Scene scene = look_at_ground(volume, 6, 1);
    scene.ground = {};
    scene.camera.origin_world[2] = 1;
    Emitter sphere = make_emitter(EmitterKind::sphere, {6, 1, 3}, 1);
    sphere.unit = EmitterUnit::radiance;
    sphere.radius_mm = 0.5;
    add_emitter(scene, sphere);
    double const irradiance = kPi * 0.25 / 16;
    expect_truth(measure_radiance(scene, volume, 20000 / kHaste)[0], 0.6 / kPi * irradiance, 3e-3 * irradiance,
                 "sphere");
}

/// Light that leaves a cube of 2 mm through the face where a slit shines in, after one scattering.
TEST(EmitterShadows, OneScatteringOfASlitIsItsQuadrature)
{
    PackedVolume const volume = make_object_medium(1, 0.25f);
    Scene scene = make_probe(volume, 4, 4);
    scene.boundary = {};
    scene.camera.view = ProbeView::diffuse;
    scene.integrator = Integrator::light;
    scene.depth_limit = 2;
    Emitter slit = make_emitter(EmitterKind::beam, {1, 1, 3}, 1);
    slit.profile = BeamProfile::slit;
    slit.u_axis_mm = {0.6, 0.3, 0};
    add_emitter(scene, slit);
    int const depths = 100, cosines = 60, azimuths = 60, places = 12;
    double leaves = 0;
    for (int i = 0; i < depths; ++i)
        for (int j = 0; j < cosines; ++j) {
            double const z = 2.0 * (i + 0.5) / depths, cosine = (j + 0.5) / cosines;
            double const aside = z * std::sqrt(1 - cosine * cosine) / cosine;
            int inside = 0;
            for (int k = 0; k < azimuths; ++k)
                for (int l = 0; l < places; ++l) {
                    double const azimuth = 2 * kPi * (k + 0.5) / azimuths, along = 2 * (l + 0.5) / places - 1;
                    double const x = 0.6 * along + aside * std::cos(azimuth),
                                 y = 0.3 * along + aside * std::sin(azimuth);
                    inside += std::abs(x) < 1 && std::abs(y) < 1 ? 1 : 0;
                }
            leaves += 0.75 * std::exp(-z - z / cosine) * 0.5 * inside / (azimuths * places) * 2 / (depths * cosines);
        }
    expect_truth(measure_radiance(scene, volume, 20000 / kHaste)[0], leaves / kPi / 4, 2e-3 * leaves / kPi / 4, "slit");
}

/// Half of what a spot sends down falls on the half of the ground that is seen.
TEST(EmitterShadows, ParticlesOfASpotBringItsPower)
{
    PackedVolume const volume = make_object_medium(0, 0);
    Scene scene = look_at_ground(volume, 10, 1);
    scene.camera.ortho_width_mm = 8;
    scene.integrator = Integrator::light;
    Emitter spot = make_emitter(EmitterKind::spot, {6, 1, 4}, 3);
    spot.unit = EmitterUnit::intensity;
    spot.angle_deg = 30;
    spot.inner_angle_deg = 20;
    add_emitter(scene, spot);
    double const power = 3 * kPi * (2 - std::cos(kPi / 6) - std::cos(kPi / 9));
    double const truth = 0.6 / kPi * power / 2 / 64;
    expect_truth(measure_radiance(scene, volume, 20000 / kHaste)[0], truth, 1e-5 * truth, "spot");
}

} // namespace
} // namespace volpt::test
