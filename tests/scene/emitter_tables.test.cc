// Emitters as core reads them: powers and radiances, how they are chosen, their surfaces, and the film's scale.
#include "libvolpt/scene/light/emitter_tables.h"

#include "libvolpt/core/environment.hd.h"
#include "libvolpt/core/fixed_point.hd.h"
#include "libvolpt/core/light/camera_connection.hd.h"
#include "libvolpt/scene/exact_trig.h"
#include "libvolpt/scene/light/emitter_records.h"
#include "libvolpt/scene/render_scene.h"
#include "tests/support/expect_error.h"
#include "tests/support/make_volume.h"

#include <gtest/gtest.h>

#include <cmath>

namespace volpt::test {
namespace {

/// A cube of 10 mm about the origin, turned so that the box's x axis is the world's y; three bands.
PackedVolume make_turned_cube()
{
    VolumeMeta meta;
    meta.dims = {5, 5, 5};
    meta.pitch_mm = {2, 2, 2};
    set_three_bands(meta);
    meta.placement.rotation = {0, -1, 0, 1, 0, 0, 0, 0, 1};
    meta.placement.origin_world_mm = {5, -5, -5};
    return make_volume(meta);
}

Scene make_lit_scene(PackedVolume const& volume, std::vector<Emitter> const& emitters)
{
    Scene scene;
    scene.volume_checksum = volume.data_checksum();
    scene.width = 20;
    scene.height = 10;
    scene.bands = volume.meta().bands();
    scene.camera.origin_world = {0, 0, 100};
    scene.camera.target_world = {0, 0, 0};
    scene.environment.radiance = {0};
    scene.emitters = to_emitter_records(emitters);
    return scene;
}

double find_area_mm2(EmitterTriangle const& t)
{
    Vec3 const normal = cross(t.b - t.a, t.c - t.a);
    return 0.5 * std::sqrt(static_cast<double>(dot(normal, normal)));
}

TEST(EmitterTables, PointsOfTheWorldAreInTheBoxsAxes)
{
    PackedVolume const volume = make_turned_cube();
    RenderScene const built(make_lit_scene(volume, {{.origin_world = {1, 2, 3}}}), volume, nullptr, 1);
    LightsView const& lights = built.view().lights;
    ASSERT_EQ(lights.count, 1u);
    Vec3 const p = lights.emitters[0].position_mm; // x of the box is y of the world, y is -x
    EXPECT_FLOAT_EQ(p.x, 7);
    EXPECT_FLOAT_EQ(p.y, 4);
    EXPECT_FLOAT_EQ(p.z, 8);
    EXPECT_EQ(built.view().transport, Transport::emitters);
    EXPECT_EQ(lights.emitter_of, nullptr);
    EXPECT_EQ(lights.environment_choice, 0.0f);
    EXPECT_EQ(lights.connects_inside, 1u);
    EXPECT_EQ(lights.choice_cdf[0], 1.0f);
    EXPECT_FLOAT_EQ(lights.scene_centre_mm.x, 5);
    EXPECT_NEAR(static_cast<double>(lights.scene_radius_mm), std::sqrt(75.0), 1e-3);
    EXPECT_GE(static_cast<double>(lights.scene_radius_mm), std::sqrt(75.0));
}

TEST(EmitterTables, PowersGiveTheAmountsOfTheirKinds)
{
    using enum EmitterKind;
    PackedVolume const volume = make_turned_cube();
    std::vector<Emitter> const emitters{
        {.kind = point, .amount = {4, 2, 1}, .origin_world = {0, 0, 20}},
        {.kind = spot, .amount = {3}, .origin_world = {0, 0, 20}, .angle_deg = 90, .inner_angle_deg = 90},
        {.kind = sphere, .amount = {5}, .origin_world = {0, 0, 30}, .radius_mm = 2},
        {.kind = rectangle, .amount = {6}, .origin_world = {0, 0, 40}, .u_axis_mm = {0, 1, 0}, .v_axis_mm = {2, 0, 0}},
        {.kind = disk, .amount = {7}, .origin_world = {0, 0, 50}, .radius_mm = 3},
        {.kind = beam, .profile = BeamProfile::disc, .amount = {8}, .origin_world = {0, 0, 20}, .radius_mm = 1},
    };
    RenderScene const built(make_lit_scene(volume, emitters), volume, nullptr, 1);
    LightsView const& lights = built.view().lights;
    auto const amount = [&](int i) { return static_cast<double>(lights.emitters[i].amount[0]); };
    EXPECT_NEAR(amount(0), 4 / (4 * kPi), 1e-6);
    EXPECT_NEAR(amount(1), 3 / (2 * kPi), 1e-6);
    EXPECT_NEAR(amount(2), 5 / (kPi * 4 * kPi * 4), 1e-6);
    EXPECT_NEAR(amount(3), 6 / (kPi * 8), 1e-6);
    EXPECT_NEAR(amount(4), 7 / (kPi * kPi * 9), 1e-6);
    EXPECT_NEAR(amount(5), 8, 1e-6);
    EXPECT_FLOAT_EQ(lights.emitters[0].power_share[1], 0.5f);
    EXPECT_FLOAT_EQ(lights.emitters[1].power_share[2], 1.0f);
    double const total = 4 + 3 + 5 + 6 + 7 + 8;
    EXPECT_NEAR(static_cast<double>(lights.reference_power_w), total, 1e-4);
    double sum = 0;
    for (std::uint32_t i = 0; i < lights.count; ++i) {
        EXPECT_NEAR(static_cast<double>(lights.emitters[i].choice), static_cast<double>(emitters[i].amount[0]) / total,
                    1e-6);
        sum += static_cast<double>(lights.emitters[i].choice);
        EXPECT_NEAR(static_cast<double>(lights.choice_cdf[i]), sum, 1e-6);
    }
    EXPECT_EQ(lights.choice_cdf[lights.count - 1], 1.0f);
}

TEST(EmitterTables, APowerOfASpotIsTheIntegralOfItsIntensity)
{
    PackedVolume const volume = make_turned_cube();
    Emitter const spot{
        .kind = EmitterKind::spot, .amount = {1}, .origin_world = {0, 0, 20}, .angle_deg = 40, .inner_angle_deg = 10};
    RenderScene const built(make_lit_scene(volume, {spot}), volume, nullptr, 1);
    EmitterView const& view = built.view().lights.emitters[0];
    double const edge = std::cos(40 * kPi / 180), inner = std::cos(10 * kPi / 180);
    EXPECT_NEAR(static_cast<double>(view.one_minus_cosine), 1 - edge, 1e-6);
    EXPECT_NEAR(static_cast<double>(view.one_minus_inner_cosine), 1 - inner, 1e-6);
    constexpr int kSteps = 10000;
    double integral = 0;
    for (int i = 0; i < kSteps; ++i) {
        double const cosine = edge + (1 - edge) * (i + 0.5) / kSteps;
        double const s = std::min(1.0, (cosine - edge) / (inner - edge));
        integral += 2 * kPi * (1 - edge) / kSteps * s * s * (3 - 2 * s);
    }
    EXPECT_NEAR(static_cast<double>(view.amount[0]) * integral, 1, 1e-5);
}

TEST(EmitterTables, IrradianceOfASunDoesNotDependOnItsDiameter)
{
    PackedVolume const volume = make_turned_cube();
    Emitter sun{.kind = EmitterKind::sun, .unit = EmitterUnit::irradiance, .amount = {2}};
    RenderScene const sharp(make_lit_scene(volume, {sun}), volume, nullptr, 1);
    EXPECT_EQ(sharp.view().lights.emitters[0].amount[0], 2.0f);
    EXPECT_EQ(sharp.view().lights.emitters[0].one_minus_cosine, 0.0f);
    sun.angle_deg = 20;
    RenderScene const soft(make_lit_scene(volume, {sun}), volume, nullptr, 1);
    double const sine = std::sin(10 * kPi / 180);
    EXPECT_NEAR(static_cast<double>(soft.view().lights.emitters[0].amount[0]) * kPi * sine * sine, 2, 1e-5);
    double const radius = static_cast<double>(soft.view().lights.scene_radius_mm);
    EXPECT_NEAR(static_cast<double>(sharp.view().lights.reference_power_w), 2 * kPi * radius * radius, 1e-2);
}

TEST(EmitterTables, SurfacesOfEmittersStandAroundTheVolumeAndFaceTheirFront)
{
    using enum EmitterKind;
    PackedVolume const volume = make_turned_cube();
    std::vector<Emitter> const emitters{
        {.kind = sphere, .amount = {5}, .origin_world = {0, 0, 30}, .radius_mm = 2},
        {.kind = rectangle, .amount = {6}, .origin_world = {0, 0, 40}, .u_axis_mm = {0, 1, 0}, .v_axis_mm = {2, 0, 0}},
        {.kind = disk, .amount = {7}, .origin_world = {0, 0, 50}, .direction_world = {1, 0, 2}, .radius_mm = 3},
    };
    RenderScene const built(make_lit_scene(volume, emitters), volume, nullptr, 1);
    SceneView const& view = built.view();
    LightsView const& lights = view.lights;
    EXPECT_EQ(view.surface.triangle_count, 12u);
    ASSERT_EQ(view.surroundings.triangle_count, 130u);
    ASSERT_EQ(view.surroundings.primitive_count, 131u);
    EXPECT_EQ(lights.emitters[0].first_primitive, 130u);
    EXPECT_EQ(lights.emitters[1].first_primitive, 0u);
    EXPECT_EQ(lights.emitters[2].first_primitive, 2u);
    ASSERT_NE(lights.emitter_of, nullptr);
    for (std::uint32_t i = 0; i < 131; ++i) EXPECT_EQ(lights.emitter_of[i], i == 130 ? 1u : i < 2 ? 2u : 3u) << i;
    auto const expect_front = [&](EmitterView const& emitter, Vec3 front, double area) {
        double sum = 0, cumulated = 0;
        for (std::uint32_t i = 0; i < emitter.triangle_count; ++i) {
            EmitterTriangle const& t = lights.triangles[emitter.first_triangle + i];
            EXPECT_GT(dot(normalize(cross(t.b - t.a, t.c - t.a)), normalize(front)), 0.9999f) << i;
            sum += find_area_mm2(t);
        }
        EXPECT_NEAR(sum, area, 1e-4 * area);
        EXPECT_NEAR(static_cast<double>(emitter.area_mm2), area, 1e-4 * area);
        for (std::uint32_t i = 0; i < emitter.triangle_count; ++i) {
            cumulated += find_area_mm2(lights.triangles[emitter.first_triangle + i]) / sum;
            EXPECT_NEAR(static_cast<double>(lights.area_cdf[emitter.first_triangle + i]), cumulated, 1e-5);
        }
        EXPECT_EQ(lights.area_cdf[emitter.first_triangle + emitter.triangle_count - 1], 1.0f);
    };
    expect_front(lights.emitters[1], {0, 0, -1}, 8); // y x x is -z
    expect_front(lights.emitters[2], {0, -1, 2}, 9 * kPi);
    for (std::uint32_t i = 0; i < 131; ++i) {
        BsdfView const& bsdf = view.surroundings.bsdfs[view.surroundings.bsdf_of[i]];
        EXPECT_EQ(bsdf.kind, BsdfKind::diffuse);
        EXPECT_EQ(bsdf.diffuse.colour[0][0], 0.0f);
    }
}

TEST(EmitterTables, MirroredVolumesKeepTheFrontsOfEmitters)
{
    VolumeMeta meta;
    meta.dims = {5, 5, 5};
    meta.placement.rotation = {-1, 0, 0, 0, 1, 0, 0, 0, 1};
    PackedVolume const volume = make_volume(meta);
    Emitter const lamp{
        .kind = EmitterKind::rectangle, .origin_world = {0, 0, 40}, .u_axis_mm = {0, 1, 0}, .v_axis_mm = {1, 0, 0}};
    RenderScene const built(make_lit_scene(volume, {lamp}), volume, nullptr, 1);
    EmitterTriangle const& t = built.view().lights.triangles[0];
    EXPECT_LT(cross(t.b - t.a, t.c - t.a).z, 0.0f);
}

TEST(EmitterTables, TheEnvironmentIsAnEmitterWithNeeOrParticlesAlone)
{
    PackedVolume const volume = make_turned_cube();
    Scene scene = make_lit_scene(volume, {});
    scene.environment.radiance = {3};
    EXPECT_EQ(RenderScene(scene, volume, nullptr, 1).view().transport, Transport::escape);
    Hash128 const before = hash_scene(scene);
    scene.nee = EnvironmentNee::on;
    EXPECT_NE(hash_scene(scene), before);
    RenderScene const connected(scene, volume, nullptr, 1);
    EXPECT_EQ(connected.view().transport, Transport::emitters);
    EXPECT_EQ(connected.view().lights.environment_choice, 1.0f);
    scene.emitters = to_emitter_records(std::vector{Emitter{.origin_world = {0, 0, 20}}});
    scene.nee = EnvironmentNee::off;
    EXPECT_EQ(RenderScene(scene, volume, nullptr, 1).view().lights.environment_choice, 0.0f);
    scene.integrator = Integrator::light;
    RenderScene const particles(scene, volume, nullptr, 1);
    LightsView const& lights = particles.view().lights;
    double const radius = static_cast<double>(lights.scene_radius_mm);
    double const power = 4 * kPi * kPi * radius * radius * 3;
    EXPECT_EQ(particles.view().transport, Transport::particles);
    EXPECT_NEAR(static_cast<double>(lights.reference_power_w), power + 1, 1e-5 * power);
    EXPECT_NEAR(static_cast<double>(lights.environment_choice), power / (power + 1), 1e-6);
    EXPECT_EQ(lights.choice_cdf[0] + lights.environment_choice, 1.0f);
    scene.environment.radiance = {0};
    EXPECT_EQ(RenderScene(scene, volume, nullptr, 1).view().lights.environment_choice, 0.0f);
}

/// n^2 of what the same medium has without refraction, whether the index is the boundary's or the material's.
TEST(EmitterTables, PowerOfTheMediumHasTheSquareOfItsIndex)
{
    VolumeMeta meta;
    meta.dims = {4, 4, 4};
    meta.filter = Filter::nearest;
    meta.extinction = meta.albedo = Source::material;
    meta.has_emission = true;
    std::vector<Material> const media{{"glow", {2}, {0.5f}, 0}};
    PackedVolume const volume = make_volume(
        meta, {.label = [](int, int, int) { return 0; }, .emission = [](int, int, int, int) { return 1.0f; }}, media);
    auto const find_power = [&](Scene const& scene) {
        return static_cast<double>(RenderScene(scene, volume, nullptr, 1).view().lights.reference_power_w);
    };
    Scene scene = make_lit_scene(volume, {});
    scene.emission = MediumEmission::emits;
    scene.environment.radiance = {0};
    scene.integrator = Integrator::light;
    scene.particle_film = ParticleFilm::none;
    double const matched = find_power(scene);
    scene.boundary = {BoundaryKind::smooth, 1.5, 1.0, 0};
    double const by_boundary = find_power(scene);
    scene.material_ior = {1.5f};
    EXPECT_NEAR(by_boundary, 2.25 * matched, 1e-5 * by_boundary);
    EXPECT_NEAR(find_power(scene), by_boundary, 1e-5 * by_boundary);
}

TEST(EmitterTables, AProbeHasNoLightOfItsOwnBesideEmitters)
{
    PackedVolume const volume = make_turned_cube();
    Scene scene = make_lit_scene(volume, {{.origin_world = {0, 0, 20}}});
    scene.camera.kind = CameraKind::probe;
    scene.camera.view = ProbeView::diffuse;
    RenderScene const lit(scene, volume, nullptr, 1);
    EXPECT_EQ(lit.view().environment.above[0], 0.0f);
    EXPECT_EQ(lit.view().environment.above[2], 0.0f);
    scene.emitters.clear();
    EXPECT_EQ(RenderScene(scene, volume, nullptr, 1).view().environment.above[0], 1.0f);
}

TEST(EmitterTables, OnlyLightThatIsRefractedKeepsConnectionsOutOfTheMedium)
{
    PackedVolume const volume = make_turned_cube();
    Emitter const lamp{.kind = EmitterKind::sphere, .origin_world = {0, 0, 30}, .radius_mm = 1};
    Scene scene = make_lit_scene(volume, {lamp});
    EXPECT_EQ(RenderScene(scene, volume, nullptr, 1).view().lights.connects_inside, 1u);
    scene.boundary = {BoundaryKind::smooth, 1.5, 1};
    EXPECT_EQ(RenderScene(scene, volume, nullptr, 1).view().lights.connects_inside, 0u);
}

TEST(EmitterTables, SolidAnglesOfAnImagesTexelsAddUpToTheSphere)
{
    constexpr std::uint32_t kEdge = 64;
    std::vector<float> const texels(std::size_t{2} * kEdge * kEdge, 2.0f);
    EnvironmentView environment;
    environment.kind = LightKindView::image;
    environment.above[0] = 3;
    environment.edge = kEdge;
    environment.texels = texels.data();
    EXPECT_NEAR(integrate_environment(environment, 1)[0], 6 * 4 * kPi, 0.01);
    environment.kind = LightKindView::constant;
    EXPECT_NEAR(integrate_environment(environment, 1)[0], 3 * 4 * kPi, 1e-5);
    environment.kind = LightKindView::hemispheres;
    environment.below[0] = 1;
    EXPECT_NEAR(integrate_environment(environment, 1)[0], 4 * 2 * kPi, 1e-5);
}

TEST(EmitterTables, DirectionsOfAnImageAreChosenByItsRadiance)
{
    constexpr std::uint32_t kEdge = 8;
    std::vector<float> texels(std::size_t{2} * kEdge * kEdge);
    texels[(kEdge + 3) * kEdge + 5] = 1; // the lower hemisphere, row 3, column 5
    EnvironmentView environment;
    environment.kind = LightKindView::image;
    environment.above[0] = 1;
    environment.edge = kEdge;
    environment.texels = texels.data();
    EnvironmentTables tables;
    tables.fill(environment, 1);
    EnvironmentSamplerView const view = tables.view();
    ASSERT_EQ(view.edge, kEdge);
    auto const row = [&](std::uint32_t i) { return view.row_cdf[i] - (i == 0 ? 0.0f : view.row_cdf[i - 1]); };
    auto const cell = [&](std::uint32_t j, std::uint32_t i) {
        return view.cell_cdf[j * kEdge + i] - (i == 0 ? 0.0f : view.cell_cdf[j * kEdge + i - 1]);
    };
    // Interpolation spreads a texel's light over its neighbours: they have all of it, most lies in the middle.
    EXPECT_NEAR(static_cast<double>(row(kEdge + 2) + row(kEdge + 3) + row(kEdge + 4)), 1, 1e-6);
    EXPECT_GT(row(kEdge + 2), 0.05f);
    EXPECT_GT(row(kEdge + 3), 0.7f);
    EXPECT_NEAR(static_cast<double>(cell(kEdge + 3, 4) + cell(kEdge + 3, 5) + cell(kEdge + 3, 6)), 1, 1e-6);
    EXPECT_GT(cell(kEdge + 3, 5), 0.7f);
    EXPECT_EQ(view.row_cdf[2 * kEdge - 1], 1.0f);
    for (std::uint32_t j = 0; j < 2 * kEdge; ++j) EXPECT_EQ(view.cell_cdf[j * kEdge + kEdge - 1], 1.0f);
}

TEST(EmitterTables, TheFilmsScaleFollowsTypicalLightAndHoldsTheBrightest)
{
    PackedVolume const volume = make_turned_cube();
    for (float const power : {1e-3f, 1.0f, 1e6f}) {
        Scene scene = make_lit_scene(volume, {{.amount = {power}, .origin_world = {0, 0, 1}}});
        RenderScene const path(scene, volume, nullptr, 1);
        double const radius = static_cast<double>(path.view().lights.scene_radius_mm);
        double const typical = static_cast<double>(power) / (4 * kPi * radius * radius) / kPi;
        EXPECT_LE(std::ldexp(typical, path.sum_log2()), 0x1p13) << power;
        EXPECT_GT(std::ldexp(typical, path.sum_log2()), 0x1p12) << power;
        scene.integrator = Integrator::light;
        RenderScene const light(scene, volume, nullptr, 1);
        FilmPoint const middle = find_film_point(light.view(), 0.5f * light.view().medium.size_voxels);
        double const scattered = static_cast<double>(middle.gain) / (4 * kPi);
        EXPECT_LE(std::ldexp(scattered, light.sum_log2()), 0x1p16) << power;
        EXPECT_GT(std::ldexp(scattered, light.sum_log2()), 0x1p15) << power;
        EXPECT_EQ(light.view().sum_scale, std::ldexp(1.0f, light.sum_log2()));
        // A film that shows a hundredth of the width has values 10,000 times as large.
        scene.camera.fov_x_deg /= 100;
        RenderScene const near(scene, volume, nullptr, 1);
        EXPECT_NEAR(light.sum_log2() - near.sum_log2(), std::log2(10000), 1.2) << power;
    }
    Emitter const lamp{.kind = EmitterKind::sphere,
                       .unit = EmitterUnit::radiance,
                       .amount = {1e6f},
                       .origin_world = {0, 0, 30},
                       .radius_mm = 0.001};
    RenderScene const bright(make_lit_scene(volume, {lamp}), volume, nullptr, 1);
    EXPECT_LE(std::ldexp(1e6, bright.sum_log2()), 0x1p31);
    EXPECT_GT(std::ldexp(1e6, bright.sum_log2()), 0x1p29);
}

TEST(EmitterTables, WhatIsFarFromTheLightLeavesTheFilmsScale)
{
    Emitter const point{.origin_world = {0, 0, 20}};
    PackedVolume const volume = make_turned_cube();
    Scene scene = make_lit_scene(volume, {point});
    Emitter const far{.kind = EmitterKind::rectangle,
                      .amount = {1e-6f},
                      .origin_world = {1e5, 0, 0},
                      .u_axis_mm = {0, 1, 0},
                      .v_axis_mm = {0, 0, 1}};
    Scene huge = make_lit_scene(volume, {point, far});
    for (Integrator const integrator : {Integrator::path, Integrator::light}) {
        scene.integrator = huge.integrator = integrator;
        RenderScene const built(huge, volume, nullptr, 1);
        EXPECT_GT(built.view().lights.scene_radius_mm, 1e4f);
        EXPECT_NEAR(built.sum_log2(), RenderScene(scene, volume, nullptr, 1).sum_log2(), 1);
    }
}

TEST(EmitterTables, TablesAreSharedWhileTheViewAloneChanges)
{
    PackedVolume const volume = make_turned_cube();
    Scene scene = make_lit_scene(volume, {{.origin_world = {0, 0, 20}}});
    RenderScene built(scene, volume, nullptr, 1);
    EmitterView const* const emitters = built.view().lights.emitters;
    scene.camera.origin_world = {0, 50, 100};
    ASSERT_TRUE(built.shares_tables(scene));
    built.change_view(scene);
    EXPECT_EQ(built.view().lights.emitters, emitters);
    EXPECT_EQ(built.view().transport, Transport::emitters);
    EXPECT_EQ(built.sum_log2(), RenderScene(scene, volume, nullptr, 1).sum_log2());
    auto const shares = [&](auto const& change) {
        Scene changed = scene;
        change(changed);
        return built.shares_tables(changed);
    };
    EXPECT_FALSE(shares([](Scene& it) { it.environment.radiance = {1}; }));
    EXPECT_FALSE(shares([](Scene& it) { it.emitters[4] = 2; }));
    EXPECT_FALSE(shares([](Scene& it) { it.integrator = Integrator::light; }));
    EXPECT_FALSE(shares([](Scene& it) { it.nee = EnvironmentNee::on; }));
}

} // namespace
} // namespace volpt::test
