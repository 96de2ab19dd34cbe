// Single voxels, and counts of densities.
#include "libvolpt/volume/packed_layers.h"
#include "tests/volume/volume_samples.h"

#include <numeric>

namespace volpt::test {
namespace {

TEST(VoxelCounts, SingleVoxelsAreThoseOfTheLayers)
{
    PackedVolume const volume = make_volume(rich_meta(), rich_voxels(), three_inks());
    VolumeView const view = volume.view();
    for_each_voxel(volume.meta().dims, [&](int x, int y, int z) {
        ASSERT_EQ(read_plane_voxel(view, view.density, {x, y, z}), read_stored(view.density, view, x, y, z));
        ASSERT_EQ(static_cast<float>(read_label_voxel(view, {x, y, z})), read_stored(view.label, view, x, y, z));
        for (int band = 0; band < 3; ++band)
            ASSERT_EQ(read_plane_voxel(view, view.one_minus_albedo, {x, y, z}, static_cast<std::uint32_t>(band)),
                      read_stored(view.one_minus_albedo, view, x, y, z, band));
    });
}

TEST(VoxelCounts, EveryDensityIsCountedOnceInItsBinOnAnyNumberOfThreads)
{
    for (Encoding const encoding : {Encoding::u8, Encoding::f32}) {
        VolumeMeta meta = density_meta({19, 9, 37}, Filter::trilinear, encoding);
        if (encoding == Encoding::u8) meta.density_value_scale = 1.0f / 255;
        // Bricks of x < 8 are constant, and those at the far faces are not whole.
        PackedVolume const volume =
            make_volume(meta, {.density = [](int x, int y, int z) { return x < 8 ? 0.25f : noise(x, y, z); }});
        VolumeView const view = volume.view();
        double const to = static_cast<double>(view.global_majorant[0]);
        std::array<std::uint64_t, 256> expected{};
        for_each_voxel(meta.dims, [&](int x, int y, int z) {
            double const density = static_cast<double>(read_stored(view.density, view, x, y, z));
            ++expected[std::min(static_cast<std::size_t>(density * (256 / to)), std::size_t{255})];
        });
        for (int const threads : {1, 3}) {
            auto const histogram = count_densities(view, threads);
            EXPECT_EQ(histogram.to, to);
            EXPECT_EQ(histogram.counts, expected);
        }
    }
}

TEST(VoxelCounts, AnEmptyVolumeIsAllInTheFirstBin)
{
    PackedVolume const volume = make_volume(density_meta({9, 9, 9}), {.density = [](int, int, int) { return 0.0f; }});
    EXPECT_EQ(count_densities(volume.view(), 2).counts[0], 729u);
}

} // namespace
} // namespace volpt::test
