// Every kernel gives the CPU's sums bit for bit, in every kind of scene; skipped, visibly, where no GPU is.
#include "kernels/host/gpu.h"
#include "tests/support/make_scene.h"

#include <gtest/gtest.h>

namespace volpt::test {
namespace {

struct BlockResult {
    std::vector<std::uint64_t> sums, squares;
    PathCounts counts;
    explicit BlockResult(std::size_t size) : sums(size), squares(size) {}
    TileSumsView view() { return {sums.data(), squares.data()}; }
};

/// `block` in launches of at most `launch_samples` samples.
BlockResult run_on_gpu(SceneView const& view, RenderTile const& block, GpuOptions const& options,
                       std::uint32_t launch_samples)
{
    std::uint32_t const pixels = (block.x1 - block.x0) * (block.y1 - block.y0);
    BlockResult result(std::size_t{pixels} * view.bands);
    GpuRenderer renderer(view, pixels, options);
    renderer.open(0, block);
    for (std::uint32_t done = 0; done < block.sample_count; done += launch_samples)
        renderer.add_samples(0, block.first_sample + done, std::min(launch_samples, block.sample_count - done));
    renderer.close(0);
    GpuSums const sums = renderer.collect(0);
    std::copy_n(sums.sums, result.sums.size(), result.sums.begin());
    std::copy_n(sums.squares, result.squares.size(), result.squares.begin());
    result.counts = sums.totals.counts;
    return result;
}

/// All shapes that a kernel has.
std::vector<GpuOptions> list_shapes(std::string const& kernel)
{
    std::vector<GpuOptions> all{GpuOptions{.kernel = kernel}};
    auto const add = [&](auto change) {
        GpuOptions& options = all.emplace_back(GpuOptions{.kernel = kernel});
        change(options.shape);
    };
    if (kernel.starts_with("regen_") && kernel != "regen_mk")
        for (int const blocks : {1, 6}) add([&](GpuShape& shape) { shape.min_blocks = blocks; });
    if (kernel.ends_with("_mk")) add([](GpuShape& shape) { shape.paths_per_lane = 1; });
    if (kernel.find("_sk") != std::string::npos && kernel != "naive_sk")
        add([](GpuShape& shape) { shape.paths_per_lane = 1; });
    if (kernel == "stream_mk") add([](GpuShape& shape) { shape.refill = Refill::off; });
    if (kernel == "regen_vote")
        for (int const votes : {1, 32}) add([&](GpuShape& shape) { shape.start_votes = shape.face_votes = votes; });
    return all;
}

class EveryKernel : public testing::TestWithParam<std::string> {
protected:
    void SetUp() override
    {
        std::string why;
        if (list_gpu_devices(&why).empty()) GTEST_SKIP() << why;
    }

    void expect_agreement(Scene const& scene, PackedVolume const& volume, LightImage const* light = nullptr,
                          RenderTile const& block = {3, 2, 30, 21, 5, 7})
    {
        RenderScene const built(scene, volume, light, 11);
        SceneView const& view = built.view();
        BlockResult expected(std::size_t{block.x1 - block.x0} * (block.y1 - block.y0) * view.bands);
        list_cpu_backends().front().render(view, block, expected.view(), expected.counts, {});
        for (GpuOptions const& options : list_shapes(GetParam())) {
            for (std::uint32_t const launch_samples : {block.sample_count, 3u}) {
                BlockResult const result = run_on_gpu(view, block, options, launch_samples);
                ASSERT_EQ(result.sums, expected.sums)
                    << options.shape.min_blocks << ' ' << options.shape.paths_per_lane;
                ASSERT_EQ(result.squares, expected.squares);
                EXPECT_EQ(result.counts.paths, expected.counts.paths);
                EXPECT_EQ(result.counts.extensions, expected.counts.extensions);
                EXPECT_EQ(result.counts.tentative_collisions, expected.counts.tentative_collisions);
                EXPECT_EQ(result.counts.cut_paths, expected.counts.cut_paths);
                EXPECT_EQ(result.counts.cut_throughput, expected.counts.cut_throughput);
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
        scene.boundary = {BoundaryKind::rough, 1.4, 1.0, 0.2};
        expect_agreement(scene, volume);
    }
}

TEST_P(EveryKernel, AgreesOnProbesOfEveryKind)
{
    PackedVolume const cube = make_bare_cube(5, 0.001f, 0.4f);
    for (Scene const& scene : make_probes(cube)) expect_agreement(scene, cube);
    PackedVolume const inks = make_inks(Filter::nearest);
    for (Scene const& scene : make_probes(inks)) expect_agreement(scene, inks);
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
    for (GpuKernel const& kernel : list_gpu_kernels()) names.emplace_back(kernel.name);
    return names;
}

INSTANTIATE_TEST_SUITE_P(Gpu, EveryKernel, testing::ValuesIn(list_names()),
                         [](auto const& test) { return test.param; });

} // namespace
} // namespace volpt::test
