// A GPU whose renderer stays while the view changes gives the CPU's film bit for bit; skipped, visibly, where no GPU
// is.
#include "kernels/gpu_backend.h"
#include "libvolpt/render/live/live_render.h"
#include "tests/support/make_scene.h"

#include <gtest/gtest.h>

namespace volpt::test {
namespace {

class LiveOnGpu : public testing::Test {
protected:
    void SetUp() override
    {
        std::string why;
        if (list_gpus(&why).empty()) GTEST_SKIP() << why;
    }

    static void expect_bits_of_the_cpu(PackedVolume const& volume, std::vector<Scene> const& scenes)
    {
        LiveOptions options;
        options.render.gpu_backend = gpu_backend();
        options.render.gpus = {{}};
        LiveRender live(volume, nullptr, scenes[0], 7, options);
        for (Scene const& scene : scenes) {
            live.show(scene, LiveChange::moving);
            live.show(scene, LiveChange::still);
            auto const picture = live.wait_for_whole(60);
            ASSERT_TRUE(picture) << live.statistics().failure;
            EXPECT_NE(live.statistics().device, "cpu");
            EXPECT_EQ(picture->film.scene_hash(), hash_scene(scene));
            SampleRange const samples{0, picture->samples};
            EXPECT_EQ(to_hex(hash_film(picture->film)),
                      to_hex(hash_film(render_scene(picture->film.scene(), volume, samples, {.threads = 8}))));
        }
    }

    static std::vector<Scene> list_views(Scene const& base)
    {
        Scene turned = base, wide = base, lit = base, rough = base;
        turned.camera.origin_world[0] += 0.7;
        wide.width = 200;
        wide.camera.lens_radius_mm = 0.1;
        wide.camera.focus_distance_mm = 2;
        lit.environment.kind = EnvironmentKind::hemispheres;
        lit.environment.radiance = {9.0f};
        lit.environment.below = {0.1f};
        rough.boundary = {BoundaryKind::rough, 1.5, 1.0, 0.3};
        return {base, turned, wide, lit, rough, base};
    }
};

TEST_F(LiveOnGpu, EachViewHasTheBitsOfTheCpu)
{
    PackedVolume const cloud = make_cloud();
    expect_bits_of_the_cpu(cloud, list_views(make_scene(cloud)));
    PackedVolume const inks = make_inks();
    expect_bits_of_the_cpu(inks, list_views(make_scene(inks)));
}

TEST_F(LiveOnGpu, EachViewOfLongStepsHasTheBitsOfTheCpu)
{
    PackedVolume const volume = make_roomy(Source::material, Source::material);
    Scene stepped = make_scene(volume);
    stepped.long_steps = LongSteps::spheres;
    expect_bits_of_the_cpu(volume, list_views(stepped));
}

TEST_F(LiveOnGpu, EachPhaseFunctionHasTheBitsOfTheCpu)
{
    PackedVolume const cloud = make_cloud();
    Scene forward = make_scene(cloud);
    forward.override_g = true;
    forward.g = 0.7f;
    expect_bits_of_the_cpu(cloud, {make_scene(cloud), forward, make_scene(cloud)});
}

} // namespace
} // namespace volpt::test
