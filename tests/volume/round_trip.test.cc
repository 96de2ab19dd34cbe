// What is packed comes back: every encoding within its step, every plane, every field, in the layout of the page.
#include "tests/volume/volume_samples.h"

#include "tests/support/expect_error.h"

namespace volpt {
namespace {

using namespace test;

struct DensityCase {
    Encoding encoding;
    float value_scale;
    double step; ///< error bound: half a code step, or half an ulp relative to the largest value
};

class DensityEncoding : public testing::TestWithParam<DensityCase> {};

TEST_P(DensityEncoding, EveryVoxelComesBackWithinTheStatedError)
{
    std::array<int, 3> const dims{17, 9, 10};
    VolumeMeta meta = density_meta(dims, Filter::trilinear, GetParam().encoding);
    meta.density_value_scale = GetParam().value_scale;
    PackedVolume const volume =
        make_volume(meta, {.density = [](int x, int y, int z) { return 3.0f * noise(x, y, z); }});
    VolumeView const view = volume.view();
    double largest_error = 0;
    for_each_voxel(dims, [&](int x, int y, int z) {
        double const error = std::abs(static_cast<double>(read_stored(view.density, view, x, y, z)) -
                                      static_cast<double>(3.0f * noise(x, y, z)));
        largest_error = std::max(largest_error, error);
    });
    EXPECT_LE(largest_error, GetParam().step);
    EXPECT_NEAR(volume.statistics().density_error_max, largest_error, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(All, DensityEncoding,
                         testing::Values(DensityCase{Encoding::u8, 3.0f / 255.0f, 0.5001 * 3 / 255},
                                         DensityCase{Encoding::u16, 3.0f / 65535.0f, 0.5001 * 3 / 65535 + 2e-7},
                                         DensityCase{Encoding::f16, 1.0f, 0x1p-10},
                                         DensityCase{Encoding::f32, 1.0f, 0.0}),
                         [](auto const& tested) { return name_of(tested.param.encoding); });

class AlbedoEncoding : public testing::TestWithParam<Encoding> {};

TEST_P(AlbedoEncoding, ErrorIsRelativeToOneMinusAlbedo)
{
    std::array<int, 3> const dims{9, 8, 8};
    auto const albedo = [](int x, int y, int z, int band) { return 0.05f + 0.95f * noise(x, y, z, band); };
    for (std::uint32_t bands : {1u, 2u, 3u, 5u}) {
        VolumeMeta meta;
        meta.dims = dims;
        meta.band_numbers.resize(bands);
        for (std::uint32_t b = 0; b < bands; ++b) meta.band_numbers[b] = b;
        meta.constant_extinction.assign(bands, 1.0f);
        meta.albedo = Source::plane;
        meta.albedo_encoding = GetParam();
        PackedVolume const volume = make_volume(meta, {.one_minus_albedo = albedo});
        VolumeView const view = volume.view();
        EXPECT_EQ(view.one_minus_albedo.channels, bands);
        double largest_error = 0;
        for_each_voxel(dims, [&](int x, int y, int z) {
            for (int band = 0; band < static_cast<int>(bands); ++band) {
                double const stored = static_cast<double>(read_stored(view.one_minus_albedo, view, x, y, z, band));
                double const truth = static_cast<double>(albedo(x, y, z, band));
                EXPECT_LE(stored, 1.0);
                largest_error = std::max(largest_error, std::abs(stored - truth) / truth);
            }
        });
        EXPECT_NEAR(volume.statistics().albedo_error_max, largest_error, 1e-6);
        EXPECT_LE(largest_error, GetParam() == Encoding::u8 ? 0.5 / 255 / 0.05 + 1e-6 : 0x1p-11 + 1e-6);
    }
}

INSTANTIATE_TEST_SUITE_P(All, AlbedoEncoding,
                         testing::Values(Encoding::u8, Encoding::u16, Encoding::f16, Encoding::f32),
                         [](auto const& tested) { return name_of(tested.param); });

TEST(HalfEncoding, EveryFiniteHalfSurvivesAndTiesGoToEven)
{
    VolumeMeta const meta = density_meta({256, 124, 1}, Filter::nearest, Encoding::f16);
    auto const half = [](int x, int y, int) { return half_to_float(static_cast<std::uint32_t>(y * 256 + x)); };
    PackedVolume const volume = make_volume(meta, {.density = half});
    EXPECT_EQ(volume.statistics().density_error_max, 0.0);

    VolumeMeta const ties = density_meta({2, 1, 1}, Filter::nearest, Encoding::f16);
    PackedVolume const tied =
        make_volume(ties, {.density = [](int x, int, int) { return x == 0 ? 2049.0f : 2051.0f; }});
    VolumeView const view = tied.view();
    EXPECT_EQ(read_stored(view.density, view, 0, 0, 0), 2048.0f);
    EXPECT_EQ(read_stored(view.density, view, 1, 0, 0), 2052.0f);
}

TEST(PackedVolume, MetadataMaterialsAndTextsComeBack)
{
    TempFolder const folder;
    VolumeMeta const meta = rich_meta();
    VolumePacker packer(folder / "v.vpk", meta, three_inks());
    packer.set_scene_hints(R"({"camera": {"fov": 40}})");
    packer.set_source_metadata(R"({"Modality": "MET_MOD_CT"})");
    std::vector<float> const density(19 * 9 * 17, 0.5f);
    std::vector<float> const albedo(3 * density.size(), 0.25f);
    std::vector<std::uint8_t> const label(density.size(), 2);
    packer.add_slab({.z_first = 0, .z_count = 17, .density = density, .one_minus_albedo = albedo, .label = label});
    Provenance provenance;
    provenance.set("tool", "test");
    packer.finish(provenance);

    PackedVolume const volume = PackedVolume::open(folder / "v.vpk", VerifyLevel::full);
    VolumeMeta const& read = volume.meta();
    EXPECT_EQ(read.dims, meta.dims);
    EXPECT_EQ(read.pitch_mm, meta.pitch_mm);
    EXPECT_EQ(read.placement.rotation, meta.placement.rotation);
    EXPECT_EQ(read.placement.origin_world_mm, meta.placement.origin_world_mm);
    EXPECT_EQ(read.filter, meta.filter);
    EXPECT_EQ(read.band_numbers, meta.band_numbers);
    EXPECT_EQ(read.scale, meta.scale);
    EXPECT_EQ(read.extinction, meta.extinction);
    EXPECT_EQ(read.albedo, meta.albedo);
    EXPECT_EQ(read.anisotropy, meta.anisotropy);
    EXPECT_EQ(read.density_encoding, meta.density_encoding);
    EXPECT_EQ(read.density_value_scale, meta.density_value_scale);
    EXPECT_EQ(read.albedo_encoding, meta.albedo_encoding);
    ASSERT_EQ(volume.materials().size(), 3u);
    EXPECT_EQ(volume.materials()[1].name, "M");
    EXPECT_EQ(volume.materials()[1].sigma_t, three_inks()[1].sigma_t);
    EXPECT_EQ(volume.materials()[2].one_minus_albedo, three_inks()[2].one_minus_albedo);
    EXPECT_EQ(volume.view().material_g[1], 0.3f);
    EXPECT_EQ(volume.view().material_extinction[1 * kMaxMaterials + 0], 4.5f);
    EXPECT_EQ(volume.view().material_one_minus_albedo[2 * kMaxMaterials + 1], 0.1f);
    EXPECT_EQ(volume.scene_hints_json(), R"({"camera": {"fov": 40}})");
    EXPECT_EQ(volume.source_metadata_json(), R"({"Modality": "MET_MOD_CT"})");
    EXPECT_EQ(*volume.provenance().find("tool"), "test");
    EXPECT_EQ(volume.size_bytes(), std::filesystem::file_size(folder / "v.vpk"));
}

TEST(PackedVolume, ConstantBricksCostNoVoxels)
{
    PackedVolume const volume = make_volume(rich_meta(), rich_voxels(), three_inks());
    // 3 x 2 x 3 bricks; those of x < 8 are constant in density and albedo, those of z < 8 in the label.
    EXPECT_EQ(volume.statistics().bricks, 18u);
    EXPECT_EQ(volume.statistics().constant_bricks, 2u);
    VolumeView const view = volume.view();
    for_each_voxel({19, 9, 17}, [&](int x, int y, int z) {
        float const density = rich_voxels().density(x, y, z);
        EXPECT_NEAR(read_stored(view.density, view, x, y, z), density, 0.5f / 255 + 1e-6f);
        EXPECT_EQ(read_stored(view.label, view, x, y, z), static_cast<float>(rich_voxels().label(x, y, z)));
        for (int band = 0; band < 3; ++band) {
            EXPECT_NEAR(read_stored(view.one_minus_albedo, view, x, y, z, band),
                        rich_voxels().one_minus_albedo(x, y, z, band), 0x1p-11f);
        }
    });
    EXPECT_EQ(view.density.table[0], kConstantBrick);
    EXPECT_NE(view.density.table[view.density.table_stride], kConstantBrick);
}

TEST(PackedVolume, BeyondTheEdgeTheLastVoxelIsRepeated)
{
    std::array<int, 3> const dims{10, 11, 13};
    PackedVolume const volume =
        make_volume(density_meta(dims), {.density = [](int x, int y, int z) { return noise(x, y, z); }});
    VolumeView const view = volume.view();
    for_each_voxel({16, 16, 16}, [&](int x, int y, int z) {
        EXPECT_EQ(read_stored(view.density, view, x, y, z), noise(std::min(x, 9), std::min(y, 10), std::min(z, 12)));
    });
}

TEST(PackedVolume, BricksAreStoredInMortonOrderOfTheGrid)
{
    PackedVolume const volume =
        make_volume(density_meta({40, 16, 24}), {.density = [](int x, int y, int z) { return noise(x, y, z); }});
    VolumeView const view = volume.view();
    auto const morton_of = [](int x, int y, int z) {
        unsigned code = 0;
        for (int bit = 0; bit < 4; ++bit) {
            code |= static_cast<unsigned>((x >> bit & 1) | (y >> bit & 1) << 1 | (z >> bit & 1) << 2) << (3 * bit);
        }
        return code;
    };
    std::vector<std::pair<unsigned, std::uint32_t>> slots;
    for (int brick = 0; brick < 5 * 2 * 3; ++brick) {
        slots.emplace_back(morton_of(brick % 5, brick / 5 % 2, brick / 10),
                           view.density.table[static_cast<std::size_t>(brick) * view.density.table_stride]);
    }
    std::sort(slots.begin(), slots.end());
    for (std::uint32_t i = 0; i < slots.size(); ++i) EXPECT_EQ(slots[i].second, i);
}

TEST(PackedVolume, HomogeneousVolumeNeedsNoSlabs)
{
    TempFolder const folder;
    VolumeMeta meta;
    meta.dims = {1024, 1024, 1024};
    meta.band_numbers = {0, 1, 2};
    meta.constant_extinction = {9.0f, 4.5f, 9.0f};
    meta.constant_one_minus_albedo = {0.1f, 0.2f, 0.3f};
    VolumePacker packer(folder / "v.vpk", meta);
    PackStatistics const statistics = packer.finish({});
    EXPECT_EQ(statistics.bricks, 128u * 128 * 128);
    EXPECT_EQ(statistics.constant_bricks, statistics.bricks);
    EXPECT_LT(std::filesystem::file_size(folder / "v.vpk"), 40'000u);
    PackedVolume const volume = PackedVolume::open(folder / "v.vpk", VerifyLevel::full);
    VolumeView const view = volume.view();
    EXPECT_EQ(view.local_majorants, nullptr);
    EXPECT_FALSE(view.grey_extinction);
    EXPECT_EQ(view.majorant_bands, 2u);
    EXPECT_EQ(view.majorant_index[2], 0u);
    EXPECT_EQ(view.global_majorant[1], 4.5f);
    EXPECT_EQ(view.density.channels, 0u);
    EXPECT_EQ(volume.statistics().mean_majorant_ratio, 1.0);
}

TEST(PackedVolume, ThirtySixBandsAndTheirWavelengthsComeBack)
{
    TempFolder const folder;
    VolumeMeta meta;
    meta.dims = {8, 8, 8};
    meta.band_numbers.clear();
    meta.constant_extinction.clear();
    meta.constant_one_minus_albedo.clear();
    for (std::uint32_t band = 0; band < 36; ++band) {
        auto const number = static_cast<float>(band);
        meta.band_numbers.push_back(band);
        meta.wavelengths_nm.push_back(380 + 10 * number);
        meta.light_channels.push_back(band);
        meta.constant_extinction.push_back(1 + number);
        meta.constant_one_minus_albedo.push_back(number / 64);
    }
    VolumePacker(folder / "v.vpk", meta).finish({});
    PackedVolume const volume = PackedVolume::open(folder / "v.vpk", VerifyLevel::full);
    EXPECT_EQ(volume.meta().band_numbers, meta.band_numbers);
    EXPECT_EQ(volume.meta().wavelengths_nm, meta.wavelengths_nm);
    EXPECT_EQ(volume.meta().light_channels, meta.light_channels);
    EXPECT_EQ(volume.meta().constant_extinction, meta.constant_extinction);
    EXPECT_EQ(volume.meta().constant_one_minus_albedo, meta.constant_one_minus_albedo);
    EXPECT_EQ(volume.view().global_majorant[35], 36.0f);
    meta.wavelengths_nm[7] = meta.wavelengths_nm[6];
    expect_error(ExitStatus::usage, {"wavelengths"}, [&] { VolumePacker(folder / "w.vpk", meta); });
}

TEST(PackedVolume, ConstantBricksLeaveAWordForSpeculativeReads)
{
    PackedVolume const volume =
        make_volume(density_meta({16, 16, 16}), {.density = [](int, int, int) { return 2.0f; }});
    EXPECT_EQ(volume.statistics().constant_bricks, 8u);
    ASSERT_NE(volume.view().density.words, nullptr);
    EXPECT_EQ(volume.view().density.words[0], 0u);
}

TEST(DataChecksum, IgnoresHintsAndProvenanceButNotVoxels)
{
    TempFolder const folder;
    auto const pack = [&](float value, std::string hints, std::string who) {
        VolumePacker packer(folder / "v.vpk", density_meta({8, 8, 9}));
        packer.set_scene_hints(hints);
        std::vector<float> voxels(8 * 8 * 9, 1.0f);
        voxels[100] = value;
        packer.add_slab({.z_first = 0, .z_count = 9, .density = voxels});
        Provenance provenance;
        provenance.set("tool", who);
        packer.finish(provenance);
        return PackedVolume::open(folder / "v.vpk").data_checksum();
    };
    Hash128 const reference = pack(2.0f, "{}", "a");
    EXPECT_EQ(pack(2.0f, R"({"x": 1})", "bb"), reference);
    EXPECT_NE(pack(2.0000002f, "{}", "a"), reference);
}

} // namespace
} // namespace volpt
