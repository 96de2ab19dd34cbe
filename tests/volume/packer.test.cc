// The packer: bytes do not depend on how slabs are cut, bad input is named, and failures leave the old file.
#include "tests/volume/volume_samples.h"

#include "tests/support/expect_error.h"

#include <limits>

namespace volpt {
namespace {

using namespace test;

TEST(VolumePacker, BytesDoNotDependOnSlabThickness)
{
    TempFolder const folder;
    pack_volume(folder / "whole", rich_meta(), rich_voxels(), three_inks(), 17);
    auto const whole = read_bytes(folder / "whole");
    for (int layers : {1, 3, 7, 8, 9, 16}) {
        pack_volume(folder / "cut", rich_meta(), rich_voxels(), three_inks(), layers);
        EXPECT_EQ(read_bytes(folder / "cut"), whole) << layers;
    }
}

TEST(VolumePacker, BytesDoNotDependOnTheNumberOfThreads)
{
    TempFolder const folder;
    VoxelFunctions const noisy{.density = [](int x, int y, int z) { return y < 40 ? noise(x, y, z) : 0.25f; }};
    VoxelFunctions const inks{.label = [](int x, int y, int z) { return x < 30 ? int(3 * noise(x, y, z)) : 1; }};
    auto const pack = [&](int threads) {
        pack_volume(folder / "rich", rich_meta(), rich_voxels(), three_inks(), 8, {}, threads);
        pack_volume(folder / "density", density_meta({70, 91, 40}), noisy, {}, 8, {}, threads);
        pack_volume(folder / "labels", label_meta({70, 91, 40}), inks, three_inks(), 8, {}, threads);
        return std::array{read_bytes(folder / "rich"), read_bytes(folder / "density"), read_bytes(folder / "labels")};
    };
    auto const one = pack(1);
    for (int const threads : {2, 3, 16}) EXPECT_TRUE(pack(threads) == one) << threads;
    for (char const* const name : {"rich", "density", "labels"})
        EXPECT_NO_THROW(PackedVolume::open(folder / name, VerifyLevel::full, 3)) << name;
}

TEST(VolumePacker, FirstBadVoxelIsNamedOnAnyNumberOfThreads)
{
    TempFolder const folder;
    auto const density = [](int x, int y, int z) { return y >= 9 && (x + y + z) % 5 == 0 ? -1.0f : 1.0f; };
    for (int const threads : {1, 4})
        expect_error(ExitStatus::input, {"voxel (1, 9, 0)"}, [&] {
            pack_volume(folder / "v", density_meta({20, 60, 10}), {.density = density}, {}, 8, {}, threads);
        });
}

TEST(VolumePacker, ValuesThatCannotBeStoredAreNamedByVoxel)
{
    TempFolder const folder;
    float const infinity = std::numeric_limits<float>::infinity();
    for (Encoding encoding : {Encoding::u8, Encoding::u16, Encoding::f16, Encoding::f32}) {
        for (float bad : {-1.0f, infinity, -infinity, std::numeric_limits<float>::quiet_NaN()}) {
            expect_error(ExitStatus::input, {"voxel (13, 7, 9)"}, [&] {
                pack_volume(folder / "v", density_meta({20, 9, 10}, Filter::trilinear, encoding),
                            {.density = [&](int x, int y, int z) { return x == 13 && y == 7 && z == 9 ? bad : 0.5f; }});
            });
        }
    }
    EXPECT_FALSE(std::filesystem::exists(folder / "v"));
}

TEST(VolumePacker, AlbedoOutOfRangeIsNamedWithItsBand)
{
    TempFolder const folder;
    VolumeMeta meta;
    meta.dims = {9, 9, 9};
    meta.band_numbers = {0, 1, 2};
    meta.constant_extinction = {1, 1, 1};
    meta.albedo = Source::plane;
    auto const albedo = [](int x, int y, int z, int band) {
        return x == 1 && y == 2 && z == 3 && band == 2 ? 1.001f : 1.0f;
    };
    expect_error(ExitStatus::input, {"voxel (1, 2, 3), band 2"},
                 [&] { pack_volume(folder / "v", meta, {.one_minus_albedo = albedo}); });
}

TEST(VolumePacker, HalfOverflowIsRefusedAndTheLargestHalfIsNot)
{
    TempFolder const folder;
    VolumeMeta const meta = density_meta({4, 1, 1}, Filter::nearest, Encoding::f16);
    EXPECT_NO_THROW(pack_volume(folder / "v", meta, {.density = [](int, int, int) { return 65504.0f; }}));
    expect_error(ExitStatus::input, {"voxel (2, 0, 0)", "65504"}, [&] {
        pack_volume(folder / "v", meta, {.density = [](int x, int, int) { return x == 2 ? 65536.0f : 1.0f; }});
    });
}

TEST(VolumePacker, IntegerCodesClampAndReportTheError)
{
    TempFolder const folder;
    VolumeMeta meta = density_meta({4, 1, 1}, Filter::nearest, Encoding::u8);
    meta.density_value_scale = 0.01f;
    PackStatistics const statistics = pack_volume(folder / "v", meta, {.density = [](int, int, int) { return 3.0f; }});
    EXPECT_NEAR(statistics.density_error_max, 0.45, 1e-6);
}

TEST(VolumePacker, UnknownLabelIsNamed)
{
    TempFolder const folder;
    expect_error(ExitStatus::input, {"label 3", "voxel (8, 0, 5)"}, [&] {
        pack_volume(folder / "v", label_meta({9, 9, 9}),
                    {.label = [](int x, int, int z) { return x == 8 && z == 5 ? 3 : 0; }}, three_inks());
    });
}

TEST(VolumePacker, FailedPackLeavesTheOldFileAndNoOther)
{
    TempFolder const folder;
    pack_volume(folder / "v", density_meta({8, 8, 8}), {.density = [](int, int, int) { return 1.0f; }});
    auto const old = read_bytes(folder / "v");
    EXPECT_THROW(pack_volume(folder / "v", density_meta({8, 8, 24}),
                             {.density = [](int, int, int z) { return z == 20 ? -1.0f : 1.0f; }}),
                 Error);
    EXPECT_EQ(read_bytes(folder / "v"), old);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(VolumePacker, SlabsOutOfOrderOrOfWrongSizeAreRefused)
{
    TempFolder const folder;
    std::vector<float> const voxels(8 * 8 * 8, 1.0f);
    std::span<float const> const layers(voxels);
    VolumePacker packer(folder / "v", density_meta({8, 8, 20}));
    packer.add_slab({.z_first = 0, .z_count = 8, .density = layers});
    EXPECT_THROW(packer.add_slab({.z_first = 9, .z_count = 8, .density = layers}), Error);
    EXPECT_THROW(packer.add_slab({.z_first = 0, .z_count = 8, .density = layers}), Error);
    EXPECT_THROW(packer.add_slab({.z_first = 8, .z_count = 7, .density = layers}), Error);
    EXPECT_THROW(packer.add_slab({.z_first = 8, .z_count = 0, .density = {}}), Error);
    EXPECT_THROW(packer.add_slab({.z_first = 8, .z_count = 8, .density = layers, .one_minus_albedo = layers}), Error);
    packer.add_slab({.z_first = 8, .z_count = 8, .density = layers});
    EXPECT_THROW(packer.add_slab({.z_first = 16, .z_count = 8, .density = layers}), Error);
    EXPECT_THROW(packer.finish({}), Error);
}

TEST(VolumePacker, ContradictingMetadataIsRefused)
{
    TempFolder const folder;
    auto const refuses = [&](char const* what, auto&& change, std::vector<Material> materials = {}) {
        VolumeMeta meta = density_meta({8, 8, 8});
        change(meta);
        expect_error(ExitStatus::usage, {}, [&] { VolumePacker(folder / "v", meta, materials); });
        EXPECT_FALSE(std::filesystem::exists(folder / "v")) << what;
    };
    EXPECT_NO_THROW(VolumePacker(folder / "v", density_meta({8, 8, 8})));
    refuses("no voxels", [](VolumeMeta& m) { m.dims[1] = 0; });
    refuses("too many voxels", [](VolumeMeta& m) { m.dims[1] = 65536; });
    refuses("too many bricks", [](VolumeMeta& m) { m.dims = {65535, 65535, 65535}; });
    refuses("negative pitch", [](VolumeMeta& m) { m.pitch_mm[2] = -1; });
    refuses("NaN pitch", [](VolumeMeta& m) { m.pitch_mm[2] = std::nanf(""); });
    refuses("skewed", [](VolumeMeta& m) { m.placement.rotation[1] = 0.1; });
    refuses("NaN origin", [](VolumeMeta& m) { m.placement.origin_world_mm[0] = std::nan(""); });
    refuses("no bands", [](VolumeMeta& m) { m.band_numbers.clear(); });
    refuses("band twice", [](VolumeMeta& m) { m.band_numbers = {0, 0}; });
    refuses("albedo of too few bands", [](VolumeMeta& m) { m.band_numbers = {0, 1}; });
    refuses("albedo above 1", [](VolumeMeta& m) { m.constant_one_minus_albedo = {1.5f}; });
    refuses("negative scale", [](VolumeMeta& m) { m.scale = -1; });
    refuses("g of 1", [](VolumeMeta& m) { m.g = 1; });
    refuses("value scale 0", [](VolumeMeta& m) { m.density_value_scale = 0; });
    refuses("g plane", [](VolumeMeta& m) { m.anisotropy = Source::plane; });
    refuses("no materials", [](VolumeMeta& m) { m.albedo = Source::material; });
    refuses("idle materials", [](VolumeMeta&) {}, {{"m", {1}, {0}, 0}});
    refuses(
        "material of other bands", [](VolumeMeta& m) { m.albedo = Source::material; }, three_inks());
    refuses("material without extinction", [](VolumeMeta& m) { m.albedo = Source::material; }, {{"m", {-1}, {0}, 0}});
}

TEST(VolumePacker, UnwritableFolderIsASystemError)
{
    TempFolder const folder;
    expect_error(ExitStatus::system, {}, [&] { VolumePacker(folder / "no/v.vpk", density_meta({8, 8, 8})); });
}

} // namespace
} // namespace volpt
