// Every kernel gives the CPU's sums bit for bit, in every kind of scene; skipped, visibly, where no GPU is.
#include "kernels/gpu_backend.h"
#include "libvolpt/core/fixed_point.hd.h"
#include "libvolpt/cpu/cpu_backend.h"
#include "libvolpt/cpu/outcomes/outcome_banks.h"
#include "libvolpt/render/film_sink.h"
#include "tests/kernels/half_tiles.h"
#include "tests/kernels/kernel_shapes.h"
#include "tests/support/expect_error.h"
#include "tests/support/make_probed_object.h"
#include "tests/support/make_solids.h"
#include "tests/support/make_surroundings.h"

#include <gtest/gtest.h>

namespace volpt::test {
namespace {

struct TileResult {
    TileSums planes;
    std::vector<std::uint64_t> half_sums; ///< of a renderer that keeps them apart
    PathCounts counts;
    explicit TileResult(std::size_t size) : planes(size) {}

    /// The sums of squares; their halves depend on the schedule.
    std::vector<Wide> squares() const
    {
        std::vector<Wide> squares(planes.low_squares.begin(), planes.low_squares.end());
        for (std::size_t i = 0; i < squares.size(); ++i) squares[i] += Wide{planes.high_squares[i]} << kSquareHalfLog2;
        return squares;
    }
};

/// `tile` in launches of at most `launch_samples` samples.
TileResult run_on_gpu(SceneView const& view, RenderTile const& tile, RendererOptions const& options,
                      std::uint32_t launch_samples)
{
    std::uint32_t const pixels = (tile.x1 - tile.x0) * (tile.y1 - tile.y0);
    TileResult result(std::size_t{pixels} * view.bands);
    auto const renderer = gpu_backend()->make_renderer(view, pixels, options, nullptr);
    FilmHalf const half = renderer->can_keep_half_apart() ? FilmHalf::apart : FilmHalf::joined;
    EXPECT_EQ(half == FilmHalf::apart, carries_all_bands(view));
    renderer->open(0, tile, half);
    for (std::uint32_t done = 0; done < tile.sample_count; done += launch_samples)
        renderer->add_samples(0, tile.first_sample + done, std::min(launch_samples, tile.sample_count - done), {});
    renderer->close(0);
    CollectedSums const sums = renderer->collect(0);
    EXPECT_EQ(sums.half_sums != nullptr, half == FilmHalf::apart);
    BlockSums const copy = copy_sums({tile, sums.planes, sums.half_sums}, view.bands);
    result.planes = copy.planes;
    result.half_sums = copy.half_sums;
    result.counts = sums.totals.counts;
    return result;
}

class EveryKernel : public testing::TestWithParam<std::string> {
protected:
    void SetUp() override
    {
        std::string why;
        if (list_gpus(&why).empty()) GTEST_SKIP() << why;
    }

    void expect_agreement(Scene const& scene, PackedVolume const& volume, LightImage const* light = nullptr,
                          RenderTile const& tile = {3, 2, 30, 21, 5, 7})
    {
        RenderScene const built(scene, volume, light, 11);
        expect_agreement(built.view(), built.view(), tile);
    }

    /// With a small bank, for it is made anew for every renderer.
    void expect_stepping_agreement(Scene const& scene, PackedVolume const& volume)
    {
        RenderScene const built(scene, volume, nullptr, 11);
        expect_agreement_with_bank(built.view());
    }

    void expect_agreement_with_bank(SceneView view)
    {
        view.long_steps.bank.log2_size = 8;
        std::vector<Outcome> const outcomes = make_bank(view, 0, 1);
        SceneView on_cpu = view;
        on_cpu.long_steps.bank.outcomes = outcomes.data();
        expect_agreement(view, on_cpu, {3, 2, 30, 21, 5, 7});
    }

