// Paths in solids that triangles bound: the same bits on every instruction set, and with any clearance.
#include "libvolpt/cpu/outcomes/outcome_banks.h"
#include "libvolpt/cpu/path_cursor.h"
#include "tests/support/make_surroundings.h"

#include <gtest/gtest.h>

namespace volpt::test {
namespace {

TriangleMesh make_bumpy(bool smooth)
{
    TriangleMesh mesh = move_mesh(make_bumpy_sphere(0.8f, 12, 0.4f), {1, 1, 1});
    return smooth ? add_smooth_normals(std::move(mesh)) : mesh;
}

BoundarySpec make_rough()
{
    BoundarySpec rough{BoundaryKind::rough, 1.4, 1.0, 0.3};
    rough.microfacets = Microfacets::multiple;
    return rough;
}

void expect_equal(ObjectSums const& got, ObjectSums const& expected, std::string_view what)
{
    EXPECT_TRUE(got.planes == expected.planes) << what;
    EXPECT_EQ(got.counts.extensions, expected.counts.extensions) << what;
    EXPECT_EQ(got.counts.tentative_collisions, expected.counts.tentative_collisions) << what;
    EXPECT_EQ(got.counts.paths, expected.counts.paths) << what;
    EXPECT_EQ(got.counts.strayed_paths, expected.counts.strayed_paths) << what;
    EXPECT_EQ(got.counts.lost_paths, 0u) << what;
    EXPECT_EQ(got.counts.cut_paths, expected.counts.cut_paths) << what;
    EXPECT_EQ(got.counts.long_steps, expected.counts.long_steps) << what;
    EXPECT_EQ(got.counts.stepped_collisions, expected.counts.stepped_collisions) << what;
}

template <class M>
ObjectSums extend_one_by_one(SceneView const& view, std::uint32_t samples)
{
    std::size_t const plane = std::size_t{view.width} * view.height;
    ObjectSums result{TileSums(plane * view.bands), {}};
    for (PathCursor cursor({0, 0, view.width, view.height, 0, samples}, M::kBands > 1 ? 1u : view.bands);
         !cursor.done();) {
        auto path = start_path_in<M>(view, cursor.take());
        ++result.counts.paths;
        while (path.stage != Stage::ended) extend_path<M>(view, path, result.counts);
        add_to_sums(view, path, result.planes.view(), plane);
    }
    return result;
}

/// In the media of these tests alone: with_medium would compile 32 instances, in two minutes, of which they run nine.
template <Surfaces surfaces, Steps steps = Steps::plain>
ObjectSums extend_one_by_one(SceneView const& view, std::uint32_t samples)
{
    using Homogeneous = Medium<1, Extinction::bare, MajorantGrid::global, steps, surfaces>;
    using Cloud = Medium<3, Extinction::density, MajorantGrid::local, steps, surfaces>;
    using Inks = Medium<1, Extinction::label, MajorantGrid::local, steps, surfaces>;
    Extinction const extinction = view.medium.extinction;
    EXPECT_EQ(carries_all_bands(view), extinction == Extinction::density);
    EXPECT_EQ(view.medium.grid, extinction == Extinction::bare ? MajorantGrid::global : MajorantGrid::local);
    switch (extinction) {
    case Extinction::bare:
        return extend_one_by_one<Homogeneous>(view, samples);
    case Extinction::density:
        return extend_one_by_one<Cloud>(view, samples);
    default:
        EXPECT_EQ(extinction, Extinction::label);
        return extend_one_by_one<Inks>(view, samples);
    }
}

TEST(MeshPaths, EveryKernelGivesTheBitsOfExtendPath)
{
    PackedVolume const homogeneous = make_object_medium(12, 0.05f, 0.3f), cloud = make_colour_cloud(),
                       inks = make_inks();
    for (PackedVolume const* const volume : {&homogeneous, &cloud, &inks})
        for (BoundarySpec const& boundary :
             {BoundarySpec{}, BoundarySpec{BoundaryKind::smooth, 1.5, 1.0, 0}, make_rough()}) {
            Scene scene = make_scene(*volume);
            scene.boundary = boundary;
            ObjectScene const object(scene, *volume, make_bumpy(true));
            ObjectSums const expected = extend_one_by_one<Surfaces::triangles>(object.view(), 3);
            EXPECT_GT(expected.counts.extensions, expected.counts.paths);
            for (CpuKernel const& kernel : list_cpu_kernels())
                expect_equal(render_object(object.view(), 3, kernel), expected, kernel.name);
        }
}

TEST(MeshPaths, EveryKernelGivesTheBitsOfExtendPathWithLongSteps)
{
    PackedVolume const homogeneous = make_object_medium(40, 0.02f, 0.3f),
                       cloud = make_roomy(Source::plane, Source::plane),
                       inks = make_roomy(Source::material, Source::material);
    for (PackedVolume const* const volume : {&homogeneous, &cloud, &inks})
        for (std::uint32_t const depth_limit : {0u, 60u})
            for (BoundarySpec const& boundary :
                 {BoundarySpec{}, BoundarySpec{BoundaryKind::smooth, 1.5, 1.0, 0}, make_rough()}) {
                Scene scene = make_scene(*volume);
                scene.boundary = boundary;
                scene.long_steps = LongSteps::spheres;
                scene.depth_limit = depth_limit;
                ObjectScene const object(scene, *volume, make_roomy_bumpy_sphere(volume->meta()));
                SceneView view = object.view();
                ASSERT_EQ(view.long_steps.kind, Steps::spheres);
                view.long_steps.bank.log2_size = 8;
                std::vector<Outcome> const outcomes = make_bank(view, 0, 1);
                view.long_steps.bank.outcomes = outcomes.data();
                ObjectSums const expected = extend_one_by_one<Surfaces::triangles, Steps::spheres>(view, 3);
                EXPECT_GT(20 * expected.counts.long_steps, expected.counts.paths);
                EXPECT_EQ(expected.counts.cut_paths > 0, depth_limit > 0);
                for (CpuKernel const& kernel : list_cpu_kernels())
                    expect_equal(render_object(view, 3, kernel), expected, kernel.name);
            }
}

TEST(MeshPaths, EveryKernelGivesTheBitsOfExtendPathAmongSurroundings)
{
    PackedVolume const homogeneous = make_object_medium(12, 0.05f, 0.3f), cloud = make_colour_cloud(),
                       inks = make_inks();
    for (PackedVolume const* const volume : {&homogeneous, &cloud, &inks}) {
        SurroundedScene const built(make_surrounded_picture(*volume), *volume, make_bumpy(true),
                                    make_wall_and_spheres());
        ObjectSums const expected = extend_one_by_one<Surfaces::surroundings>(built.view(), 3);
        EXPECT_GT(expected.counts.extensions, 2 * expected.counts.paths);
        for (CpuKernel const& kernel : list_cpu_kernels())
            expect_equal(render_object(built.view(), 3, kernel), expected, kernel.name);
    }
}

TEST(MeshPaths, ClearanceChangesNoBit)
{
    PackedVolume const volume = make_object_medium(12, 0.05f);
    for (BoundarySpec const& boundary : {BoundarySpec{}, BoundarySpec{BoundaryKind::smooth, 1.5, 1.0, 0}}) {
        Scene scene = make_scene(volume);
        scene.boundary = boundary;
        ObjectScene const measured(scene, volume, make_bumpy(false));
        ObjectScene const zero(scene, volume, make_bumpy(false), Clearance::zero);
        CpuKernel const kernel = list_cpu_kernels().front();
        expect_equal(render_object(measured.view(), 8, kernel), render_object(zero.view(), 8, kernel), "clearance");
    }
}

TEST(MeshPaths, AnOpenMeshLosesPathsButNoLight)
{
    PackedVolume const volume = make_object_medium(8, 0);
    Scene const scene = make_scene(volume);
    TriangleMesh mesh = move_mesh(make_icosphere(0.9f, 8), {1, 1, 1});
    mesh.triangles.resize(mesh.triangles.size() - 100);
    ObjectScene const object(scene, volume, mesh);
    ObjectSums const got = render_object(object.view(), 16, list_cpu_kernels().front());
    EXPECT_GT(got.counts.lost_paths, 0u);
    auto const one = static_cast<std::uint64_t>(static_cast<double>(object.view().sum_scale));
    for (std::uint64_t const sum : got.planes.sums) ASSERT_EQ(sum, 16 * one);
}

TEST(MeshPaths, CameraInsideTheSolidAndBesideIt)
{
    PackedVolume const volume = make_object_medium(4, 1.0f); // black
    for (bool const is_inside : {true, false}) {
        Scene scene = make_scene(volume);
        scene.camera.origin_world = is_inside ? Vec3d{1, 1, 1} : Vec3d{0.05, 0.05, 0.05};
        scene.camera.target_world = is_inside ? Vec3d{2, 1, 1} : Vec3d{-1, -1, -1};
        ObjectScene const object(scene, volume, move_mesh(make_icosphere(0.9f, 8), {1, 1, 1}));
        ObjectSums const got = render_object(object.view(), 64, list_cpu_kernels().front());
        double sum = 0;
        for (std::uint64_t const value : got.planes.sums) sum += static_cast<double>(value);
        double const mean = sum / static_cast<double>(got.counts.paths) / static_cast<double>(object.view().sum_scale);
        EXPECT_NEAR(mean, is_inside ? std::exp(-4 * 0.9) : 1.0, is_inside ? 0.003 : 0) << is_inside;
    }
}

} // namespace
} // namespace volpt::test
