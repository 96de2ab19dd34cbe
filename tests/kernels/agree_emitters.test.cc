// Kernels give the CPU's sums bit for bit in scenes with emitters, tallies and detectors included; skipped where no GPU
// is.
#include "kernels/gpu_backend.h"
#include "libvolpt/core/surface/nested_solids.hd.h"
#include "libvolpt/cpu/cpu_backend.h"
#include "libvolpt/render/film_sink.h"
#include "libvolpt/scene/detectors/detector_tables.h"
#include "libvolpt/scene/light/emitter_records.h"
#include "libvolpt/scene/light/tally_sums.h"
#include "tests/kernels/half_tiles.h"
#include "tests/kernels/kernel_shapes.h"
#include "tests/support/expect_error.h"
#include "tests/support/make_nested_solids.h"
#include "tests/support/make_scene.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <optional>

namespace volpt::test {
namespace {

struct EmitterResult {
    TileSums planes;
    std::vector<std::uint64_t> half_sums; ///< of a renderer that keeps them apart
    PathCounts counts;
    std::vector<std::uint64_t> tally, energy; ///< `tally` with the sums of detectors
    std::size_t detected = 0;                 ///< sums of detectors that are not 0
    double shadow_ray_efficiency = 0;         ///< on a GPU
};

std::vector<Wide> join_squares(TileSums const& planes)
{
    std::vector<Wide> squares(planes.low_squares.begin(), planes.low_squares.end());
    for (std::size_t i = 0; i < squares.size(); ++i) squares[i] += Wide{planes.high_squares[i]} << kSquareHalfLog2;
    return squares;
}

constexpr RenderTile kEmitterTile{3, 2, 30, 21, 5, 7};

/// The area that is rendered: of Markov chains, all of the film.
RenderTile choose_tile(SceneView const& view)
{
    RenderTile tile = kEmitterTile;
    if (view.transport != Transport::metropolis) return tile;
    tile.x0 = tile.y0 = 0;
    tile.x1 = view.width;
    tile.y1 = view.height;
    return tile;
}

/// Rings on the upper face, and a disc at a side; of nested solids, a disc at a side of the outer one.
std::vector<DetectorSpec> place_detectors(VolumeMeta const& meta, SceneView const& view)
{
    if (has_nested_solids(view)) {
        DetectorSpec disc;
        disc.center_world = {{1, 0, 0}};
        disc.radius_mm = 1;
        return {disc};
    }
    auto const size = [&](std::size_t axis) { return meta.dims[axis] * static_cast<double>(meta.pitch_mm[axis]); };
    DetectorSpec rings, disc;
    rings.kind = DetectorKind::rings;
    rings.center_world = {{size(0) / 2, size(1) / 2, size(2)}};
    rings.ring_width_mm = 0.2;
    rings.ring_count = 5;
    disc.center_world = {{0, size(1) / 2, size(2) / 2}};
    disc.radius_mm = size(1) / 2;
    disc.acceptance_deg = 60;
    return {rings, disc};
}

/// Renders `tile`, with a tally and detectors for particles, in launches of at most `launch_samples` samples. Fluence
/// is summed by length where particles have no film, but among interfaces.
EmitterResult run_emitters(SceneView view, PackedVolume const& volume, RenderTile const& tile, Backend const& backend,
                           RendererOptions const& options, std::uint32_t launch_samples)
{
    FluenceEstimator const estimator = view.transport == Transport::tallies && !has_interfaces(view)
                                           ? FluenceEstimator::length
                                           : FluenceEstimator::collision;
    TallySpec const tally{.kind = TallyKind::fluence, .gates = 3, .gate_ns = 0.004, .estimator = estimator};
    std::optional<DetectorTables> detectors;
    if (view.transport != Transport::tallies)
        detectors.emplace(place_detectors(volume.meta(), view), view, volume, tally, TallyIndices{});
    TallySums sums(tally, view, {}, detectors ? detectors->view() : DetectorsView{});
    if (starts_at_emitters(view.transport)) view.tally = sums.view();
    auto const renderer = backend.make_renderer(view, view.width * view.height, options, nullptr);
    FilmHalf const half = renderer->can_keep_half_apart() ? FilmHalf::apart : FilmHalf::joined;
    renderer->open(0, tile, half);
    for (std::uint32_t done = 0; done < tile.sample_count; done += launch_samples)
        renderer->add_samples(0, tile.first_sample + done, std::min(launch_samples, tile.sample_count - done), {});
    renderer->close(0);
    CollectedSums const got = renderer->collect(0);
    EmitterResult result;
    BlockSums const copy =
        copy_sums({find_reached_pixels(view, tile), got.planes, got.half_sums}, count_sum_planes(view));
    result.planes = copy.planes;
    result.half_sums = copy.half_sums;
    result.counts = got.totals.counts;
    if (got.totals.shadow_ray_slots > 0)
        result.shadow_ray_efficiency =
            static_cast<double>(got.totals.counts.shadow_rays) / static_cast<double>(got.totals.shadow_ray_slots);
    if (starts_at_emitters(view.transport)) {
        renderer->collect_tally(view.tally);
        result.tally.assign(view.tally.sums, view.tally.sums + count_tally_sums(view.tally, view.bands));
        result.detected =
            result.tally.size() -
            static_cast<std::size_t>(std::count(
                result.tally.begin() + static_cast<std::ptrdiff_t>(count_volume_sums(view.tally, view.bands)),
                result.tally.end(), 0u)) -
            count_volume_sums(view.tally, view.bands);
        result.energy.assign(view.tally.energy_sums, view.tally.energy_sums + count_energy_sums(view.bands));
    }
    return result;
}

class EveryKernelWithEmitters : public testing::TestWithParam<std::string> {
protected:
    void SetUp() override
    {
        std::string why;
        if (list_gpus(&why).empty()) GTEST_SKIP() << why;
    }

