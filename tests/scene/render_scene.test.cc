// From scene, volume and light to the view that core renders: what is refused, and what the view holds.
#include "libvolpt/scene/render_scene.h"

#include "libvolpt/core/fixed_point.hd.h"
#include "libvolpt/scene/light/emitter_records.h"
#include "libvolpt/scene/light_image.h"
#include "libvolpt/sys/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/make_volume.h"

#include <gtest/gtest.h>
#include <limits>

namespace volpt::test {
namespace {

Scene make_scene_of(PackedVolume const& volume)
{
    Scene scene;
    scene.volume_checksum = volume.data_checksum();
    scene.width = 20;
    scene.height = 10;
    scene.bands = volume.meta().bands();
    scene.camera.origin_world = {0, 0, 10};
    scene.camera.target_world = {0, 0, 0};
    return scene;
}

PackedVolume make_bare_volume(float sigma_t = 1)
{
    VolumeMeta meta;
    meta.dims = {3, 4, 5};
    meta.constant_extinction = {sigma_t};
    return make_volume(meta);
}

PackedVolume make_ramp()
{
    return make_volume(density_meta({9, 9, 9}, Filter::trilinear, Encoding::f32),
                       {.density = [](int x, int, int) { return 0.1f * static_cast<float>(x); }});
}

void expect_refused(ExitStatus status, Scene const& scene, PackedVolume const& volume,
                    LightImage const* light = nullptr)
{
    expect_error(status, {}, [&] { RenderScene const built(scene, volume, light, 1); });
}

TEST(RenderScene, AnotherVolumeIsRefused)
{
    PackedVolume const volume = make_bare_volume();
    PackedVolume const other = make_bare_volume(2);
    EXPECT_NO_THROW(RenderScene(make_scene_of(volume), volume, nullptr, 1));
    expect_refused(ExitStatus::input, make_scene_of(volume), other);
}

TEST(RenderScene, AnotherLightIsRefusedAndSoIsNone)
{
    PackedVolume const volume = make_bare_volume();
    std::uint32_t const grey[] = {0};
    Image picture = make_image(8, 4, Transfer::linear, {"Y"});
    LightImage const light = make_light_image(picture, grey, "sky");
    picture.channels[0].values[3] = 1;
    LightImage const other = make_light_image(picture, grey, "sky");
    Scene scene = make_scene_of(volume);
    scene.environment = {EnvironmentKind::image, {1.0f}, {}, light.checksum, 2, 0};
    EXPECT_NO_THROW(RenderScene(scene, volume, &light, 1));
    expect_refused(ExitStatus::input, scene, volume, &other);
    expect_refused(ExitStatus::input, scene, volume, nullptr);
}

TEST(RenderScene, InvalidScenesAndOtherBandCountsAreRefused)
{
    PackedVolume const volume = make_bare_volume();
    Scene scene = make_scene_of(volume);
    scene.camera.fov_x_deg = 200;
    expect_refused(ExitStatus::usage, scene, volume);
    scene = make_scene_of(volume);
    scene.bands = 3;
    expect_refused(ExitStatus::input, scene, volume);
}

PackedVolume make_two_labels(Filter filter)
{
    VolumeMeta meta = density_meta({9, 9, 9}, filter);
    meta.extinction = meta.albedo = meta.anisotropy = Source::material;
    return make_volume(meta, {.label = [](int x, int, int) { return x / 5; }},
                       {{"a", {1}, {0.1f}, 0}, {"b", {2}, {0.1f}, 0}});
}

TEST(RenderScene, InterfacesNeedABoxOfLabelsWithAnIndexEach)
{
    PackedVolume const labels = make_two_labels(Filter::nearest);
    Scene scene = make_scene_of(labels);
    EXPECT_EQ(RenderScene(scene, labels, nullptr, 1).view().interfaces.material_ior, nullptr);
    scene.material_ior = {1.3f, 1.5f};
    scene.boundary = {BoundaryKind::smooth, 1, 1.1};
    RenderScene const built(scene, labels, nullptr, 1);
    EXPECT_EQ(built.view().transport, Transport::emitters);
    EXPECT_EQ(built.view().interfaces.material_ior[1], 1.5f);
    EXPECT_EQ(built.view().interfaces.ext_ior, 1.1f);
    // What is refracted inside is not found by connections.
    Scene lit = scene;
    lit.boundary.kind = BoundaryKind::none;
    lit.emitters = to_emitter_records(std::vector{Emitter{.origin_world = {0, 0, 30}}});
    expect_error(ExitStatus::usage, {"interfaces between materials", "--interfaces none"},
                 [&] { RenderScene const other(lit, labels, nullptr, 1); });
    lit.integrator = Integrator::light;
    expect_error(ExitStatus::usage, {"camera through interfaces between materials"},
                 [&] { RenderScene const other(lit, labels, nullptr, 1); });
    Scene under = scene;
    under.ground.kind = GroundKind::diffuse;
    expect_refused(ExitStatus::usage, under, labels);
    scene.material_ior.push_back(1.2f);
    expect_refused(ExitStatus::usage, scene, labels);
    scene.material_ior.pop_back();
    for (PackedVolume const& other : {make_two_labels(Filter::trilinear), make_ramp()}) {
        scene.volume_checksum = other.data_checksum();
        expect_refused(ExitStatus::usage, scene, other);
    }
}

TEST(RenderScene, TheFilmScaleCoversTheBrightestLight)
{
    PackedVolume const volume = make_bare_volume();
    for (float const radiance : {0.0f, 1e-9f, 0.3f, 0.5f, 1.0f, 1.0001f, 100.0f, 1e9f}) {
        Scene scene = make_scene_of(volume);
        scene.environment.radiance = {radiance};
        RenderScene const built(scene, volume, nullptr, 1);
        double const largest = std::ldexp(static_cast<double>(radiance), built.sum_log2());
        EXPECT_LE(largest, 0x1p31) << radiance;
        if (radiance > 1e-6f) {
            EXPECT_GT(largest, 0x1p30) << radiance;
        }
        EXPECT_EQ(built.view().sum_scale, std::ldexp(1.0f, built.sum_log2()));
    }
}

TEST(RenderScene, TheFilmScaleDoesNotDependOnSeedPictureOrRoulette)
{
    PackedVolume const volume = make_bare_volume();
    Scene scene = make_scene_of(volume);
    RenderScene const first(scene, volume, nullptr, 1);
    scene.width = 99;
    scene.roulette_w_min = 0;
    RenderScene const second(scene, volume, nullptr, 77);
    EXPECT_EQ(first.sum_log2(), second.sum_log2());
}

TEST(RenderScene, AnotherEstimatorIsRefused)
{
    PackedVolume const volume = make_bare_volume();
    Scene scene = make_scene_of(volume);
    scene.estimator = 1;
    EXPECT_NE(hash_scene(scene), hash_scene(make_scene_of(volume)));
    expect_refused(ExitStatus::input, scene, volume);
}

TEST(RenderScene, TheScenesScaleAndAnisotropyReplaceTheVolumes)
{
    std::vector<Material> const inks{{"a", {2}, {0.5f}, 0.9f}, {"b", {3}, {0.25f}, -0.5f}};
    VolumeMeta meta;
    meta.dims = {9, 9, 9};
    meta.extinction = meta.albedo = meta.anisotropy = Source::material;
    PackedVolume const volume = make_volume(meta, {.label = [](int x, int, int) { return x % 2; }}, inks);
    Scene scene = make_scene_of(volume);
    scene.scale = 4;
    RenderScene const plain(scene, volume, nullptr, 1);
    EXPECT_EQ(plain.view().medium.scattering, Scattering::material_g);
    EXPECT_EQ(plain.view().medium.material_g[1], -0.5f);
    EXPECT_EQ(plain.view().medium.material_sigma_t[1], 12.0f);
    EXPECT_EQ(plain.view().medium.band[0].majorant, 12.0f);
    scene.override_g = true;
    EXPECT_EQ(RenderScene(scene, volume, nullptr, 1).view().medium.scattering, Scattering::isotropic);
    scene.g = 0.25f;
    RenderScene const overridden(scene, volume, nullptr, 1);
    EXPECT_EQ(overridden.view().medium.scattering, Scattering::constant_g);
    EXPECT_EQ(overridden.view().medium.g, 0.25f);
}

TEST(RenderScene, OnlyGreyRgbVolumesCarryAllBandsOnOnePath)
{
    VolumeMeta meta;
    meta.dims = {2, 2, 2};
    meta.band_numbers = {0, 1, 2};
    meta.constant_one_minus_albedo = {0.1f, 0.2f, 0.3f};
    meta.constant_extinction = {1, 1, 1};
    PackedVolume const grey = make_volume(meta);
    EXPECT_EQ(RenderScene(make_scene_of(grey), grey, nullptr, 1).view().path_bands, 3u);
    meta.constant_extinction = {1, 2, 1};
    PackedVolume const chromatic = make_volume(meta);
    EXPECT_EQ(RenderScene(make_scene_of(chromatic), chromatic, nullptr, 1).view().path_bands, 1u);
}

TEST(RenderScene, FlightsInAnEmptyMediumAreInfinite)
{
    PackedVolume const volume = make_bare_volume(0);
    RenderScene const built(make_scene_of(volume), volume, nullptr, 1);
    EXPECT_EQ(built.view().medium.band[0].majorant, 0.0f);
    EXPECT_EQ(built.view().medium.band[0].mean_free_path_voxels.x, std::numeric_limits<float>::infinity());
}

TEST(RenderScene, SharesTablesWithScenesThatDifferInTheirViewAlone)
{
    PackedVolume const volume = make_ramp();
    Scene const base = make_scene_of(volume);
    RenderScene const render(base, volume, nullptr, 7);
    auto const shares = [&](auto const& change) {
        Scene scene = base;
        change(scene);
        return render.shares_tables(scene);
    };
    EXPECT_TRUE(shares([](Scene& scene) { scene.camera.origin_world[1] += 1; }));
    EXPECT_TRUE(shares([](Scene& scene) { scene.width = 640; }));
    EXPECT_TRUE(shares([](Scene& scene) { scene.environment.radiance = {2.0f}; }));
    EXPECT_TRUE(shares([](Scene& scene) { scene.boundary = {BoundaryKind::rough, 1.5, 1.0, 0.2}; }));
    EXPECT_TRUE(shares([](Scene& scene) { scene.override_g = true, scene.g = 0.5f; }));
    EXPECT_FALSE(shares([](Scene& scene) { scene.scale *= 2; }));
    EXPECT_FALSE(shares([](Scene& scene) { scene.ground.kind = GroundKind::diffuse; }));
    EXPECT_FALSE(shares([](Scene& scene) { scene.long_steps = LongSteps::spheres; }));
    EXPECT_FALSE(shares([](Scene& scene) { scene.majorant = MajorantKind::global; }));
    EXPECT_FALSE(shares([](Scene& scene) { scene.camera.kind = CameraKind::probe; }));
}

TEST(RenderScene, KeepsItsPointersWhenItsViewChanges)
{
    PackedVolume const volume = make_ramp();
    Scene scene = make_scene_of(volume);
    RenderScene render(scene, volume, nullptr, 7);
    float const* const majorants = render.view().medium.local_majorants;
    scene.camera.origin_world[1] += 1;
    scene.environment.radiance = {8.0f};
    scene.override_g = true;
    scene.g = 0.5f;
    render.change_view(scene);
    RenderScene const fresh(scene, volume, nullptr, 7);
    EXPECT_EQ(render.view().medium.local_majorants, majorants);
    EXPECT_EQ(render.sum_log2(), fresh.sum_log2());
    EXPECT_EQ(render.view().sum_scale, fresh.view().sum_scale);
    EXPECT_EQ(render.view().medium.g, 0.5f);
    EXPECT_EQ(render.view().draws_before_stratified, fresh.view().draws_before_stratified);
    EXPECT_EQ(hash_scene(render.scene()), hash_scene(scene));
}

} // namespace
} // namespace volpt::test
