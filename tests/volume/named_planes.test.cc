// Planes by their names, as plain arrays.
#include "tests/volume/volume_samples.h"

#include "libvolpt/volume/named_planes.h"
#include "tests/support/expect_error.h"

namespace volpt {
namespace {

using namespace test;

TEST(NamedPlanes, AVolumeListsThoseThatItHasByVoxel)
{
    PackedVolume const rich = make_volume(rich_meta(), rich_voxels(), three_inks());
    EXPECT_EQ(list_planes(rich.view()), (std::vector<std::string>{"density", "one_minus_albedo", "label"}));
    PackedVolume const plain = make_volume(density_meta({4, 4, 4}), {.density = [](int, int, int) { return 1.0f; }});
    EXPECT_EQ(list_planes(plain.view()), std::vector<std::string>{"density"});
    for (char const* const name : {"label", "emission", "colour", ""})
        expect_error(ExitStatus::usage, {"no plane", "density"}, [&] { read_dense_plane(plain, name, 1); });
}

TEST(NamedPlanes, ADensePlaneHasTheOrderOfZYXAndChannels)
{
    VolumeMeta meta = rich_meta();
    meta.density_encoding = Encoding::f32;
    meta.density_value_scale = 1;
    PackedVolume const volume = make_volume(meta, rich_voxels(), three_inks());
    for (int const threads : {1, 3}) {
        DensePlane const density = read_dense_plane(volume, "density", threads);
        DensePlane const absorption = read_dense_plane(volume, "one_minus_albedo", threads);
        EXPECT_EQ(density.shape, (std::array<std::size_t, 4>{17, 9, 19, 1}));
        EXPECT_EQ(absorption.shape, (std::array<std::size_t, 4>{17, 9, 19, 3}));
        std::size_t voxel = 0;
        for_each_voxel(meta.dims, [&](int x, int y, int z) {
            EXPECT_EQ(density.values[voxel], rich_voxels().density(x, y, z));
            for (int band = 0; band < 3; ++band)
                EXPECT_NEAR(absorption.values[3 * voxel + static_cast<std::size_t>(band)],
                            rich_voxels().one_minus_albedo(x, y, z, band), 1e-3);
            ++voxel;
        });
    }
}

TEST(NamedPlanes, ALabelIsAnIndexIntoTheMaterials)
{
    PackedVolume const volume = make_volume(rich_meta(), rich_voxels(), three_inks());
    DensePlane const labels = read_dense_plane(volume, "label", 2);
    EXPECT_EQ(labels.shape, (std::array<std::size_t, 4>{17, 9, 19, 1}));
    std::size_t voxel = 0;
    for_each_voxel(volume.meta().dims, [&](int x, int y, int z) {
        EXPECT_EQ(labels.values[voxel++], static_cast<float>(rich_voxels().label(x, y, z)));
    });
}

} // namespace
} // namespace volpt
