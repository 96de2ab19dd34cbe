// A grey volume in three bands is the one that is packed with three equal bands.
#include "libvolpt/volume/bands/match_bands.h"
#include "libvolpt/volume/bands/widen_planes.h"
#include "libvolpt/volume/meta.h"
#include "tests/support/expect_error.h"
#include "tests/support/make_volume.h"
#include "tests/volume/shape_samples.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <optional>

namespace volpt {
namespace {

using test::make_volume;
using test::read_stored;
using test::TempFolder;
using test::VoxelFunctions;

float vary(int x, int y, int z)
{
    return x < 8 ? 0.25f : static_cast<float>((x * 5 + y * 3 + z) % 17) / 17;
}

/// The one that is packed with this metadata and three bands.
PackedVolume make_equal_bands(VolumeMeta meta, VoxelFunctions const& voxels, std::vector<Material> materials = {})
{
    meta.band_numbers = {0, 1, 2};
    for (auto* const by_band : {&meta.constant_extinction, &meta.constant_one_minus_albedo})
        by_band->assign(3, by_band->front());
    for (Material& material : materials)
        for (auto* const by_band : {&material.sigma_t, &material.one_minus_albedo})
            by_band->assign(3, by_band->front());
    return make_volume(meta, voxels, materials);
}

void expect_equal_planes(PlaneView const& left, PlaneView const& right, std::size_t bricks)
{
    ASSERT_EQ(left.channels, right.channels);
    ASSERT_EQ(left.record_elements, right.record_elements);
    ASSERT_EQ(left.table_stride, right.table_stride);
    EXPECT_EQ(left.encoding, right.encoding);
    EXPECT_EQ(left.value_scale, right.value_scale);
    if (left.channels == 0) return;
    std::size_t slots = 0;
    for (std::size_t brick = 0; brick < bricks; ++brick) {
        std::size_t const entry = brick * left.table_stride;
        ASSERT_EQ(left.table[entry], right.table[entry]);
        if (left.table[entry] != kConstantBrick) {
            ++slots;
            continue;
        }
        ASSERT_TRUE(std::equal(left.table + entry, left.table + entry + 1 + left.channels, right.table + entry));
    }
    std::size_t const words = slots * kBrickVoxels * left.record_elements << element_log2_bytes(left.encoding) >> 2;
    EXPECT_TRUE(std::equal(left.words, left.words + words, right.words));
}

void expect_widened(PackedVolume const& grey, PackedVolume const& equal)
{
    PackedVolume const wide = grey.widen_to_rgb(2);
    EXPECT_EQ(wide.data_checksum(), grey.data_checksum());
    EXPECT_EQ(wide.meta().band_numbers, equal.meta().band_numbers);
    EXPECT_FALSE(wide.meta().is_grey());
    VolumeView const left = wide.view(), right = equal.view(), before = grey.view();
    std::size_t const bricks = count_bricks(grey.meta());
    expect_equal_planes(left.density, right.density, bricks);
    expect_equal_planes(left.label, right.label, bricks);
    expect_equal_planes(left.one_minus_albedo, right.one_minus_albedo, bricks);
    expect_equal_planes(left.emission, right.emission, bricks);
    // What a large volume consists of stays in the file.
    EXPECT_EQ(left.density.words, before.density.words);
    EXPECT_EQ(left.density.table, before.density.table);
    EXPECT_EQ(left.label.words, before.label.words);
    EXPECT_EQ(left.local_majorants, before.local_majorants);
    EXPECT_EQ(left.clearance_mm, before.clearance_mm);
    EXPECT_EQ(left.majorant_bands, right.majorant_bands);
    EXPECT_EQ(left.grey_extinction, right.grey_extinction);
    for (std::size_t band = 0; band < 3; ++band) {
        EXPECT_EQ(left.band_number[band], right.band_number[band]);
        EXPECT_EQ(left.majorant_index[band], right.majorant_index[band]);
        EXPECT_EQ(left.global_majorant[band], right.global_majorant[band]);
        EXPECT_EQ(left.constant_extinction[band], right.constant_extinction[band]);
        EXPECT_EQ(left.constant_one_minus_albedo[band], right.constant_one_minus_albedo[band]);
    }
    ASSERT_EQ(left.material_count, right.material_count);
    if (left.material_count == 0) return;
    std::size_t const values = 3 * kMaxMaterials;
    EXPECT_TRUE(std::equal(left.material_extinction, left.material_extinction + values, right.material_extinction));
    EXPECT_TRUE(std::equal(left.material_one_minus_albedo, left.material_one_minus_albedo + values,
                           right.material_one_minus_albedo));
    EXPECT_TRUE(std::equal(left.material_g, left.material_g + kMaxMaterials, right.material_g));
}

TEST(WidenedVolume, HasThePlanesOfThreeEqualBands)
{
    for (Encoding const encoding : {Encoding::u8, Encoding::u16, Encoding::f16, Encoding::f32}) {
        VolumeMeta meta = test::density_meta({21, 17, 9});
        meta.albedo = Source::plane;
        meta.albedo_encoding = encoding;
        meta.has_emission = true;
        VoxelFunctions const voxels{.density = vary,
                                    .one_minus_albedo = [](int x, int y, int z, int) { return vary(y, x, z); },
                                    .emission = [](int x, int y, int z, int) { return 3 * vary(z, x, y); }};
        expect_widened(make_volume(meta, voxels), make_equal_bands(meta, voxels));
    }
}

TEST(WidenedVolume, HasTheMaterialsOfThreeEqualBands)
{
    VolumeMeta meta;
    meta.dims = {17, 9, 8};
    meta.filter = Filter::nearest;
    meta.extinction = meta.albedo = meta.anisotropy = Source::material;
    std::vector<Material> const materials{
        {"air", {0}, {0}, 0}, {"white", {3}, {0.01f}, 0.4f}, {"ink", {2}, {0.7f}, -0.2f}};
    VoxelFunctions const voxels{.label = [](int x, int y, int z) { return x < 8 ? 1 : (x + y + z) % 3; }};
    expect_widened(make_volume(meta, voxels, materials), make_equal_bands(meta, voxels, materials));
}

TEST(WidenedVolume, HasTheConstantsOfThreeEqualBands)
{
    VolumeMeta meta;
    meta.dims = {4, 5, 6};
    meta.constant_extinction = {2};
    meta.constant_one_minus_albedo = {0.3f};
    expect_widened(make_volume(meta), make_equal_bands(meta, {}));
}

TEST(WidenedVolume, HasTheSurroundingsInThreeBands)
{
    TempFolder const folder;
    VolumeMeta meta;
    meta.dims = {4, 4, 4};
    SurroundingShapes const given = test::make_sample_shapes();
    VolumePacker packer(folder / "v.vpk", meta, {}, 1, {}, given);
    packer.finish({});
    PackedVolume const wide = PackedVolume::open(folder / "v.vpk").widen_to_rgb(1);
    SurroundingShapes const& got = wide.surroundings();
    ASSERT_EQ(got.bsdfs.size(), given.bsdfs.size());
    for (std::size_t i = 0; i < given.bsdfs.size(); ++i)
        for (std::size_t band = 0; band < 3; ++band) {
            EXPECT_EQ(got.bsdfs[i].diffuse.colour[0][band], given.bsdfs[i].diffuse.colour[0][0]);
            EXPECT_EQ(got.bsdfs[i].specular[band], given.bsdfs[i].specular[0]);
            EXPECT_EQ(got.bsdfs[i].eta[band], given.bsdfs[i].eta[0]);
            EXPECT_EQ(got.bsdfs[i].extinction[band], given.bsdfs[i].extinction[0]);
        }
    EXPECT_EQ(got.texels[0], (std::vector<float>{0.25f, 0.25f, 0.25f, 1, 1, 1}));
    EXPECT_EQ(got.mesh_mm.triangles, given.mesh_mm.triangles);
}

TEST(WidenedVolume, OutlivesTheOneOfOneBand)
{
    auto grey = std::make_optional(make_volume(test::density_meta({9, 9, 9}), {.density = vary}));
    PackedVolume const wide = grey->widen_to_rgb(1);
    grey.reset();
    EXPECT_EQ(read_stored(wide.view().density, wide.view(), 8, 3, 2), vary(8, 3, 2));
    EXPECT_NO_THROW(wide.check_unchanged());
}

TEST(WidenedVolume, IsRefusedWhereItDoesNotFitIntoMemory)
{
    EXPECT_NO_THROW(check_widened_memory(1, "v.vpk"));
    test::expect_error(ExitStatus::system, {"GiB", "v.vpk", "--bands volume"},
                       [] { check_widened_memory(std::uint64_t{1} << 60, "v.vpk"); });
}

TEST(MatchBands, WidensGreyVolumesAlone)
{
    auto const share = [](PackedVolume volume) { return std::make_shared<PackedVolume const>(std::move(volume)); };
    VolumeMeta meta;
    meta.dims = {4, 4, 4};
    auto const grey = share(make_volume(meta));
    EXPECT_EQ(match_bands(grey, 1, 1), grey);
    EXPECT_EQ(match_bands(grey, 2, 1), grey);
    EXPECT_EQ(match_bands(grey, 3, 1)->meta().bands(), 3u);
    VolumeMeta blue = meta, of_coloured = meta, spectral = meta;
    blue.band_numbers = {2};
    of_coloured.light_channels = {0};
    spectral.wavelengths_nm = {550};
    for (VolumeMeta const& other : {blue, of_coloured, spectral}) {
        auto const volume = share(make_volume(other));
        EXPECT_FALSE(volume->meta().is_grey());
        EXPECT_EQ(match_bands(volume, 3, 1), volume);
    }
}

} // namespace
} // namespace volpt
