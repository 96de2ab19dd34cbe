#include "libvolpt/scene/bricks/brick_means.h"

#include "libvolpt/scene/light/emitter_records.h"
#include "libvolpt/scene/render_scene.h"
#include "tests/support/make_scene.h"

#include <cmath>
#include <gtest/gtest.h>

namespace volpt::test {
namespace {

Scene make_bidirectional_scene(PackedVolume const& volume)
{
    Scene scene = make_scene(volume);
    Emitter point;
    point.origin_world = {1, 1, 50};
    scene.emitters = to_emitter_records({&point, 1});
    scene.environment.radiance = {0};
    scene.integrator = Integrator::bdpt;
    return scene;
}

/// sigma_t of the homogeneous brick through which light passes as through the voxels of a brick of `volume`, which
/// have `sigma_t(x, y, z)`.
template <class Function>
double average(PackedVolume const& volume, int brick, Function const& sigma_t)
{
    VolumeView const view = volume.view();
    int const bx = brick % view.brick_counts[0], by = brick / view.brick_counts[0] % view.brick_counts[1],
              bz = brick / (view.brick_counts[0] * view.brick_counts[1]);
    double inverse_pitch = 0, sum = 0;
    for (float const pitch_mm : volume.meta().pitch_mm) inverse_pitch += 1 / static_cast<double>(pitch_mm);
    double const edge_mm = 8 / (inverse_pitch / 3);
    int voxels = 0;
    for (int z = 8 * bz; z < std::min(8 * bz + 8, view.dims[2]); ++z)
        for (int y = 8 * by; y < std::min(8 * by + 8, view.dims[1]); ++y)
            for (int x = 8 * bx; x < std::min(8 * bx + 8, view.dims[0]); ++x) {
                sum += std::exp(-static_cast<double>(sigma_t(x, y, z)) * edge_mm);
                ++voxels;
            }
    return -std::log(sum / voxels) / edge_mm;
}

int count_bricks(PackedVolume const& volume)
{
    VolumeView const view = volume.view();
    return view.brick_counts[0] * view.brick_counts[1] * view.brick_counts[2];
}

TEST(BrickMeans, AreThoseOfScaledDensities)
{
    for (Encoding const encoding : {Encoding::u8, Encoding::u16, Encoding::f16, Encoding::f32}) {
        PackedVolume const volume = make_cloud(Filter::trilinear, encoding);
        Scene scene = make_bidirectional_scene(volume);
        scene.scale = 3;
        RenderScene const built(scene, volume, nullptr, 1);
        float const* const means = built.view().strategies.brick_sigma_t;
        ASSERT_NE(means, nullptr);
        VolumeView const view = volume.view();
        for (int brick = 0; brick < count_bricks(volume); ++brick) {
            double const expected = average(
                volume, brick, [&](int x, int y, int z) { return 3 * read_stored(view.density, view, x, y, z); });
            ASSERT_NEAR(static_cast<double>(means[brick]), expected, 1e-4 * (1 + expected)) << brick;
        }
    }
}

TEST(BrickMeans, AreThoseOfMaterialsByBand)
{
    PackedVolume const volume = make_inks();
    RenderScene const built(make_bidirectional_scene(volume), volume, nullptr, 1);
    SceneView const& scene = built.view();
    VolumeView const view = volume.view();
    for (std::uint32_t band = 0; band < 3; ++band)
        for (int brick = 0; brick < count_bricks(volume); ++brick) {
            double const expected = average(volume, brick, [&](int x, int y, int z) {
                auto const label = static_cast<std::size_t>(read_stored(view.label, view, x, y, z));
                return volume.materials()[label].sigma_t[band];
            });
            float const mean = scene.strategies.brick_sigma_t[scene.medium.band[band].local_majorant_first + brick];
            ASSERT_NEAR(static_cast<double>(mean), expected, 1e-4 * (1 + expected)) << band << ' ' << brick;
        }
}

TEST(BrickMeans, AreMadeOnlyWhereStrategiesAreWeighedAndSigmaTVaries)
{
    PackedVolume const cloud = make_cloud(), print = make_print();
    Scene scene = make_bidirectional_scene(cloud);
    scene.integrator = Integrator::light;
    EXPECT_EQ(RenderScene(scene, cloud, nullptr, 1).view().strategies.brick_sigma_t, nullptr);
    RenderScene const built(make_bidirectional_scene(print), print, nullptr, 1);
    EXPECT_EQ(built.view().strategies.brick_sigma_t, nullptr);
    EXPECT_EQ(built.view().strategies.mean_extinction_ratio, 1.0f);
}

} // namespace
} // namespace volpt::test
