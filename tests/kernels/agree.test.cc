// A kernel gives the CPU's sums bit for bit; skipped, visibly, where no GPU is.
#include "kernels/naive_sk.h"
#include "tests/support/make_scene.h"

#include <gtest/gtest.h>

namespace volpt::test {
namespace {

void expect_kernel_agrees(Scene const& scene, PackedVolume const& volume)
{
    if (!has_cuda_device()) GTEST_SKIP() << "no CUDA device";
    RenderScene const built(scene, volume, nullptr, 11);
    SceneView const& view = built.view();
    RenderBlock const block{3, 2, 30, 21, 5, 7};
    std::size_t const size = std::size_t{block.x1 - block.x0} * (block.y1 - block.y0) * view.bands;
    std::vector<std::uint64_t> expected(size), expected_squares(size), sums(size), squares(size);
    PathCounts expected_counts, counts;
    list_cpu_backends().front().render(view, block, {expected.data(), expected_squares.data()}, expected_counts, {});
    render_naive_sk(view, block, {sums.data(), squares.data()}, counts);
    EXPECT_EQ(sums, expected);
    EXPECT_EQ(squares, expected_squares);
    EXPECT_EQ(counts.paths, expected_counts.paths);
    EXPECT_EQ(counts.extensions, expected_counts.extensions);
    EXPECT_EQ(counts.tentative_collisions, expected_counts.tentative_collisions);
}

TEST(NaiveSk, AgreesOnAHomogeneousCube)
{
    PackedVolume const volume = make_bare_cube(50, 0.001f, 0.4f);
    expect_kernel_agrees(make_scene(volume), volume);
}

TEST(NaiveSk, AgreesOnAPrintBehindARoughBoundary)
{
    for (Encoding const encoding : {Encoding::u8, Encoding::f16, Encoding::f32}) {
        PackedVolume const volume = make_print(encoding);
        Scene scene = make_scene(volume);
        scene.boundary = {BoundaryKind::rough, 1.4, 1.0, 0.2};
        expect_kernel_agrees(scene, volume);
    }
}

TEST(NaiveSk, AgreesOnACloudWithBothMajorants)
{
    for (MajorantKind const majorant : {MajorantKind::local, MajorantKind::global}) {
        PackedVolume const volume = make_colour_cloud();
        Scene scene = make_scene(volume);
        scene.majorant = majorant;
        scene.depth_limit = 40;
        expect_kernel_agrees(scene, volume);
    }
}

TEST(NaiveSk, AgreesWhereverExtinctionAndAlbedoComeFrom)
{
    for (Source const extinction : {Source::constant, Source::plane, Source::material})
        for (Source const albedo : {Source::constant, Source::plane, Source::material}) {
            PackedVolume const volume = make_mixed(extinction, albedo);
            expect_kernel_agrees(make_scene(volume), volume);
        }
}

TEST(NaiveSk, AgreesOnLightTrappedInVacuum)
{
    PackedVolume const volume = make_bare_cube(0);
    Scene scene = make_scene(volume);
    scene.camera.origin_world = {0.5, 0.5, 0.5};
    scene.camera.target_world = {1, 1, 1};
    scene.boundary = {BoundaryKind::smooth, 1.5, 1.0, 0};
    expect_kernel_agrees(scene, volume);
}

TEST(NaiveSk, AgreesOnInks)
{
    PackedVolume const volume = make_inks();
    Scene scene = make_scene(volume);
    scene.boundary = {BoundaryKind::smooth, 1.5, 1.0, 0};
    scene.environment = {EnvironmentKind::hemispheres, {1.0f}, {0.2f}, {}, 4, 0};
    expect_kernel_agrees(scene, volume);
}

} // namespace
} // namespace volpt::test
