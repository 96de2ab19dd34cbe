// One expectation, whichever way light is found: by connections or by chance, from the film or from emitters, and with
// a depth limit too.
#include "tests/statistical/lit_scenes.h"

namespace volpt::test {
namespace {

Emitter make_lamp(std::array<double, 3> centre_world, double radius_mm)
{
    Emitter lamp = make_emitter(EmitterKind::sphere, centre_world, 20);
    lamp.radius_mm = radius_mm;
    return lamp;
}

TEST(EmitterAgreement, EnvironmentByConnectionsAndByParticles)
{
    PackedVolume const cloud = make_cloud();
    Scene scene = make_scene(cloud, 8, 6);
    scene.environment = {EnvironmentKind::hemispheres, {1.0f}, {0.25f}, {}, 4, 0};
    scene.nee = EnvironmentNee::on;
    Scene light = scene;
    light.nee = EnvironmentNee::off;
    light.integrator = Integrator::light;
    expect_equal_means(measure_radiance(scene, cloud, 2000 / kHaste)[0],
                       measure_radiance(light, cloud, 2000 / kHaste, 8)[0], "environment");
}

/// The light that a path is connected to counts as the event at which it would have met it: a limit leaves both ways,
/// or neither.
TEST(EmitterAgreement, DepthLimitIsTheSameForConnections)
{
    PackedVolume const cloud = make_cloud();
    for (std::uint32_t const depth_limit : {2u, 3u}) {
        Scene scene = make_scene(cloud, 8, 6);
        scene.depth_limit = depth_limit;
        scene.ground.kind = GroundKind::diffuse;
        scene.environment = {EnvironmentKind::hemispheres, {1.0f}, {0.25f}, {}, 4, 0};
        Scene connected = scene;
        connected.nee = EnvironmentNee::on;
        expect_equal_means(measure_radiance(scene, cloud, 2000 / kHaste)[0],
                           measure_radiance(connected, cloud, 2000 / kHaste, 8)[0], std::to_string(depth_limit));
    }
}

TEST(EmitterAgreement, DepthLimitIsTheSameForParticles)
{
    PackedVolume const volume = make_object_medium(2, 0.1f);
    for (std::uint32_t const depth_limit : {2u, 3u}) {
        Scene scene = make_scene(volume, 8, 6);
        scene.depth_limit = depth_limit;
        scene.ground.kind = GroundKind::diffuse;
        add_emitter(scene, make_lamp({1, 1, 4}, 0.5));
        expect_integrators_agree(scene, volume, 6000, std::to_string(depth_limit));
    }
}

/// Particles begin off the surface of their emitter by the rounding of that surface, not of the scene.
TEST(EmitterAgreement, TinyLampInAHugeScene)
{
    SurroundingShapes shapes;
    add_mesh(shapes, make_box({3e4f, -1e4f, 0}, {3.1e4f, 1e4f, 1e4f}), make_bsdf(BsdfKind::diffuse, 0));
    PackedVolume const volume = make_cube_among(shapes, 3, 0.1f);
    Scene scene = look_down(volume, 1.6, 8);
    scene.camera.origin_world[2] = 2.07; // below the lamp, which is too small to be met often
    add_emitter(scene, make_lamp({1, 1, 2.1}, 0.02));
    expect_integrators_agree(scene, volume, 4000, "tiny lamp");
}

} // namespace
} // namespace volpt::test