    void expect_agreement(Scene const& scene, PackedVolume const& volume)
    {
        RenderScene const built(scene, volume, nullptr, 11);
        SceneView const& view = built.view();
        bool const takes = view.transport == Transport::bidirectional ? takes_bidirectional_paths(GetParam())
                           : view.transport == Transport::metropolis  ? takes_chains(GetParam())
                                                                      : takes_emitters(GetParam());
        if (!takes) {
            expect_error(ExitStatus::usage, {"use --kernel auto"}, [&] {
                run_emitters(view, volume, choose_tile(view), *gpu_backend(), {.kernel = GetParam()}, 7);
            });
            return;
        }
        RenderTile const tile = choose_tile(view);
        RendererOptions const on_cpu{.kernel = std::string(list_cpu_kernels().front().name)};
        EmitterResult expected = run_emitters(view, volume, tile, cpu_backend(), on_cpu, 7);
        bool const has_half =
            carries_all_bands(view) && !starts_at_emitters(view.transport) && view.transport != Transport::metropolis;
        if (has_half)
            expected.half_sums =
                run_emitters(view, volume, list_half_tiles(tile).at(0), cpu_backend(), on_cpu, 7).planes.sums;
        if (scene.boundary.kind == BoundaryKind::none) {
            bool const has_light = view.lights.count > 0 || view.lights.environment_choice > 0;
            EXPECT_EQ(expected.counts.shadow_rays > 0, has_light && view.transport != Transport::tallies);
        }
        if (view.transport == Transport::particles) {
            EXPECT_GT(expected.detected, 0u);
        }
        for (RendererOptions const& options : list_shapes(GetParam())) {
            SCOPED_TRACE(describe_choice(list_gpu_kernels(), options));
            expect_equal(run_emitters(view, volume, tile, *gpu_backend(), options, 7), expected);
            expect_equal(run_emitters(view, volume, tile, *gpu_backend(), options, 3), expected);
        }
    }

    static void expect_equal(EmitterResult const& got, EmitterResult const& expected)
    {
        ASSERT_EQ(got.planes.sums, expected.planes.sums);
        ASSERT_EQ(join_squares(got.planes), join_squares(expected.planes));
        ASSERT_EQ(got.half_sums, expected.half_sums);
        ASSERT_EQ(got.tally, expected.tally);
        ASSERT_EQ(got.energy, expected.energy);
        EXPECT_EQ(got.counts.paths, expected.counts.paths);
        EXPECT_EQ(got.counts.extensions, expected.counts.extensions);
        EXPECT_EQ(got.counts.tentative_collisions, expected.counts.tentative_collisions);
        EXPECT_EQ(got.counts.shadow_rays, expected.counts.shadow_rays);
        EXPECT_EQ(got.counts.lost_paths, expected.counts.lost_paths);
        // Of rays over lanes of the warps that followed them.
        EXPECT_LE(got.shadow_ray_efficiency, 1.0);
        EXPECT_EQ(got.shadow_ray_efficiency > 0, expected.counts.shadow_rays > 0);
    }

