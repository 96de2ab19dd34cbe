// Scenes with emitters, as the tests of their light have them.
#pragma once

#include "libvolpt/scene/light/emitter_records.h"
#include "tests/statistical/measure.h"
#include "tests/support/make_surroundings.h"

#include <numbers>

namespace volpt::test {

inline void add_emitter(Scene& scene, Emitter const& emitter)
{
    std::vector<double> const records = to_emitter_records({&emitter, 1});
    scene.emitters.insert(scene.emitters.end(), records.begin(), records.end());
    scene.environment.radiance = {0.0f};
}

inline Emitter make_emitter(EmitterKind kind, std::array<double, 3> origin_world, double amount)
{
    Emitter emitter;
    emitter.kind = kind;
    emitter.origin_world = origin_world;
    emitter.amount = {static_cast<float>(amount)};
    return emitter;
}

inline Emitter make_point(std::array<double, 3> origin_world, double intensity)
{
    Emitter emitter = make_emitter(EmitterKind::point, origin_world, intensity);
    emitter.unit = EmitterUnit::intensity;
    return emitter;
}

inline Emitter make_disc_beam(std::array<double, 3> origin_world, double radius_mm, double power)
{
    Emitter emitter = make_emitter(EmitterKind::beam, origin_world, power);
    emitter.profile = BeamProfile::disc;
    emitter.radius_mm = radius_mm;
    return emitter;
}

inline Emitter make_sized(EmitterKind kind, std::array<double, 3> origin, double radius, double amount)
{
    Emitter lamp = make_emitter(kind, origin, amount);
    lamp.radius_mm = radius;
    return lamp;
}

inline Emitter make_sun_emitter(double angle_deg)
{
    Emitter sun = make_emitter(EmitterKind::sun, {}, 1);
    sun.unit = EmitterUnit::irradiance;
    sun.direction_world = {0.3, 0.2, -1};
    sun.angle_deg = angle_deg;
    return sun;
}

/// 2 mm, of eight mean free paths.
inline PackedVolume make_milk_cube()
{
    VolumeMeta meta;
    meta.dims = {1, 1, 1};
    meta.pitch_mm = {2, 2, 2};
    meta.extinction = Source::constant;
    meta.scale = 4;
    meta.constant_one_minus_albedo = {0.05f};
    return make_volume(meta, {});
}

/// A narrow view straight down at a place of the ground under the empty cube of make_object_medium.
inline Scene look_at_ground(PackedVolume const& volume, double x_mm, double y_mm)
{
    Scene scene = look_down(volume, 0.02, 4);
    scene.camera.origin_world = {x_mm, y_mm, 5};
    scene.camera.target_world = {x_mm, y_mm, -1};
    scene.camera.up_world = {0, 1, 0};
    scene.ground.kind = GroundKind::diffuse;
    scene.ground.albedo = {0.6f};
    return scene;
}

inline double measure_one(Scene const& scene, PackedVolume const& volume, std::uint32_t samples = 16)
{
    return measure_radiance(scene, volume, samples)[0].mean;
}

inline constexpr double kPi = std::numbers::pi;

/// The cube of make_object_medium with `shapes` around it.
inline PackedVolume make_cube_among(SurroundingShapes const& shapes, float sigma_t, float one_minus_albedo)
{
    VolumeMeta meta;
    meta.dims = {8, 8, 8};
    meta.pitch_mm = {0.25f, 0.25f, 0.25f};
    meta.scale = sigma_t;
    meta.constant_one_minus_albedo = {one_minus_albedo};
    TempFolder const folder;
    VolumePacker packer(folder / "cube.vpk", meta, {}, 1, {}, shapes);
    packer.finish({});
    return PackedVolume::open(folder / "cube.vpk", VerifyLevel::full);
}

/// Both integrators, where both see the scene.
inline void expect_integrators_agree(Scene const& scene, PackedVolume const& volume, std::uint32_t samples,
                                     std::string const& what)
{
    Scene light = scene;
    light.integrator = Integrator::light;
    Measurement const by_path = measure_radiance(scene, volume, samples / kHaste)[0];
    Measurement const by_light = measure_radiance(light, volume, samples / kHaste, 8)[0];
    EXPECT_GT(by_path.mean, 8 * by_path.standard_error) << what;
    expect_equal_means(by_path, by_light, what);
}

} // namespace volpt::test
