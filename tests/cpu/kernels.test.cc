// Every CPU kernel gives the film of the plain loop over extend_path, bit for bit, in every kind of scene.
#include "libvolpt/core/extend_path.hd.h"
#include "libvolpt/cpu/cpu_backend.h"
#include "libvolpt/cpu/outcomes/outcome_banks.h"
#include "tests/support/expect_error.h"
#include "tests/support/make_scene.h"

#include <gtest/gtest.h>

namespace volpt::test {
namespace {

struct Sums {
    TileSums planes;
    PathCounts counts;

    explicit Sums(std::size_t size) : planes(size) {}
};

template <class M>
void extend_one_by_one(SceneView const& scene, RenderTile const& block, Sums& out)
{
    std::size_t const plane = std::size_t{block.x1 - block.x0} * (block.y1 - block.y0);
    std::uint32_t const bands_apart = M::kBands > 1 ? 1 : scene.bands;
    for (std::uint32_t y = block.y0; y < block.y1; ++y)
        for (std::uint32_t x = block.x0; x < block.x1; ++x)
            for (std::uint32_t s = 0; s < block.sample_count; ++s)
                for (std::uint32_t band = 0; band < bands_apart; ++band) {
                    auto path = start_path<M::kBands>(scene, {x, y, block.first_sample + s, band, 0});
                    ++out.counts.paths;
                    while (path.stage != Stage::ended) extend_path<M>(scene, path, out.counts);
                    FixedSample<M::kBands> const sample = round_sample(path, scene.sum_scale);
                    for (int b = 0; b < M::kBands; ++b) {
                        std::size_t const at = (M::kBands > 1 ? static_cast<std::size_t>(b) : band) * plane +
                                               (y - block.y0) * (block.x1 - block.x0) + (x - block.x0);
                        std::uint64_t const value = sample.value[b];
                        out.planes.sums[at] += value;
                        out.planes.low_squares[at] += value * value & 0xffffffffu;
                        out.planes.high_squares[at] += value * value >> 32;
                    }
                }
}

template <int bands, Steps steps>
void extend_all(SceneView const& scene, RenderTile const& block, Sums& out)
{
    with_medium<bands, steps>(scene, [&]<class M>(M) { extend_one_by_one<M>(scene, block, out); });
}

constexpr RenderTile kBlock{3, 2, 30, 21, 5, 3};

void expect_kernels_agree(SceneView const& view, RenderTile const& block)
{
    std::size_t const size = std::size_t{block.x1 - block.x0} * (block.y1 - block.y0) * view.bands;
    bool const steps = view.long_steps.kind != Steps::plain;
    using Extend = void(SceneView const&, RenderTile const&, Sums&);
    constexpr Extend* kExtend[][2] = {{extend_all<1, Steps::plain>, extend_all<3, Steps::plain>},
                                      {extend_all<1, Steps::spheres>, extend_all<3, Steps::spheres>},
                                      {extend_all<1, Steps::layers>, extend_all<3, Steps::layers>}};
    Sums expected(size);
    kExtend[static_cast<std::uint32_t>(view.long_steps.kind)][carries_all_bands(view) ? 1 : 0](view, block, expected);
    ASSERT_GT(expected.counts.extensions, expected.counts.paths) << "the scene must scatter to test anything";
    EXPECT_EQ(expected.counts.long_steps > expected.counts.paths / 4, steps) << "few long steps test nothing";
    for (CpuKernel const& kernel : list_cpu_kernels()) {
        Sums sums(size);
        kernel.render(view, block, sums.planes.view(), sums.counts, {});
        EXPECT_TRUE(sums.planes == expected.planes) << kernel.name;
        EXPECT_EQ(sums.counts.paths, expected.counts.paths) << kernel.name;
        EXPECT_EQ(sums.counts.extensions, expected.counts.extensions) << kernel.name;
        EXPECT_EQ(sums.counts.tentative_collisions, expected.counts.tentative_collisions) << kernel.name;
        EXPECT_EQ(sums.counts.cut_paths, expected.counts.cut_paths) << kernel.name;
        EXPECT_EQ(sums.counts.cut_throughput, expected.counts.cut_throughput) << kernel.name;
        EXPECT_EQ(sums.counts.long_steps, expected.counts.long_steps) << kernel.name;
        EXPECT_EQ(sums.counts.stepped_collisions, expected.counts.stepped_collisions) << kernel.name;
    }
}

void expect_kernels_agree(Scene const& scene, PackedVolume const& volume, LightImage const* light = nullptr,
                          RenderTile block = kBlock)
{
    expect_kernels_agree(RenderScene(scene, volume, light, 11).view(), block);
}

/// The same with long steps, from a bank of few outcomes, for it is made anew for every scene.
void expect_stepping_kernels_agree(Scene scene, PackedVolume const& volume, LongSteps long_steps = LongSteps::spheres)
{
    scene.long_steps = long_steps;
    RenderScene const built(scene, volume, nullptr, 11);
    SceneView view = built.view();
    ASSERT_EQ(view.long_steps.kind, long_steps == LongSteps::layers ? Steps::layers : Steps::spheres);
    LongStepsView& steps = view.long_steps;
    steps.bank.log2_size = 8;
    std::vector<Outcome> const outcomes = make_bank(view, 0, 1);
    steps.bank.outcomes = outcomes.data();
    expect_kernels_agree(view, kBlock);
}

TEST(CpuKernels, AgreeOnProbesOfEveryKind)
{
    PackedVolume const cube = make_bare_cube(5, 0.001f, 0.4f);
    for (Scene const& scene : make_probes(cube)) expect_kernels_agree(scene, cube);
    PackedVolume const print = make_print();
    for (Scene const& scene : make_probes(print)) expect_kernels_agree(scene, print);
    PackedVolume const inks = make_inks();
    for (Scene const& scene : make_probes(inks)) expect_kernels_agree(scene, inks);
}

void set_rough_boundary(Scene& scene)
{
    scene.boundary = {BoundaryKind::rough, 1.4, 1.0, 0.2};
}

TEST(CpuKernels, AgreeOnAHomogeneousCube)
{
    PackedVolume const volume = make_bare_cube(20, 0.01f);
    expect_kernels_agree(make_scene(volume), volume);
}

TEST(CpuKernels, AgreeOnEveryAnisotropy)
{
    for (float const g : {-0.9f, -0.3f, 0.5f, 0.9f}) {
        PackedVolume const volume = make_bare_cube(20, 0.01f, g);
        expect_kernels_agree(make_scene(volume), volume);
    }
}

TEST(CpuKernels, AgreeOnEveryDensityEncodingFilterAndMajorant)
{
    for (Encoding const encoding : {Encoding::u8, Encoding::u16, Encoding::f16, Encoding::f32})
        for (Filter const filter : {Filter::trilinear, Filter::nearest})
            for (MajorantKind const majorant : {MajorantKind::local, MajorantKind::global}) {
                PackedVolume const volume = make_cloud(filter, encoding);
                Scene scene = make_scene(volume);
                scene.majorant = majorant;
                expect_kernels_agree(scene, volume);
            }
}

TEST(CpuKernels, AgreeOnColourCloudsOfEveryAlbedoEncoding)
{
    for (Encoding const encoding : {Encoding::u8, Encoding::f16, Encoding::f32}) {
        PackedVolume const volume = make_colour_cloud(encoding);
        expect_kernels_agree(make_scene(volume), volume);
    }
}

TEST(CpuKernels, AgreeOnPrintsBehindEveryBoundary)
{
    PackedVolume const volume = make_print();
    Scene scene = make_scene(volume);
    expect_kernels_agree(scene, volume);
    scene.boundary = {BoundaryKind::smooth, 1.5, 1.0, 0};
    expect_kernels_agree(scene, volume);
    set_rough_boundary(scene);
    expect_kernels_agree(scene, volume);
    scene.boundary = {BoundaryKind::rough, 1.0, 1.3, 0.4};
    expect_kernels_agree(scene, volume);
}

TEST(CpuKernels, AgreeOnInksWithEveryFilterMajorantAndBoundary)
{
    for (Filter const filter : {Filter::trilinear, Filter::nearest})
        for (MajorantKind const majorant : {MajorantKind::local, MajorantKind::global}) {
            PackedVolume const volume = make_inks(filter);
            Scene scene = make_scene(volume);
            scene.majorant = majorant;
            expect_kernels_agree(scene, volume);
            set_rough_boundary(scene);
            expect_kernels_agree(scene, volume);
        }
}

TEST(CpuKernels, AgreeWhereverExtinctionAndAlbedoComeFrom)
{
    for_each_source_pair([](Source extinction, Source albedo) {
        PackedVolume const volume = make_mixed(extinction, albedo);
        expect_kernels_agree(make_scene(volume), volume);
    });
}

TEST(CpuKernels, CutLightThatIsTrappedInVacuum)
{
    PackedVolume const volume = make_bare_cube(0);
    Scene const scene = make_trapped_scene(volume);
    RenderScene const built(scene, volume, nullptr, 1);
    Sums sums(16);
    list_cpu_kernels().front().render(built.view(), {14, 10, 18, 14, 0, 1}, sums.planes.view(), sums.counts, {});
    EXPECT_EQ(sums.counts.paths, 16u);
    EXPECT_GT(sums.counts.cut_paths, 0u);
    EXPECT_EQ(sums.counts.cut_throughput, sums.counts.cut_paths << 24) << "what was cut was still whole";
    expect_kernels_agree(scene, volume, nullptr, {15, 11, 17, 12, 0, 1});
}

TEST(CpuKernels, GiveUpWhenAsked)
{
    PackedVolume const volume = make_bare_cube(3000);
    Scene const scene = make_scene(volume);
    RenderScene const built(scene, volume, nullptr, 1);
    for (CpuKernel const& kernel : list_cpu_kernels()) {
        Sums sums(32 * 24);
        int polls = 0;
        auto const stop_at_third = [](void* count) { return ++*static_cast<int*>(count) == 3; };
        EXPECT_FALSE(kernel.render(built.view(), {0, 0, 32, 24, 0, 1000}, sums.planes.view(), sums.counts,
                                   {stop_at_third, &polls}));
        EXPECT_EQ(polls, 3) << kernel.name;
    }
}

TEST(CpuKernels, AgreeUnderADepthLimitAndEveryRoulette)
{
    PackedVolume const volume = make_colour_cloud();
    Scene scene = make_scene(volume);
    scene.depth_limit = 9;
    expect_kernels_agree(scene, volume);
    for (float const w_min : {0.0f, 0.1f, 1.0f}) {
        scene.depth_limit = 0;
        scene.roulette_w_min = w_min;
        expect_kernels_agree(scene, volume);
    }
}

TEST(CpuKernels, AgreeInLightFromHemispheresAndImages)
{
    PackedVolume const volume = make_colour_cloud();
    Scene scene = make_scene(volume);
    scene.environment = {EnvironmentKind::hemispheres, {2.0f, 1.0f, 0.5f}, {0.1f}, {}, 4, 0};
    expect_kernels_agree(scene, volume);
    Image picture;
    picture.width = 16;
    picture.height = 8;
    for (char const* const name : {"R", "G", "B"}) {
        Channel& channel = picture.add_channel(name);
        for (std::size_t i = 0; i < channel.values.size(); ++i)
            channel.values[i] = static_cast<float>((i * 37 + static_cast<std::size_t>(name[0])) % 100) / 10.0f;
    }
    LightImage const light = make_light_image(picture, volume.meta().band_numbers, "picture");
    scene.environment = {EnvironmentKind::image, {1.0f}, {}, light.checksum, 2, 33};
    expect_kernels_agree(scene, volume, &light);
}

TEST(CpuKernels, AgreeOnLongStepsWhereverExtinctionAndAlbedoComeFrom)
{
    for (std::uint32_t const bands : {1u, 3u})
        for_each_source_pair([&](Source extinction, Source albedo) {
            PackedVolume const volume = make_roomy(extinction, albedo, bands);
            expect_stepping_kernels_agree(make_scene(volume), volume);
        });
}

TEST(CpuKernels, AgreeOnLongStepsBehindEveryFaceLimitAndRoulette)
{
    PackedVolume const cube = make_bare_cube(12, 0.001f, 0.4f);
    PackedVolume const inks = make_roomy(Source::material, Source::material, 3, Filter::nearest);
    for (PackedVolume const* volume : {&cube, &inks}) {
        for (Scene const& scene : make_probes(*volume)) expect_stepping_kernels_agree(scene, *volume);
        Scene scene = make_scene(*volume);
        scene.depth_limit = 40;
        set_rough_boundary(scene);
        expect_stepping_kernels_agree(scene, *volume);
        scene.depth_limit = 0;
        for (float const w_min : {0.0f, 1.0f}) {
            scene.roulette_w_min = w_min;
            expect_stepping_kernels_agree(scene, *volume);
        }
    }
}

TEST(CpuKernels, AgreeOnLayersWhereverExtinctionAndAlbedoComeFrom)
{
    for (std::uint32_t const bands : {1u, 3u})
        for_each_source_pair([&](Source extinction, Source albedo) {
            PrintOnCore const print = make_print_on_core(extinction, albedo, bands);
            expect_stepping_kernels_agree(print.scene, print.volume, LongSteps::layers);
        });
}

TEST(CpuKernels, AgreeOnLayersAlongEveryAxis)
{
    PackedVolume const cube = make_bare_cube(12, 0.001f, 0.4f);
    for (Scene scene : make_probes(cube)) {
        scene.boundary.sides = Sides::periodic;
        expect_stepping_kernels_agree(scene, cube, LongSteps::layers);
    }
}

TEST(CpuKernels, AgreeOnBlocksSmallerThanAVector)
{
    PackedVolume const volume = make_print();
    expect_kernels_agree(make_scene(volume), volume, nullptr, {12, 12, 13, 13, 0, 1});
    expect_kernels_agree(make_scene(volume), volume, nullptr, {10, 8, 17, 11, 2, 3});
}

TEST(CpuKernels, AgreeThroughALens)
{
    PackedVolume const colours = make_colour_cloud(), grey = make_cloud();
    for (PackedVolume const* const volume : {&colours, &grey}) {
        Scene scene = make_scene(*volume);
        Scene const pinhole = scene;
        scene.camera.lens_radius_mm = 0.4;
        scene.camera.focus_distance_mm = 5;
        expect_kernels_agree(scene, *volume);
        set_rough_boundary(scene);
        expect_kernels_agree(scene, *volume);
        scene = pinhole;
        scene.camera.focus_distance_mm = 5;
        EXPECT_EQ(hash_scene(scene), hash_scene(pinhole)) << "a lens of radius 0 is none";
    }
}

TEST(CpuKernels, AgreeBeforeAHiddenBackground)
{
    PackedVolume const volume = make_colour_cloud();
    Scene scene = make_scene(volume);
    scene.environment.background = Background::hidden;
    expect_kernels_agree(scene, volume);
    set_rough_boundary(scene);
    expect_kernels_agree(scene, volume);
}

TEST(CpuKernels, AgreeOnACameraInsideTheVolume)
{
    PackedVolume const volume = make_cloud();
    Scene scene = make_scene(volume);
    scene.camera.origin_world = {1.5, 1.1, 1.3};
    scene.camera.target_world = {2.5, 2.0, 1.5};
    set_rough_boundary(scene);
    expect_kernels_agree(scene, volume);
}

TEST(CpuKernels, AreMissedWithAWayOutWhereTheProcessorHasNone)
{
    EXPECT_EQ(choose_fastest_kernel(list_cpu_kernels()).name, list_cpu_kernels().front().name);
    expect_contains(catch_error(ExitStatus::system, [] { choose_fastest_kernel({}); }),
                    {"processor", "VOLPT_CPU_LEVELS"});
}

} // namespace
} // namespace volpt::test