    /// Of whole samples, and of Markov chains.
    void expect_bidirectional_agreement(Scene scene, PackedVolume const& volume)
    {
        scene.integrator = Integrator::bdpt;
        expect_agreement(scene, volume);
        scene.integrator = Integrator::mlt;
        scene.mlt = {.mutations = 40, .bootstrap = 8, .chains = 60, .longest = 6};
        expect_agreement(scene, volume);
    }

    /// As seen by paths, and by particles.
    void expect_both_agree(Scene scene, PackedVolume const& volume)
    {
        expect_agreement(scene, volume);
        scene.integrator = Integrator::light;
        expect_agreement(scene, volume);
        scene.particle_film = ParticleFilm::none;
        expect_agreement(scene, volume);
    }
};

Scene light_by(PackedVolume const& volume, std::vector<Emitter> const& emitters)
{
    Scene scene = make_scene(volume);
    scene.environment.radiance = {0.0f};
    scene.emitters = to_emitter_records(emitters);
    return scene;
}

Emitter make_lamp(EmitterKind kind, std::array<double, 3> origin_world)
{
    Emitter lamp;
    lamp.kind = kind;
    lamp.origin_world = origin_world;
    return lamp;
}

std::vector<Emitter> make_points()
{
    Emitter spot = make_lamp(EmitterKind::spot, {1.2, 1.3, 5});
    spot.angle_deg = 30;
    spot.inner_angle_deg = 10;
    Emitter beam = make_lamp(EmitterKind::beam, {1.3, 1.2, 4});
    beam.profile = BeamProfile::gaussian;
    beam.radius_mm = 0.3;
    return {make_lamp(EmitterKind::point, {3, 2, 4}), spot, beam};
}

/// Those of make_points above solids, whose box has its middle at 0.
std::vector<Emitter> make_points_above_solids()
{
    std::vector<Emitter> lamps = make_points();
    for (Emitter& lamp : lamps)
        for (double& coordinate : lamp.origin_world) coordinate -= 1;
    return lamps;
}

Emitter make_sphere()
{
    Emitter sphere = make_lamp(EmitterKind::sphere, {4, 1, 3});
    sphere.radius_mm = 0.5;
    return sphere;
}

Emitter make_sun()
{
    Emitter sun = make_lamp(EmitterKind::sun, {0, 0, 0});
    sun.unit = EmitterUnit::irradiance;
    sun.direction_world = {1, 1, -2};
    sun.angle_deg = 3;
    return sun;
}

std::vector<Emitter> make_areas()
{
    Emitter disk = make_lamp(EmitterKind::disk, {1, 1, 6});
    disk.radius_mm = 1;
    return {make_sphere(), disk, make_sun()};
}

/// Both heuristics; splats, joined vertices, emitters that paths meet, in whole samples and in Markov chains.
TEST_P(EveryKernelWithEmitters, AgreesOnBidirectionalPaths)
{
    std::vector<Emitter> lamps = make_points();
    lamps.push_back(make_sphere());
    for (PackedVolume const& volume : {make_cloud(), make_inks(), make_print()}) {
        Scene scene = light_by(volume, lamps);
        expect_bidirectional_agreement(scene, volume);
        scene.heuristic = MisHeuristic::power;
        scene.depth_limit = 40;
        expect_bidirectional_agreement(scene, volume);
    }
}

TEST_P(EveryKernelWithEmitters, AgreesOnBidirectionalPathsToAProbe)
{
    PackedVolume const cube = make_bare_cube(8, 0.1f);
    Scene scene = make_probe(cube);
    scene.camera.view = ProbeView::diffuse;
    scene.emitters = to_emitter_records(std::vector{make_sun()});
    expect_bidirectional_agreement(scene, cube);
    scene.boundary = {};
    scene.emitters = to_emitter_records(make_points());
    expect_bidirectional_agreement(scene, cube);
}

TEST_P(EveryKernelWithEmitters, AgreesOnBidirectionalPathsOverAGround)
{
    PackedVolume const cloud = make_colour_cloud();
    Scene scene = light_by(cloud, {make_sphere()});
    scene.ground = {GroundKind::checker, {0.8f}, {0.3f}, 0.7, 4};
    expect_bidirectional_agreement(scene, cloud);
}

TEST_P(EveryKernelWithEmitters, AgreesOnBidirectionalPathsAmongSolidsThatLieInOthers)
{
    for (std::size_t const bands : {1u, 3u}) {
        PackedVolume const matched = pack_solids(make_matched_nest(bands), 4);
        Scene scene = light_by(matched, make_points_above_solids());
        expect_bidirectional_agreement(scene, matched);
    }
}

TEST_P(EveryKernelWithEmitters, AgreesInACloud)
{
    expect_both_agree(light_by(make_cloud(), make_points()), make_cloud());
}

/// Which has instances of its own without a film.
TEST_P(EveryKernelWithEmitters, AgreesInAHomogeneousCube)
{
    PackedVolume const cube = make_bare_cube(8, 0.1f);
    Scene scene = light_by(cube, make_points());
    expect_both_agree(scene, cube);
    scene.integrator = Integrator::light;
    scene.particle_film = ParticleFilm::none;
    scene.boundary = {.kind = BoundaryKind::smooth, .int_ior = 1.4};
    expect_agreement(scene, cube);
}

TEST_P(EveryKernelWithEmitters, AgreesInInksOfSeveralBands)
{
    PackedVolume const inks = make_inks();
    expect_both_agree(light_by(inks, make_points()), inks);
}

TEST_P(EveryKernelWithEmitters, AgreesWithThreeBandsOnAPath)
{
    PackedVolume const print = make_print();
    expect_both_agree(light_by(print, make_points()), print);
}

TEST_P(EveryKernelWithEmitters, AgreesWithAreasAroundTheVolumeAndAGround)
{
    PackedVolume const cloud = make_colour_cloud();
    Scene scene = light_by(cloud, make_areas());
    scene.ground = {GroundKind::checker, {0.8f}, {0.3f}, 0.7, 4};
    expect_agreement(scene, cloud);
    scene.ground = {};
    expect_both_agree(scene, cloud);
}

TEST_P(EveryKernelWithEmitters, AgreesOnConnectionsToTheEnvironment)
{
    PackedVolume const cloud = make_cloud();
    Scene scene = make_scene(cloud);
    scene.nee = EnvironmentNee::on;
    expect_agreement(scene, cloud);
}

/// Of the source's radiance in three bands; dark in parts.
float find_radiance(int x, int y, int z, int band)
{
    return y >= 16 ? 0.0f : static_cast<float>((x * 5 + y * 2 + z * 3) % 13) / static_cast<float>(12 << band);
}

TEST_P(EveryKernelWithEmitters, AgreesInAMediumThatEmits)
{
    VolumeMeta meta = cloud_meta();
    set_three_bands(meta);
    meta.constant_one_minus_albedo = {0.1f, 0.5f, 0.2f};
    meta.has_emission = true;
    PackedVolume const fire = make_volume(meta, {.density = cloud_density, .emission = find_radiance});
    for (std::vector<Emitter> const& emitters : {make_points(), make_areas()}) {
        Scene scene = light_by(fire, emitters);
        scene.emission = MediumEmission::emits;
        expect_both_agree(scene, fire);
    }
}

TEST_P(EveryKernelWithEmitters, AgreesInAMediumOfConstantExtinctionThatEmits)
{
    VolumeMeta meta = cloud_meta();
    meta.extinction = Source::constant;
    meta.constant_one_minus_albedo = {0.3f};
    meta.has_emission = true;
    PackedVolume const glow = make_volume(meta, {.emission = find_radiance});
    Scene scene = light_by(glow, make_points());
    scene.emission = MediumEmission::emits;
    expect_both_agree(scene, glow);
}

TEST_P(EveryKernelWithEmitters, AgreesWhereMaterialsDifferInIndex)
{
    PackedVolume const inks = make_inks(Filter::nearest);
    Scene scene = make_scene(inks);
    scene.material_ior = {1.4f, 1.0f, 1.6f};
    scene.nee = EnvironmentNee::on;
    expect_agreement(scene, inks);
    // Faces of the box that refract, seams, light without emitters; and particles.
    scene = make_probe(inks);
    scene.camera.view = ProbeView::diffuse;
    scene.material_ior = {1.4f, 1.0f, 1.6f};
    scene.boundary.sides = Sides::periodic;
    expect_agreement(scene, inks);
    scene.boundary.sides = Sides::boundary;
    scene.emitters = to_emitter_records(make_points());
    scene.integrator = Integrator::light;
    expect_agreement(scene, inks);
}

/// Whose fluence has an instance of its own in regen_pool: bricks of one material and of several.
TEST_P(EveryKernelWithEmitters, AgreesOnFluenceWhereMaterialsDifferInIndex)
{
    std::vector<Material> const media{{"box", {9}, {0.02f}, 0.1f},
                                      {"ball", {60}, {0.01f}, 0.9f},
                                      {"clear", {0}, {0}, 0},
                                      {"core", {20}, {0.1f}, -0.3f}};
    auto const label = [](int x, int y, int z) {
        int const dx = x - 14, dy = y - 13, dz = z - 15;
        int const square = dx * dx + dy * dy + dz * dz;
        return square <= 9 ? 3 : square <= 64 ? 1 : x > 20 && y > 20 ? 2 : 0;
    };
    VolumeMeta meta;
    meta.dims = {30, 27, 33};
    meta.pitch_mm = {0.08f, 0.1f, 0.07f};
    meta.filter = Filter::nearest;
    meta.extinction = meta.albedo = meta.anisotropy = Source::material;
    PackedVolume const ball = make_volume(meta, {.label = label}, media);
    Scene scene = light_by(ball, make_points());
    scene.integrator = Integrator::light;
    scene.particle_film = ParticleFilm::none;
    scene.material_ior = {1.37f, 1.0f, 1.5f, 1.0f};
    scene.boundary = {.kind = BoundaryKind::smooth, .int_ior = 1.37};
    expect_agreement(scene, ball);
    scene.roulette_w_min = 0.5;
    scene.depth_limit = 100;
    expect_agreement(scene, ball);
}

TEST_P(EveryKernelWithEmitters, AgreesAmongSolidsThatLieInOthers)
{
    PackedVolume const nest = pack_solids(make_nest(), 4); // a tally of few voxels
    Scene scene = make_scene(nest);
    scene.nee = EnvironmentNee::on;
    expect_agreement(scene, nest);
    scene.camera.origin_world = {-0.3, 0, 0.3}; // in the bubble
    scene.camera.target_world = {1, 0.2, 0};
    expect_agreement(scene, nest);
    scene = light_by(nest, make_points_above_solids());
    scene.integrator = Integrator::light;
    scene.particle_film = ParticleFilm::none;
    expect_agreement(scene, nest);
    for (std::size_t const bands : {1u, 3u}) {
        PackedVolume const matched = pack_solids(make_matched_nest(bands), 4);
        expect_both_agree(light_by(matched, make_points_above_solids()), matched);
    }
}

TEST_P(EveryKernelWithEmitters, AgreesWhereAlbedoIsInterpolatedByItself)
{
    for (AlbedoFilter const filter : {AlbedoFilter::trilinear, AlbedoFilter::nearest}) {
        VolumeMeta meta = density_meta({30, 27, 33});
        set_three_bands(meta);
        meta.pitch_mm = {0.08f, 0.1f, 0.07f};
        meta.scale = 4;
        meta.albedo = Source::plane;
        meta.albedo_filter = filter;
        auto const pattern = [](int x, int y, int z) { return static_cast<float>((x * 5 + y * 3 + z * 7) % 16) / 16; };
        PackedVolume const grid =
            make_volume(meta, {.density = pattern, .one_minus_albedo = [&](int x, int y, int z, int band) {
                                   return 0.2f * pattern(x + band, y, z);
                               }});
        expect_agreement(make_scene(grid), grid);
        expect_both_agree(light_by(grid, make_points()), grid);
    }
}

std::vector<std::string> list_all_kernels()
{
    std::vector<std::string> names;
    for (KernelInfo const& kernel : list_gpu_kernels())
        if (is_built(kernel.name)) names.emplace_back(kernel.name);
    return names;
}

INSTANTIATE_TEST_SUITE_P(Gpu, EveryKernelWithEmitters, testing::ValuesIn(list_all_kernels()),
                         [](auto const& test) { return test.param; });

} // namespace
} // namespace volpt::test
