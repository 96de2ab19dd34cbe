// Every CPU kernel gives the same film of a scene with emitters, by every integrator.
#include "libvolpt/cpu/cpu_backend.h"
#include "libvolpt/scene/light/emitter_records.h"
#include "libvolpt/scene/render_scene.h"
#include "tests/support/make_nested_solids.h"
#include "tests/support/make_object_scene.h"

#include <gtest/gtest.h>

namespace volpt::test {
namespace {

/// 16 x 12 pixels, lit by a sphere.
Scene light_by_sphere(PackedVolume const& volume, std::array<double, 3> origin_world, double radius_mm)
{
    Scene scene = make_scene(volume, 16, 12);
    Emitter lamp;
    lamp.kind = EmitterKind::sphere;
    lamp.origin_world = origin_world;
    lamp.radius_mm = radius_mm;
    lamp.amount = {20};
    scene.emitters = to_emitter_records({&lamp, 1});
    scene.environment.radiance = {0.0f};
    return scene;
}

void expect_emitter_kernels_agree(Scene scene, PackedVolume const& volume)
{
    scene.mlt = {.mutations = 40, .bootstrap = 8, .chains = 12, .longest = 6};
    for (Integrator const integrator : {Integrator::path, Integrator::light, Integrator::bdpt, Integrator::mlt}) {
        scene.integrator = integrator;
        RenderScene const built(scene, volume, nullptr, 11);
        SceneView const& view = built.view();
        RenderTile const film{0, 0, view.width, view.height, 5, 3};
        std::size_t const size = count_pixels_of(find_reached_pixels(view, film)) * count_sum_planes(view);
        TileSums expected(0);
        PathCounts counts;
        for (CpuKernel const& kernel : list_cpu_kernels()) {
            TileSums sums(size);
            PathCounts got;
            kernel.render(view, film, sums.view(), got, {});
            if (counts.paths == 0) {
                expected = sums;
                counts = got;
                EXPECT_GT(counts.shadow_rays, 0u);
            }
            EXPECT_TRUE(sums == expected) << kernel.name << ", integrator " << static_cast<int>(integrator);
            EXPECT_EQ(got.paths, counts.paths) << kernel.name;
            EXPECT_EQ(got.extensions, counts.extensions) << kernel.name;
            EXPECT_EQ(got.shadow_rays, counts.shadow_rays) << kernel.name;
        }
    }
}

TEST(EmitterKernels, AgreeOnACloudOfOneAndOfThreeBands)
{
    PackedVolume const cloud = make_cloud(), inks = make_inks();
    expect_emitter_kernels_agree(light_by_sphere(cloud, {-1.2, -3.1, 8.1}, 1.5), cloud);
    expect_emitter_kernels_agree(light_by_sphere(inks, {-1.2, -3.1, 8.1}, 1.5), inks);
}

TEST(EmitterKernels, AgreeOnSurfacesAndSolidsInSolids)
{
    PackedVolume const block = make_object_medium(2, 0.1f), nest = pack_solids(make_matched_nest(), 4);
    Scene scene = light_by_sphere(block, {1, 1, 4}, 0.5);
    scene.ground.kind = GroundKind::diffuse;
    scene.ground.albedo = {0.6f};
    expect_emitter_kernels_agree(scene, block);
    expect_emitter_kernels_agree(light_by_sphere(nest, {0, 0.5, 3}, 0.5), nest);
}

} // namespace
} // namespace volpt::test