    void expect_agreement_in_mesh(SceneView const& view)
    {
        auto const agree = [&] { expect_agreement(view, view, {3, 2, 30, 21, 5, 7}); };
        if (takes_meshes(GetParam()))
            agree();
        else
            expect_error(ExitStatus::usage, {"is not compiled for volumes that a mesh bounds"}, agree);
    }

    /// `on_cpu` is the same scene with the outcomes that the CPU needs.
    void expect_agreement(SceneView const& view, SceneView const& on_cpu, RenderTile const& tile)
    {
        TileResult expected(std::size_t{tile.x1 - tile.x0} * (tile.y1 - tile.y0) * view.bands);
        list_cpu_kernels().front().render(on_cpu, tile, expected.planes.view(), expected.counts, {});
        TileResult expected_half(expected.planes.sums.size());
        for (RenderTile const& run : list_half_tiles(tile))
            list_cpu_kernels().front().render(on_cpu, run, expected_half.planes.view(), expected_half.counts, {});
        for (RendererOptions const& options : list_shapes(GetParam())) {
            SCOPED_TRACE(describe_choice(list_gpu_kernels(), options));
            for (std::uint32_t const launch_samples : {tile.sample_count, 3u}) {
                TileResult const result = run_on_gpu(view, tile, options, launch_samples);
                ASSERT_EQ(result.planes.sums, expected.planes.sums);
                ASSERT_EQ(result.squares(), expected.squares());
                if (carries_all_bands(view)) {
                    ASSERT_EQ(result.half_sums, expected_half.planes.sums);
                }
                EXPECT_EQ(result.counts.paths, expected.counts.paths);
                EXPECT_EQ(result.counts.extensions, expected.counts.extensions);
                EXPECT_EQ(result.counts.tentative_collisions, expected.counts.tentative_collisions);
                EXPECT_EQ(result.counts.cut_paths, expected.counts.cut_paths);
                EXPECT_EQ(result.counts.cut_throughput, expected.counts.cut_throughput);
                EXPECT_EQ(result.counts.long_steps, expected.counts.long_steps);
                EXPECT_EQ(result.counts.stepped_collisions, expected.counts.stepped_collisions);
                EXPECT_EQ(result.counts.lost_paths, expected.counts.lost_paths);
                EXPECT_EQ(result.counts.strayed_paths, expected.counts.strayed_paths);
            }
        }
    }
};

TEST_P(EveryKernel, AgreesOnAHomogeneousCube)
{
    for (float const g : {-0.9f, 0.0f, 0.4f, 0.9f}) {
        PackedVolume const volume = make_bare_cube(50, 0.001f, g);
        expect_agreement(make_scene(volume), volume);
    }
}

TEST_P(EveryKernel, AgreesOnAPrintBehindARoughBoundary)
{
    for (Encoding const encoding : {Encoding::u8, Encoding::f16, Encoding::f32}) {
        PackedVolume const volume = make_print(encoding);
        Scene scene = make_scene(volume);
        for (Microfacets const microfacets : {Microfacets::single, Microfacets::multiple}) {
            scene.boundary = {BoundaryKind::rough, 1.4, 1.0, 0.5};
            scene.boundary.microfacets = microfacets;
            expect_agreement(scene, volume);
        }
    }
}

TEST_P(EveryKernel, AgreesOnProbesOfEveryKind)
{
    PackedVolume const cube = make_bare_cube(5, 0.001f, 0.4f);
    for (Scene const& scene : make_probes(cube)) expect_agreement(scene, cube);
    PackedVolume const inks = make_inks(Filter::nearest);
    for (Scene const& scene : make_probes(inks)) expect_agreement(scene, inks);
    PackedVolume const cloud = make_colour_cloud(); // trilinear: lookups go on across seams
    for (Scene const& scene : make_probes(cloud)) expect_agreement(scene, cloud);
}

TEST_P(EveryKernel, AgreesOnACloudWithBothMajorants)
{
    for (MajorantKind const majorant : {MajorantKind::local, MajorantKind::global}) {
        PackedVolume const volume = make_colour_cloud();
        Scene scene = make_scene(volume);
        scene.majorant = majorant;
        scene.depth_limit = 40;
        expect_agreement(scene, volume);
    }
}

TEST_P(EveryKernel, AgreesWithBothFilters)
{
    for (Filter const filter : {Filter::trilinear, Filter::nearest}) {
        PackedVolume const volume = make_cloud(filter, Encoding::u8, 0.7f);
        expect_agreement(make_scene(volume), volume);
    }
}

TEST_P(EveryKernel, AgreesWhereverExtinctionAndAlbedoComeFrom)
{
    for_each_source_pair([&](Source extinction, Source albedo) {
        PackedVolume const volume = make_mixed(extinction, albedo);
        expect_agreement(make_scene(volume), volume);
    });
}

TEST_P(EveryKernel, AgreesOnLightTrappedInVacuum)
{
    PackedVolume const volume = make_bare_cube(0);
    Scene const scene = make_trapped_scene(volume);
    expect_agreement(scene, volume, nullptr, {3, 2, 9, 8, 5, 2});
}

TEST_P(EveryKernel, AgreesOnInks)
{
    PackedVolume const volume = make_inks();
    Scene scene = make_scene(volume);
    scene.boundary = {BoundaryKind::smooth, 1.5, 1.0, 0};
    scene.environment = {EnvironmentKind::hemispheres, {1.0f}, {0.2f}, {}, 4, 0};
    expect_agreement(scene, volume);
}

TEST_P(EveryKernel, AgreesOnLongSteps)
{
    PackedVolume const volume = make_roomy(Source::material, Source::material);
    Scene scene = make_scene(volume);
    scene.long_steps = LongSteps::spheres;
    expect_stepping_agreement(scene, volume);
}

TEST_P(EveryKernel, AgreesOnLayersOrRefusesThem)
{
    for (Source const source : {Source::material, Source::plane}) {
        PrintOnCore const print = make_print_on_core(source, source);
        if (takes_layers(GetParam()))
            expect_stepping_agreement(print.scene, print.volume);
        else
            expect_error(ExitStatus::usage, {"is not compiled for --long-steps layers"},
                         [&] { expect_stepping_agreement(print.scene, print.volume); });
    }
}

TEST_P(EveryKernel, AgreesInMeshesOrRefusesThem)
{
    PackedVolume const homogeneous = make_object_medium(12, 0.05f, 0.3f), cloud = make_colour_cloud(),
                       inks = make_inks();
    TriangleMesh const flat = move_mesh(make_bumpy_sphere(0.8f, 12, 0.4f), {1, 1, 1});
    for (PackedVolume const* const volume : {&homogeneous, &cloud, &inks})
        for (TriangleMesh const& mesh : {flat, add_smooth_normals(flat)})
            for (BoundarySpec const& boundary : {BoundarySpec{}, BoundarySpec{BoundaryKind::smooth, 1.5, 1.0, 0},
                                                 BoundarySpec{BoundaryKind::rough, 1.4, 1.0, 0.3}}) {
                Scene scene = make_scene(*volume);
                scene.boundary = boundary;
                ObjectScene const object(scene, *volume, mesh);
                expect_agreement_in_mesh(object.view());
            }
}

TEST_P(EveryKernel, AgreesAmongSurroundingsOrRefusesThem)
{
    PackedVolume const homogeneous = make_object_medium(12, 0.05f, 0.3f), cloud = make_colour_cloud(),
                       inks = make_inks();
    TriangleMesh const mesh = add_smooth_normals(move_mesh(make_bumpy_sphere(0.8f, 12, 0.4f), {1, 1, 1}));
    for (PackedVolume const* const volume : {&homogeneous, &cloud, &inks}) {
        Scene const scene = make_surrounded_picture(*volume);
        SurroundedScene const built(scene, *volume, mesh, make_wall_and_spheres());
        expect_agreement_in_mesh(built.view());
        SurroundedScene const ground_alone(scene, *volume, mesh, {});
        expect_agreement_in_mesh(ground_alone.view());
    }
}

TEST_P(EveryKernel, AgreesOnProbesOfTexturesOrRefusesThem)
{
    for (std::uint32_t const bands : {1u, 3u}) {
        VolumeMeta meta = make_constant_meta(0.05f, 0.3f);
        if (bands == 3) set_three_bands(meta);
        PackedVolume const object = make_object(chart_rectangles(make_notched_block(2), 4, 2), meta);
        for (ProbeView const probe_view : {ProbeView::normal, ProbeView::diffuse}) {
            Scene scene = make_texture_probe(object, 70, 37, 3);
            scene.camera.view = probe_view;
            RenderScene const built(scene, object, nullptr, 11);
            expect_agreement_in_mesh(built.view());
        }
    }
}

TEST_P(EveryKernel, AgreesOnSolidsWithBoundariesOfTheirOwnOrRefusesThem)
{
    PackedVolume const volume = pack_solids(
        {{make_icosphere(1, 6), {"a", {10.0f}, {0.02f}, 0.0f}, make_dielectric(1.5)},
         {move_mesh(make_icosphere(1, 6), {2.2f, 0, 0}), {"b", {4.0f}, {0.1f}, 0.5f}, make_dielectric(1.2, 0.3)},
         {make_box({-0.5f, 1.1f, -0.5f}, {0.5f, 2, 0.5f}), {"c", {20.0f}, {0.0f}, 0.0f}, {}}},
        32);
    RenderScene const built(make_scene(volume), volume, nullptr, 11);
    expect_agreement_in_mesh(built.view());
}

TEST_P(EveryKernel, AgreesOnLongStepsInMeshesOrRefusesThem)
{
    PackedVolume const homogeneous = make_object_medium(40, 0.02f, 0.3f),
                       cloud = make_roomy(Source::plane, Source::plane),
                       inks = make_roomy(Source::material, Source::material);
    for (PackedVolume const* const volume : {&homogeneous, &cloud, &inks})
        for (std::uint32_t const depth_limit : {0u, 60u}) {
            Scene scene = make_scene(*volume);
            scene.boundary = {BoundaryKind::smooth, 1.5, 1.0, 0};
            scene.long_steps = LongSteps::spheres;
            scene.depth_limit = depth_limit;
            SurroundedScene const object(scene, *volume, make_roomy_bumpy_sphere(volume->meta()), {});
            ASSERT_EQ(object.view().long_steps.kind, Steps::spheres);
            if (takes_layers(GetParam()))
                expect_agreement_with_bank(object.view());
            else if (takes_meshes(GetParam()))
                expect_error(ExitStatus::usage, {"is not compiled for long steps in volumes"},
                             [&] { expect_agreement_with_bank(object.view()); });
        }
}

TEST_P(EveryKernel, AgreesFromOnePathToManyWarps)
{
    PackedVolume const volume = make_print();
    Scene const scene = make_scene(volume);
    expect_agreement(scene, volume, nullptr, {16, 12, 17, 13, 3, 1});
    expect_agreement(scene, volume, nullptr, {16, 12, 17, 13, 3, 33});
    expect_agreement(scene, volume, nullptr,
                     {0, 0, 32, 24, 0, 130}); // 99840 paths: more than the lanes of a small pool
}

std::vector<std::string> list_names()
{
    std::vector<std::string> names;
    for (KernelInfo const& kernel : list_gpu_kernels())
        if (takes_voxels(kernel.name)) names.emplace_back(kernel.name);
    return names;
}

INSTANTIATE_TEST_SUITE_P(Gpu, EveryKernel, testing::ValuesIn(list_names()),
                         [](auto const& test) { return test.param; });

} // namespace
} // namespace volpt::test
