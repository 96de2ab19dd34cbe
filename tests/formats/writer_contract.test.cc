// What every writer owes: what it writes, this program reads back as the same numbers in the same place.
#include "formats/raw/reader.h"
#include "formats/reader.h"
#include "formats/writer.h"
#include "libvolpt/print/make_volume.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/voxel_stream.h"
#include "tests/formats/read_all.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace volpt {
namespace {

constexpr std::array<int, 3> kDims{11, 9, 10};

PackedVolume make_sample(test::TempFolder const& folder)
{
    MakeOptions make;
    make.shape = MadeShape::noise;
    make.dims = kDims;
    make.pitch_mm = {0.5f, 0.25f, 0.125f};
    make.encoding = Encoding::f32;
    pack_volume(*make_volume(std::move(make)), folder / "sample.vpk", {}, {});
    return PackedVolume::open(folder / "sample.vpk");
}

std::unique_ptr<VolumeSource> read_back(WriterEntry const& entry, std::filesystem::path const& path)
{
    if (entry.name == "raw") return open_raw(path, kDims, {ElementType::f32, ByteOrder::little});
    return open_volume_source(path);
}

TEST(WriterContract, NumbersAndPlaceAreReadBack)
{
    test::TempFolder const folder;
    PackedVolume const volume = make_sample(folder);
    std::vector<float> expected;
    for (auto const& entry : list_writers()) {
        // Slices and jobs hold codes and colours, and nothing here reads .vti; their tests read them back.
        if (entry.writer == nullptr || entry.name == "slices" || entry.name == "gcvf" || entry.name == "vti") continue;
        auto const path = folder / ("out" + std::string(entry.ending));
        auto const exported = export_volume(volume, path, {});
        EXPECT_EQ(exported.dims, kDims) << entry.name;
        EXPECT_EQ(exported.element, ElementType::f32) << entry.name;
        auto const source = read_back(entry, path);
        auto const values = read_all(*source);
        if (expected.empty()) expected = values;
        EXPECT_GT(*std::ranges::max_element(values), 0) << entry.name;
        EXPECT_EQ(values, expected) << entry.name;
        if (entry.name == "raw") continue;
        ASSERT_TRUE(source->meta().pitch_mm && source->meta().first_voxel_world_mm) << entry.name;
        for (std::size_t i = 0; i < 3; ++i) {
            double const pitch = std::array{0.5, 0.25, 0.125}[i];
            EXPECT_NEAR((*source->meta().pitch_mm)[i], pitch, 1e-12) << entry.name;
            EXPECT_NEAR((*source->meta().first_voxel_world_mm)[i], -0.5 * (kDims[i] - 1) * pitch, 1e-12) << entry.name;
        }
    }
}

TEST(WriterContract, NothingIsLeftOfAnExportThatStops)
{
    test::TempFolder const folder;
    PackedVolume const volume = make_sample(folder);
    for (auto const& entry : list_writers()) {
        if (entry.writer == nullptr || entry.name == "slices") continue;
        auto const path = folder / ("out" + std::string(entry.ending));
        EXPECT_THROW(export_volume(volume, path, [](Progress const&) { return false; }), Error) << entry.name;
        EXPECT_FALSE(std::filesystem::exists(path)) << entry.name;
    }
}

TEST(WriterContract, UnknownExtensionsListTheKnownOnes)
{
    test::TempFolder const folder;
    test::expect_error(ExitStatus::usage, {list_export_extensions()},
                       [&] { export_volume(make_sample(folder), folder / "out.xyz", {}); });
}

} // namespace
} // namespace volpt
