// Branchless voxel reads against the stepwise decoding that defines the format.
#include "libvolpt/core/lookup.hd.h"
#include "tests/support/make_volume.h"

#include <gtest/gtest.h>

namespace volpt::test {
namespace {

constexpr std::array<int, 3> kDims{19, 10, 17};

/// Values that fill the encodings' range; bricks of the far half along x are constant.
float mixed_value(int x, int y, int z, int salt = 0)
{
    if (x >= 8 && x < 16) return 0.25f;
    return static_cast<float>((x * 31 + y * 17 + z * 7 + salt * 13) % 256) / 255.0f;
}

/// Reads every voxel both ways; counts those of constant and of stored bricks so that neither is missing.
template <class Expect>
void visit_voxels(PlaneView const& plane, VolumeView const& volume, Expect&& expect)
{
    MediumView medium;
    std::copy(std::begin(volume.brick_counts), std::end(volume.brick_counts), medium.brick_counts);
    PlaneReader const reader = make_plane_reader(plane);
    int constant = 0, stored = 0;
    for (int z = 0; z < kDims[2]; ++z)
        for (int y = 0; y < kDims[1]; ++y)
            for (int x = 0; x < kDims[0]; ++x) {
                VoxelRef const voxel = make_voxel_ref(medium, x, y, z);
                std::size_t const entry = static_cast<std::size_t>(voxel.brick) * plane.table_stride;
                (plane.table[entry] == kConstantBrick ? constant : stored) += 1;
                for (std::uint32_t channel = 0; channel < plane.channels; ++channel)
                    expect(reader, voxel, channel, read_stored(plane, volume, x, y, z, static_cast<int>(channel)));
            }
    EXPECT_GT(constant, 0);
    EXPECT_GT(stored, 0);
}

void expect_same_values(PlaneView const& plane, VolumeView const& volume)
{
    visit_voxels(plane, volume, [](PlaneReader const& reader, VoxelRef voxel, std::uint32_t channel, float expected) {
        ASSERT_EQ(bits_from_float(read_value(reader, voxel, channel)), bits_from_float(expected)) << channel;
    });
}

TEST(Lookup, DensityOfEveryEncodingIsReadBitForBit)
{
    for (Encoding const encoding : {Encoding::u8, Encoding::u16, Encoding::f16, Encoding::f32}) {
        VolumeMeta meta = density_meta(kDims, Filter::nearest, encoding);
        if (encoding == Encoding::u8) meta.density_value_scale = 1.0f / 255;
        if (encoding == Encoding::u16) meta.density_value_scale = 1.0f / 65535;
        PackedVolume const volume =
            make_volume(meta, {.density = [](int x, int y, int z) { return mixed_value(x, y, z); }});
        VolumeView const view = volume.view();
        expect_same_values(view.density, view);
    }
}

TEST(Lookup, DensityIsReadAsItWasPacked)
{
    PackedVolume const volume = make_volume(density_meta(kDims, Filter::nearest, Encoding::f32),
                                            {.density = [](int x, int y, int z) { return mixed_value(x, y, z); }});
    VolumeView const view = volume.view();
    MediumView medium;
    std::copy(std::begin(view.brick_counts), std::end(view.brick_counts), medium.brick_counts);
    PlaneReader const reader = make_plane_reader(view.density);
    for (int z = 0; z < kDims[2]; ++z)
        for (int y = 0; y < kDims[1]; ++y)
            for (int x = 0; x < kDims[0]; ++x)
                ASSERT_EQ(read_value(reader, make_voxel_ref(medium, x, y, z), 0), mixed_value(x, y, z));
}

TEST(Lookup, AlbedoOfEveryEncodingAndBandCountIsReadBitForBit)
{
    for (Encoding const encoding : {Encoding::u8, Encoding::f16, Encoding::f32})
        for (std::size_t const bands : {1u, 2u, 3u, 4u, 5u, 7u, 16u}) {
            VolumeMeta meta;
            meta.dims = kDims;
            meta.albedo = Source::plane;
            meta.albedo_encoding = encoding;
            meta.band_numbers.clear();
            for (std::uint32_t band = 0; band < bands; ++band) meta.band_numbers.push_back(band);
            meta.constant_extinction.assign(bands, 1.0f);
            meta.constant_one_minus_albedo.assign(bands, 0.0f);
            PackedVolume const volume = make_volume(
                meta, {.one_minus_albedo = [](int x, int y, int z, int band) { return mixed_value(x, y, z, band); }});
            VolumeView const view = volume.view();
            ASSERT_EQ(view.one_minus_albedo.channels, bands);
            expect_same_values(view.one_minus_albedo, view);
        }
}

TEST(Lookup, LabelsAreReadFromConstantAndStoredBricks)
{
    VolumeMeta meta;
    meta.dims = kDims;
    meta.extinction = meta.albedo = meta.anisotropy = Source::material;
    std::vector<Material> materials(256);
    for (std::size_t i = 0; i < materials.size(); ++i) materials[i] = {"m" + std::to_string(i), {1}, {0}, 0};
    auto const label = [](int x, int y, int z) { return x >= 8 && x < 16 ? 255 : (x * 31 + y * 17 + z * 7) % 256; };
    PackedVolume const volume = make_volume(meta, {.label = label}, materials);
    VolumeView const view = volume.view();
    visit_voxels(view.label, view, [](PlaneReader const& reader, VoxelRef voxel, std::uint32_t, float expected) {
        ASSERT_EQ(static_cast<float>(read_label(reader, voxel)), expected);
    });
}

TEST(Lookup, AVoxelIsItsBrickAndItsPlaceInside)
{
    MediumView medium;
    medium.brick_counts[0] = 3;
    medium.brick_counts[1] = 2;
    medium.brick_counts[2] = 4;
    VoxelRef const voxel = make_voxel_ref(medium, 17, 9, 26);
    EXPECT_EQ(voxel.brick, (3 * 2 + 1) * 3 + 2);
    EXPECT_EQ(voxel.morton, morton_in_brick(1, 1, 2));
}

TEST(Lookup, SkippedWordsAreNeverThoseAsked)
{
    std::uint32_t const words[] = {7, 8};
    EXPECT_EQ(load_word_unless(0, words, 1), 8u);
    EXPECT_EQ(load_word_unless(0xffffffff, words, 1 << 30), 7u) << "a constant brick reads word 0, whatever its slot";
}

} // namespace
} // namespace volpt::test
