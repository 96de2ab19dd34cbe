// Light from emitters: closed forms, quadratures, and two integrators against each other.
#include "tests/statistical/lit_scenes.h"

namespace volpt::test {
namespace {

TEST(Emitters, PointLightFallsWithTheSquareOfItsDistance)
{
    PackedVolume const volume = make_object_medium(0, 0);
    for (double const aside : {0.0, 3.0}) {
        Scene scene = look_at_ground(volume, 6, 1);
        add_emitter(scene, make_point({6 + aside, 1, 4}, 2));
        double const distance2 = 16 + aside * aside;
        double const irradiance = 2 * 4 / (distance2 * std::sqrt(distance2));
        EXPECT_NEAR(measure_one(scene, volume), 0.6 / kPi * irradiance, 2e-3 * irradiance) << aside;
    }
}

TEST(Emitters, SpotLightsItsConeAlone)
{
    PackedVolume const volume = make_object_medium(0, 0);
    Emitter spot = make_emitter(EmitterKind::spot, {6, 1, 4}, 3);
    spot.unit = EmitterUnit::intensity;
    spot.angle_deg = 30;
    spot.inner_angle_deg = 20;
    for (double const x : {6.0, 7.0, 9.0}) {
        Scene scene = look_at_ground(volume, x, 1);
        add_emitter(scene, spot);
        double const distance2 = 16 + (x - 6) * (x - 6);
        double const expected = x < 8 ? 0.6 / kPi * 3 * 4 / (distance2 * std::sqrt(distance2)) : 0;
        EXPECT_NEAR(measure_one(scene, volume), expected, 3e-3 * expected) << x;
    }
}

TEST(Emitters, SunLightsBySineOfItsHeight)
{
    PackedVolume const volume = make_object_medium(0, 0);
    for (double const angle_deg : {0.0, 5.0}) {
        Scene scene = look_at_ground(volume, 6, 1);
        Emitter sun = make_emitter(EmitterKind::sun, {0, 0, 0}, 5);
        sun.unit = EmitterUnit::irradiance;
        sun.direction_world = {1, 0, -1};
        sun.angle_deg = angle_deg;
        add_emitter(scene, sun);
        std::vector<Measurement> const got = measure_radiance(scene, volume, 256);
        double const expected = 0.6 / kPi * 5 * std::sqrt(0.5);
        EXPECT_NEAR(got[0].mean, expected, 4 * got[0].standard_error + 2e-3 * expected) << angle_deg;
    }
}

/// Irradiance below the centre of a disk that looks down from a height.
TEST(Emitters, DiskLightsAsItsSolidAngle)
{
    PackedVolume const volume = make_object_medium(0, 0);
    Scene scene = look_at_ground(volume, 6, 1);
    Emitter disk = make_emitter(EmitterKind::disk, {6, 1, 3}, 2);
    disk.unit = EmitterUnit::radiance;
    disk.radius_mm = 1.5;
    // The camera must not see the disk from behind.
    scene.camera.origin_world[2] = 2;
    add_emitter(scene, disk);
    double const irradiance = kPi * 2 * 1.5 * 1.5 / (1.5 * 1.5 + 9);
    expect_truth(measure_radiance(scene, volume, 4096)[0], 0.6 / kPi * irradiance, 2e-3 * irradiance, "disk");
}

TEST(Emitters, SphereIsSeenWithItsRadianceAndLightsAsAPoint)
{
    PackedVolume const volume = make_object_medium(0, 0);
    Emitter sphere = make_emitter(EmitterKind::sphere, {6, 1, 3}, 10);
    sphere.radius_mm = 0.5;
    double const radiance = 10 / (4 * kPi * 0.25) / kPi;
    Scene scene = look_at_ground(volume, 6, 1);
    add_emitter(scene, sphere);
    EXPECT_NEAR(measure_one(scene, volume), radiance, 1e-4 * radiance);
    scene.camera.origin_world[2] = 1;
    double const irradiance = kPi * radiance * 0.25 / 9; // exact above the plane
    expect_truth(measure_radiance(scene, volume, 4096)[0], 0.6 / kPi * irradiance, 2e-3 * irradiance, "sphere");
}

/// Single scattering along a ray through a thin cube, against a quadrature.
TEST(Emitters, OneScatteringOfAPointLightIsItsQuadrature)
{
    float const sigma_t = 0.4f;
    for (float const g : {0.0f, 0.7f}) {
        PackedVolume const volume = make_object_medium(sigma_t, 0.25f, g);
        Scene scene = look_down(volume, 0.01, 4);
        scene.depth_limit = 2;
        std::array<double, 3> const light{1.7, 1, -0.6};
        add_emitter(scene, make_point(light, 3));
        int const steps = 2000;
        double sum = 0;
        for (int i = 0; i < steps; ++i) {
            double const z = 2 - 2.0 * (i + 0.5) / steps;
            double const dx = light[0] - 1, dz = light[2] - z, d2 = dx * dx + dz * dz, d = std::sqrt(d2);
            double const inside = d * z / (z - light[2]);
            double const cosine = -dz / d; // of the view's -z to the direction of the light
            double const phase = (1 - g * g) / (4 * kPi * std::pow(1 + g * g - 2 * g * cosine, 1.5));
            sum += std::exp(-sigma_t * (2 - z + inside)) * phase / d2;
        }
        double const truth = 3 * 0.75 * sigma_t * sum * 2.0 / steps;
        expect_truth(measure_radiance(scene, volume, 20000 / kHaste)[0], truth, 1e-3 * truth, "single scattering");
    }
}

TEST(Emitters, RayTransmittanceOfAVaryingMediumIsUnbiased)
{
    PackedVolume const cloud = make_cloud();
    VolumeMeta const& meta = cloud.meta();
    Scene scene = make_scene(cloud, 1, 1);
    scene.depth_limit = 2;
    double const top = static_cast<double>(meta.pitch_mm[2]) * meta.dims[2];
    add_emitter(scene, make_point({1.1, 0.9, top + 1}, 1));
    Scene global = scene;
    global.majorant = MajorantKind::global;
    expect_equal_means(measure_radiance(scene, cloud, 400000 / kHaste)[0],
                       measure_radiance(global, cloud, 400000 / kHaste, 8)[0], "local and global majorants");
}

TEST(Emitters, ConnectionsToTheEnvironmentChangeNoMean)
{
    PackedVolume const cloud = make_cloud();
    Scene scene = make_scene(cloud, 8, 6);
    scene.ground.kind = GroundKind::diffuse;
    scene.environment = {EnvironmentKind::hemispheres, {1.0f}, {0.25f}, {}, 4, 0};
    Scene connected = scene;
    connected.nee = EnvironmentNee::on;
    expect_equal_means(measure_radiance(scene, cloud, 2000 / kHaste)[0],
                       measure_radiance(connected, cloud, 2000 / kHaste, 8)[0], "environment");
}

/// An area light is found by chance too: with connections to it and without, by MIS or by chance alone.
TEST(Emitters, WeightsOfBothWaysToAnAreaLightSumToOne)
{
    PackedVolume const volume = make_object_medium(3, 0.1f);
    Scene scene = make_scene(volume, 8, 6);
    Emitter sphere = make_emitter(EmitterKind::sphere, {1, 1, 4}, 100);
    sphere.radius_mm = 1.2;
    add_emitter(scene, sphere);
    RenderScene const built(scene, volume, nullptr, 7);
    SceneView by_chance = built.view();
    by_chance.lights.connects_inside = 0;
    auto const measure = [&](SceneView const& view) {
        std::vector<double> means;
        for (std::uint32_t batch = 0; batch < 32; ++batch) {
            TileSums sums(8 * 6);
            PathCounts counts;
            list_cpu_kernels().front().render(view, {0, 0, 8, 6, batch * 200 / kHaste, 200 / kHaste}, sums.view(),
                                              counts, {});
            double sum = 0;
            for (std::uint64_t const pixel : sums.sums) sum += static_cast<double>(pixel);
            means.push_back(sum / (48.0 * (200 / kHaste)) / static_cast<double>(view.sum_scale));
        }
        return measure_mean(means);
    };
    expect_equal_means(measure(built.view()), measure(by_chance), "sphere light");
}

TEST(Emitters, PathAndLightAgreeOnABeamSeenByADiffuseProbe)
{
    PackedVolume const volume = make_object_medium(4, 0.05f, 0.5f, {32, 32, 32});
    Scene scene = make_probe(volume, 4, 4);
    scene.boundary = {};
    scene.camera.view = ProbeView::diffuse;
    add_emitter(scene, make_disc_beam({1, 1, 3}, 0.4, 2));
    expect_integrators_agree(scene, volume, 20000, "beam");
}

TEST(Emitters, PathAndLightAgreeOnASpotInFog)
{
    PackedVolume const cloud = make_cloud();
    Scene scene = make_scene(cloud, 8, 6);
    Emitter spot = make_emitter(EmitterKind::spot, {1.3, 1.2, 6}, 5);
    spot.angle_deg = 25;
    spot.inner_angle_deg = 15;
    add_emitter(scene, spot);
    expect_integrators_agree(scene, cloud, 20000, "spot");
}

TEST(Emitters, PathAndLightAgreeOnAnAreaLightOverAGround)
{
    PackedVolume const volume = make_object_medium(2, 0.1f);
    Scene scene = make_scene(volume, 8, 6);
    scene.ground.kind = GroundKind::diffuse;
    Emitter rectangle = make_emitter(EmitterKind::rectangle, {1, 1, 6}, 20);
    rectangle.u_axis_mm = {0, 1, 0};
    rectangle.v_axis_mm = {1, 0, 0};
    add_emitter(scene, rectangle);
    expect_integrators_agree(scene, volume, 20000, "rectangle");
}

TEST(Emitters, PathAndLightAgreeOnALampInsideAMatchedSlab)
{
    PackedVolume const volume = make_object_medium(3, 0.1f);
    Scene scene = make_scene(volume, 8, 6);
    add_emitter(scene, make_point({1, 1.2, 0.7}, 1));
    expect_integrators_agree(scene, volume, 20000, "lamp");
}

/// A light over a ground that a black cube hides in part: the edge of the shadow is as wide as geometry says.
TEST(Emitters, ShadowOfARectangleHasItsPenumbra)
{
    // A strongly absorbing cube of 2 mm stands on the ground; the light is beyond its edge at x = 2.
    PackedVolume const volume = make_object_medium(1e4f, 1);
    Emitter rectangle = make_emitter(EmitterKind::rectangle, {1, 1, 8}, 1);
    rectangle.unit = EmitterUnit::radiance;
    rectangle.u_axis_mm = {0, 0.5, 0};
    rectangle.v_axis_mm = {0.5, 0, 0};
    double const z_ground = -2.0 / 4096;
    for (double const x : {2.2, 2.3, 2.4}) {
        Scene scene = look_at_ground(volume, x, 1);
        add_emitter(scene, rectangle);
        int const n = 400;
        double irradiance = 0;
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) {
                double const lx = 0.5 + (i + 0.5) / n, ly = 0.5 + (j + 0.5) / n;
                // The way crosses the cube's top edge x = 2 below z = 2 if it is hidden.
                double const at_edge = z_ground + (8 - z_ground) * (x - 2) / (x - lx);
                if (at_edge < 2) continue;
                double const dx = lx - x, dy = ly - 1, dz = 8 - z_ground, d2 = dx * dx + dy * dy + dz * dz;
                irradiance += dz * dz / (d2 * d2) / (n * n);
            }
        expect_truth(measure_radiance(scene, volume, 20000 / kHaste)[0], 0.6 / kPi * irradiance, 1e-4, "penumbra");
    }
}

} // namespace
} // namespace volpt::test
