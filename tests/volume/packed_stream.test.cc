// Packed volumes read back: repacking, band selection, export.
#include "libvolpt/volume/packed_stream.h"
#include "formats/raw/reader.h"
#include "formats/reader.h"
#include "formats/writer.h"
#include "libvolpt/medium/measured_volume.h"
#include "libvolpt/print/make_volume.h"
#include "libvolpt/sys/error.h"
#include "tests/formats/metaimage_text.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

namespace volpt {
namespace {

using test::TempFolder;

constexpr std::array<int, 3> kOddDims{13, 9, 18};

std::string make_bytes(double limit)
{
    std::vector<double> numbers;
    for (int i = 0; i < 13 * 9 * 18; ++i) numbers.push_back(i < 700 ? 5 : std::fmod(i * 7919.0, limit));
    return limit <= 256 ? to_binary<std::uint8_t>(numbers, false) : to_binary<std::uint16_t>(numbers, false);
}

class PackedStreams : public testing::Test {
protected:
    PackedVolume pack(VoxelStream& stream, std::string const& name)
    {
        pack_volume(stream, folder_ / name, Provenance{}, {});
        return PackedVolume::open(folder_ / name, VerifyLevel::full);
    }
    TempFolder folder_;
};

TEST_F(PackedStreams, ExportReturnsTheSourceBytes)
{
    for (double const limit : {256.0, 65536.0}) {
        std::string const bytes = make_bytes(limit);
        StoredType const type{limit <= 256 ? ElementType::u8 : ElementType::u16, ByteOrder::little};
        auto const stream = make_measured_volume(open_raw(folder_.write("in.raw", bytes), kOddDims, type), {});
        auto const volume = pack(*stream, "v.vpk");
        auto const exported = export_volume(volume, folder_ / "out.raw", {});
        EXPECT_EQ(exported.element, type.type);
        EXPECT_EQ(test::read_text(folder_ / "out.raw"), bytes);
    }
}

TEST_F(PackedStreams, ExportedMetaImageKeepsPlacementAndValues)
{
    std::string const header =
        met_header({2, 1, 2}, "MET_FLOAT",
                   "TransformMatrix = 0 1 0 -1 0 0 0 0 1\nOffset = -153.827 20 3\nElementSpacing = 1.366 2 2.5\n");
    std::string const bytes = to_binary<float>({0.1, 2.5, 1e-20, 7}, false);
    auto const stream = make_measured_volume(open_volume_source(folder_.write("in.mha", header + bytes)), {});
    export_volume(pack(*stream, "v.vpk"), folder_ / "out.mha", {});
    auto const source = open_volume_source(folder_ / "out.mha");
    EXPECT_EQ(source->meta().rotation, (std::array<double, 9>{0, -1, 0, 1, 0, 0, 0, 0, 1}));
    EXPECT_EQ(*source->meta().pitch_mm, (std::array<double, 3>{1.366, 2, 2.5}));
    EXPECT_NEAR((*source->meta().first_voxel_world_mm)[0], -153.827, 1e-9);
    std::vector<float> values(4);
    source->read_slab(0, 2, values);
    EXPECT_EQ(values, (std::vector<float>{0.1f, 2.5f, 1e-20f, 7}));
}

TEST_F(PackedStreams, SourceKeysTravelVerbatim)
{
    auto const stream = make_measured_volume(
        open_volume_source(folder_.write(
            "in.mha", met_header({1, 1, 1}, "MET_UCHAR", "TransformMatrix = 0 1 0 -1 0 0 0 0 1\n") + "a")),
        {});
    EXPECT_NE(pack(*stream, "v.vpk").source_metadata_json().find("\"0 1 0 -1 0 0 0 0 1\""), std::string::npos);
}

TEST_F(PackedStreams, RepackingWithoutChangesKeepsEveryBit)
{
    MeasuredOptions options;
    options.transfer = read_transfer_table("grey-red-blue");
    options.window = Window{3, 250};
    options.scale = 0.1f;
    auto const stream = make_measured_volume(
        open_raw(folder_.write("in.raw", make_bytes(256)), kOddDims, {ElementType::u8, ByteOrder::little}), options);
    auto const first = pack(*stream, "a.vpk");
    auto const again = make_packed_stream(PackedVolume::open(folder_ / "a.vpk"), {});
    auto const second = pack(*again, "b.vpk");
    EXPECT_EQ(first.data_checksum(), second.data_checksum());
    EXPECT_EQ(second.statistics().density_error_max, 0.0);
}

TEST_F(PackedStreams, RepackingChangesWhatItIsToldTo)
{
    auto const made = make_volume({.shape = MadeShape::noise, .dims = {8, 8, 8}, .sigma_t = {2}});
    pack(*made, "a.vpk");
    RepackOptions options;
    options.scale = 7.0f;
    options.g = 0.5f;
    options.filter = Filter::nearest;
    options.pitch_mm = {2, 2, 4};
    options.encoding = Encoding::f32;
    auto const stream = make_packed_stream(PackedVolume::open(folder_ / "a.vpk"), options);
    auto const volume = pack(*stream, "b.vpk");
    EXPECT_EQ(volume.meta().scale, 7.0f);
    EXPECT_EQ(volume.meta().g, 0.5f);
    EXPECT_EQ(volume.meta().filter, Filter::nearest);
    EXPECT_EQ(volume.meta().density_encoding, Encoding::f32);
    EXPECT_EQ(volume.meta().placement.origin_world_mm, (std::array<double, 3>{-8, -8, -16}));
}

TEST_F(PackedStreams, BandsOfChromaticVolumesKeepTheirNumbers)
{
    auto chromatic = select_bands(make_volume({.sigma_t = {6, 9, 24}, .one_minus_albedo = {0.1, 0.2, 0.3}}), {2, 1});
    EXPECT_EQ(chromatic->meta().band_numbers, (std::vector<std::uint32_t>{1, 2}));
    EXPECT_EQ(chromatic->meta().constant_extinction, (std::vector<float>{9, 24}));
    EXPECT_EQ(chromatic->meta().constant_one_minus_albedo, (std::vector<float>{0.2f, 0.3f}));
    auto const volume = pack(*chromatic, "c.vpk");
    auto const last = select_bands(make_packed_stream(PackedVolume::open(folder_ / "c.vpk"), {}), {2});
    EXPECT_EQ(last->meta().band_numbers, (std::vector<std::uint32_t>{2}));
    EXPECT_THROW(select_bands(make_packed_stream(PackedVolume::open(folder_ / "c.vpk"), {}), {0}), Error);
    EXPECT_THROW(select_bands(make_packed_stream(PackedVolume::open(folder_ / "c.vpk"), {}), {1, 1}), Error);
}

TEST_F(PackedStreams, BandsOfGreyVolumesCountFromZero)
{
    MeasuredOptions options;
    options.window = Window{0, 255};
    options.transfer = read_transfer_table("grey-red-blue");
    auto const source = [&] {
        return open_raw(folder_.write("in.raw", make_bytes(256)), kOddDims, {ElementType::u8, ByteOrder::little});
    };
    auto const all = make_measured_volume(source(), options);
    auto const one = select_bands(make_measured_volume(source(), options), {2});
    EXPECT_EQ(one->meta().band_numbers, (std::vector<std::uint32_t>{0}));
    auto const all_slab = all->read_slab(3, 5);
    auto const one_slab = one->read_slab(3, 5);
    ASSERT_EQ(one_slab.one_minus_albedo.size() * 3, all_slab.one_minus_albedo.size());
    for (std::size_t i = 0; i < one_slab.one_minus_albedo.size(); ++i)
        ASSERT_EQ(one_slab.one_minus_albedo[i], all_slab.one_minus_albedo[3 * i + 2]);
    pack(*one, "g.vpk");
}

TEST_F(PackedStreams, StoppingLeavesTheOldFile)
{
    folder_.write("v.vpk", "old");
    auto const made = make_volume({.shape = MadeShape::noise, .dims = {8, 8, 32}});
    EXPECT_THROW(pack_volume(*made, folder_ / "v.vpk", Provenance{}, [](Progress const&) { return false; }), Error);
    EXPECT_EQ(test::read_text(folder_ / "v.vpk"), "old");
}

TEST_F(PackedStreams, ExportRefusesWhatHasNoDensity)
{
    auto const volume = pack(*make_volume({.sigma_t = {6, 9, 24}}), "c.vpk");
    EXPECT_THROW(export_volume(volume, folder_ / "out.mha", {}), Error);
    auto const grey = pack(*make_volume(MakeOptions{}), "g.vpk");
    EXPECT_THROW(export_volume(grey, folder_ / "out.xyz", {}), Error);
    EXPECT_EQ(export_volume(grey, folder_ / "out.mha", {}).element, ElementType::f32);
}

} // namespace
} // namespace volpt
