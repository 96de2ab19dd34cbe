// Paths of uniform isotropic light have the mean length 4 V / S inside a convex body, whatever scatters there.
//
// S. Blanco & R. Fournier, An invariance property of diffusive random walks (Europhys. Lett. 61, 2003); with a
// refracting surface n^2 times as much. The mean length is the mean number of tentative collisions over the global
// majorant.
#include "tests/statistical/isotropic_entry.h"

namespace volpt::test {
namespace {

double mean_chord(VolumeMeta const& meta)
{
    double const x = static_cast<double>(meta.pitch_mm[0]) * meta.dims[0];
    double const y = static_cast<double>(meta.pitch_mm[1]) * meta.dims[1];
    double const z = static_cast<double>(meta.pitch_mm[2]) * meta.dims[2];
    return 4 * x * y * z / (2 * (x * y + y * z + z * x));
}

constexpr std::uint32_t kPaths = 60000 / kHaste;

TEST(PathLength, InAHomogeneousBoxIsFourVOverSForEveryDensityAndAnisotropy)
{
    for (float const sigma_t : {0.3f, 5.0f, 40.0f})
        for (float const g : {-0.5f, 0.0f, 0.9f}) {
            VolumeMeta meta;
            meta.dims = {2, 3, 5};
            meta.pitch_mm = {0.5f, 0.2f, 0.4f};
            meta.scale = sigma_t;
            meta.g = g;
            PackedVolume const volume = make_volume(meta);
            Scene const scene = make_scene(volume);
            RenderScene const built(scene, volume, nullptr, 3);
            auto const got =
                follow_paths<Medium<1, Extinction::bare, MajorantGrid::global>>(built.view(), EntryFaces::all, kPaths);
            expect_truth(got.collisions, static_cast<double>(sigma_t) * mean_chord(meta), 0,
                         "sigma_t " + std::to_string(sigma_t) + ", g " + std::to_string(g));
        }
}

TEST(PathLength, InARefractingBoxIsTimesNSquared)
{
    for (double const ior : {1.3, 1.5}) {
        VolumeMeta meta;
        meta.dims = {1, 1, 1};
        meta.pitch_mm = {1, 0.8f, 0.6f};
        meta.scale = 10;
        meta.g = 0.4f;
        PackedVolume const volume = make_volume(meta);
        Scene scene = make_scene(volume);
        scene.boundary = {BoundaryKind::smooth, ior, 1.0, 0};
        RenderScene const built(scene, volume, nullptr, 3);
        auto const got =
            follow_paths<Medium<1, Extinction::bare, MajorantGrid::global>>(built.view(), EntryFaces::all, kPaths);
        expect_truth(got.collisions, ior * ior * 10 * mean_chord(meta), 0, "ior " + std::to_string(ior));
    }
}

TEST(PathLength, InAHeterogeneousCloudIsFourVOverSToo)
{
    for (Filter const filter : {Filter::trilinear, Filter::nearest})
        for (double const ior : {1.0, 1.4}) {
            PackedVolume const volume = make_volume(cloud_meta(filter), {.density = cloud_density});
            Scene scene = make_scene(volume);
            scene.majorant = MajorantKind::global;
            if (ior != 1) scene.boundary = {BoundaryKind::smooth, ior, 1.0, 0};
            RenderScene const built(scene, volume, nullptr, 3);
            auto const got = follow_paths<Medium<1, Extinction::density, MajorantGrid::global>>(
                built.view(), EntryFaces::all, kPaths);
            double const majorant = static_cast<double>(built.view().medium.band[0].majorant);
            expect_truth(got.tentative, ior * ior * majorant * mean_chord(volume.meta()), 0, "cloud");
        }
}

TEST(PathLength, BrickLocalWalksCollideAsOftenAsGlobalOnes)
{
    PackedVolume const volume = make_volume(cloud_meta(Filter::nearest), {.density = cloud_density});
    Scene scene = make_scene(volume);
    RenderScene const local(scene, volume, nullptr, 3);
    scene.majorant = MajorantKind::global;
    RenderScene const global(scene, volume, nullptr, 4);
    auto const by_brick =
        follow_paths<Medium<1, Extinction::density, MajorantGrid::local>>(local.view(), EntryFaces::all, kPaths);
    auto const by_volume =
        follow_paths<Medium<1, Extinction::density, MajorantGrid::global>>(global.view(), EntryFaces::all, kPaths);
    expect_equal_means(by_brick.collisions, by_volume.collisions, "real collisions");
    EXPECT_LT(by_brick.tentative.mean, by_volume.tentative.mean) << "brick-local majorants save nothing";
}

} // namespace
} // namespace volpt::test
