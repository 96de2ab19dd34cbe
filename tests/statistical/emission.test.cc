// Light that the medium emits: Kirchhoff's law, closed forms, and two integrators against each other.
#include "libvolpt/medium/emission_volume.h"
#include "libvolpt/scene/light/emitter_records.h"
#include "libvolpt/scene/light/tally_sums.h"
#include "tests/statistical/measure.h"
#include "tests/support/make_object_scene.h"
#include "tests/support/make_solids.h"

#include <numbers>

namespace volpt::test {
namespace {

constexpr double kPi = std::numbers::pi;

/// Density and temperature of a small fire: both vary, and it is cold in parts where it is dense.
float fire_radiance(int x, int y, int z, int band)
{
    float const heat = static_cast<float>((x * 5 + y * 2 + z * 3) % 13) / 12;
    return y >= 16 ? 0.0f : heat / static_cast<float>(1 << band);
}

/// The cloud of make_cloud with one source radiance everywhere, or a fire; three bands of different albedo.
PackedVolume make_hot_cloud(std::function<float(int, int, int, int)> radiance, Filter filter = Filter::trilinear)
{
    VolumeMeta meta = cloud_meta(filter);
    set_three_bands(meta);
    meta.constant_one_minus_albedo = {0.1f, 0.5f, 1.0f};
    meta.has_emission = true;
    return make_volume(meta, {.density = cloud_density, .emission = std::move(radiance)});
}

PackedVolume make_furnace_cloud(Filter filter = Filter::trilinear)
{
    return make_hot_cloud([](int, int, int, int) { return 1.0f; }, filter);
}

/// A cube of 2 mm that is 1 warm.
PackedVolume make_hot_cube(float sigma_t, float one_minus_albedo, int edge = 16)
{
    VolumeMeta meta;
    meta.dims = {edge, edge, edge};
    meta.pitch_mm.fill(2.0f / static_cast<float>(edge));
    meta.scale = sigma_t;
    meta.constant_one_minus_albedo = {one_minus_albedo};
    meta.has_emission = true;
    return make_volume(meta, {.emission = [](int, int, int, int) { return 1.0f; }});
}

Scene make_hot_scene(PackedVolume const& volume, std::uint32_t width = 8, std::uint32_t height = 6)
{
    Scene scene = make_scene(volume, width, height);
    scene.emission = MediumEmission::emits;
    scene.environment.radiance = {0.0f};
    return scene;
}

/// In an environment of its own radiance a body of one temperature cannot be seen: without roulette each sample is 1
/// but for the rounding of floats, with it the mean is.
void expect_invisible(Scene scene, PackedVolume const& volume, std::string const& what)
{
    scene.environment.radiance = {1.0f};
    scene.roulette_w_min = 0;
    RenderScene const built(scene, volume, nullptr, 7);
    SceneView const& view = built.view();
    EXPECT_EQ(view.transport, Transport::emitters);
    std::uint32_t const samples = 48 / kHaste + 1;
    TileSums sums(std::size_t{view.width} * view.height * view.bands);
    PathCounts counts;
    list_cpu_kernels().front().render(view, {0, 0, view.width, view.height, 0, samples}, sums.view(), counts, {});
    for (std::uint64_t const sum : sums.sums)
        ASSERT_NEAR(static_cast<double>(sum) / samples / static_cast<double>(view.sum_scale), 1, 2e-5) << what;
    EXPECT_EQ(counts.lost_paths, 0u) << what;
    EXPECT_GE(counts.extensions, counts.paths) << what;
    scene.roulette_w_min = 0.5f;
    for (Measurement const& band : measure_radiance(scene, volume, 64 / kHaste + 1))
        EXPECT_NEAR(band.mean, 1, 4 * band.standard_error + 1e-5) << what;
}

TEST(Emission, BodyInLightOfItsOwnTemperatureIsInvisible)
{
    for (Filter const filter : {Filter::trilinear, Filter::nearest}) {
        PackedVolume const cloud = make_furnace_cloud(filter);
        for (MajorantKind const majorant : {MajorantKind::local, MajorantKind::global}) {
            Scene scene = make_hot_scene(cloud, 16, 12);
            scene.majorant = majorant;
            expect_invisible(scene, cloud, "cloud");
        }
    }
    for (float const one_minus_albedo : {0.01f, 0.3f, 1.0f}) {
        PackedVolume const cube = make_hot_cube(3, one_minus_albedo);
        expect_invisible(make_hot_scene(cube), cube, "homogeneous cube");
    }
}

/// Inside, its radiance is n^2 times that outside.
TEST(Emission, RefractingBodyInLightOfItsOwnTemperatureIsInvisible)
{
    PackedVolume const cube = make_hot_cube(3, 0.3f);
    for (double const alpha : {0.0, 0.3}) {
        Scene scene = make_hot_scene(cube);
        scene.boundary = {alpha > 0 ? BoundaryKind::rough : BoundaryKind::smooth, 1.5, 1.0, alpha};
        scene.boundary.microfacets = Microfacets::multiple;
        expect_invisible(scene, cube, "boundary");
    }
}

PackedVolume pack_hot(std::vector<MadeSolid> const& solids)
{
    TempFolder const folder;
    auto const stream = add_emission(std::make_unique<MadeSolids>(solids, 16), nullptr, {.constant = {1}});
    pack_volume(*stream, folder / "made.vpk", {}, {});
    return PackedVolume::open(folder / "made.vpk", VerifyLevel::full);
}

TEST(Emission, SolidsOfDifferentIndexInLightOfTheirOwnTemperatureAreInvisible)
{
    PackedVolume const volume = pack_hot(
        {{make_icosphere(1, 8), {"a", {2.0f}, {0.4f}, 0.0f}, make_dielectric(1.5)},
         {move_mesh(make_icosphere(1, 8), {2.1f, 0, 0}), {"b", {4.0f}, {0.1f}, 0.5f}, make_dielectric(1.2, 0.3)}});
    expect_invisible(make_hot_scene(volume), volume, "solids");
}

/// A slab that does not scatter, seen along its normal: (1 - exp(-tau)) S.
TEST(Emission, AbsorbingSlabShinesByItsOpticalDepth)
{
    for (float const sigma_t : {0.2f, 1.5f}) {
        PackedVolume const cube = make_hot_cube(sigma_t, 1);
        Scene scene = make_hot_scene(cube, 1, 1);
        scene.camera.origin_world = {1, 1, 1000};
        scene.camera.target_world = {1, 1, 0};
        scene.camera.up_world = {0, 1, 0};
        scene.camera.fov_x_deg = 0.01;
        double const truth = 1 - std::exp(-2.0 * static_cast<double>(sigma_t));
        expect_truth(measure_radiance(scene, cube, 40000 / kHaste)[0], truth, 1e-5, "slab");
    }
}

/// Two layers: what lies behind shines through what lies before.
TEST(Emission, LayersShineThroughEachOther)
{
    VolumeMeta meta = density_meta({8, 8, 16}, Filter::nearest);
    meta.pitch_mm = {0.25f, 0.25f, 0.125f};
    meta.constant_one_minus_albedo = {1};
    meta.has_emission = true;
    PackedVolume const volume =
        make_volume(meta, {.density = [](int, int, int z) { return z < 8 ? 0.9f : 0.4f; },
                           .emission = [](int, int, int z, int) { return z < 8 ? 5.0f : 1.0f; }});
    Scene scene = make_hot_scene(volume, 1, 1);
    scene.camera.origin_world = {1, 1, 1000};
    scene.camera.target_world = {1, 1, 0};
    scene.camera.up_world = {0, 1, 0};
    scene.camera.fov_x_deg = 0.01;
    double const truth = (1 - std::exp(-0.4)) + std::exp(-0.4) * 5 * (1 - std::exp(-0.9));
    expect_truth(measure_radiance(scene, volume, 40000 / kHaste)[0], truth, 1e-5, "layers");
    scene.majorant = MajorantKind::global;
    expect_truth(measure_radiance(scene, volume, 40000 / kHaste)[0], truth, 1e-5, "layers, global majorant");
}

/// Both integrators, band by band.
void expect_integrators_agree(Scene const& scene, PackedVolume const& volume, std::uint32_t samples,
                              std::string const& what)
{
    Scene light = scene;
    light.integrator = Integrator::light;
    auto const by_path = measure_radiance(scene, volume, samples / kHaste);
    auto const by_light = measure_radiance(light, volume, samples / kHaste, 8);
    for (std::size_t band = 0; band < by_path.size(); ++band) {
        EXPECT_GT(by_path[band].mean, 25 / std::sqrt(kHaste) * by_path[band].standard_error) << what;
        expect_equal_means(by_path[band], by_light[band], what);
    }
}

TEST(Emission, PathAndLightAgreeOnAFire)
{
    for (Filter const filter : {Filter::trilinear, Filter::nearest}) {
        PackedVolume const fire = make_hot_cloud(fire_radiance, filter);
        expect_integrators_agree(make_hot_scene(fire), fire, 2000, "fire");
    }
}

/// A lamp, the environment and the medium share the particles.
TEST(Emission, PathAndLightAgreeOnAFireAmongOtherLights)
{
    PackedVolume const fire = make_hot_cloud(fire_radiance);
    Scene scene = make_hot_scene(fire);
    Emitter lamp;
    lamp.origin_world = {1, 1, 5};
    lamp.amount = {5};
    scene.emitters = to_emitter_records({&lamp, 1});
    scene.environment.radiance = {0.05f};
    expect_integrators_agree(scene, fire, 4000, "lamp, environment and fire");
}

/// What lies beyond the surface does not emit, nor does what the box holds beside.
TEST(Emission, PathAndLightAgreeOnAGlowingBall)
{
    SolidBoundary const none{};
    PackedVolume const ball = pack_hot({{make_icosphere(1, 8), {"a", {2.0f}, {0.4f}, 0.0f}, none}});
    expect_integrators_agree(make_hot_scene(ball), ball, 2000, "ball");
}

/// Through a boundary that refracts: particles carry n^2 times the power.
TEST(Emission, PathAndLightAgreeOnAFaceOfAHotRefractingCube)
{
    PackedVolume const cube = make_hot_cube(2, 0.5f);
    Scene scene = make_hot_scene(cube, 4, 4);
    scene.camera = {};
    scene.camera.kind = CameraKind::probe;
    scene.camera.view = ProbeView::diffuse;
    scene.boundary = {BoundaryKind::smooth, 1.5, 1.0, 0};
    expect_integrators_agree(scene, cube, 8000, "hot face");
}

/// 4 pi n^2 sigma_a S by volume.
TEST(Emission, LaunchedPowerIsThatOfTheVolume)
{
    auto const measure = [](Scene scene, PackedVolume const& volume) {
        scene.integrator = Integrator::light;
        RenderScene built(scene, volume, nullptr, 3);
        TallySums tally({}, built.view(), {});
        built.attach_tally(tally.view());
        SceneView const& view = built.view();
        std::uint32_t const particles = 20000;
        TileSums sums(1);
        PathCounts counts;
        list_cpu_kernels().front().render(view, {0, 0, 1, 1, 0, particles}, sums.view(), counts, {});
        return tally.measure_launched()[0] / particles * static_cast<double>(view.lights.reference_power_w);
    };
    PackedVolume const cube = make_hot_cube(2, 0.25f);
    Scene scene = make_hot_scene(cube, 1, 1);
    EXPECT_NEAR(measure(scene, cube), 4 * kPi * 0.5 * 8, 1e-4 * 4 * kPi * 4);
    scene.boundary = {BoundaryKind::smooth, 1.5, 1.0, 0};
    EXPECT_NEAR(measure(scene, cube), 2.25 * 4 * kPi * 0.5 * 8, 1e-4 * 9 * kPi * 4);
    TriangleMesh const sphere = make_icosphere(1, 8);
    PackedVolume const ball = pack_hot({{sphere, {"a", {2.0f}, {0.4f}, 0.0f}, make_dielectric(1.5)}});
    double const power = 2.25 * 4 * kPi * 0.8 * measure_mesh(sphere).volume;
    EXPECT_NEAR(measure(make_hot_scene(ball, 1, 1), ball), power, 0.02 * power); // by rejection in the box
}

} // namespace
} // namespace volpt::test
