// Exported VTK ImageData: the header's attributes, and the block of numbers. That VTK reads it is a test of the tools.
#include "formats/raw/reader.h"
#include "formats/writer.h"
#include "libvolpt/medium/measured_volume.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/voxel_stream.h"
#include "tests/formats/read_all.h"
#include "tests/support/expect_error.h"
#include "tests/support/listed_source.h"
#include "tests/support/temp_folder.h"

#include <cstring>
#include <fstream>
#include <iterator>

namespace volpt {
namespace {

/// Voxels 3 x 2 x 2 of 0.5 x 0.25 x 2 mm, turned by 90 degrees about z; the first voxel's centre is 10, 20, 30.
PackedVolume pack_turned(test::TempFolder const& folder, std::vector<float> values, ElementType element)
{
    SourceMeta meta = test::describe_listed({3, 2, 2});
    meta.pitch_mm = {0.5, 0.25, 2};
    meta.rotation = {0, -1, 0, 1, 0, 0, 0, 0, 1};
    meta.first_voxel_world_mm = {10, 20, 30};
    meta.element = element;
    auto source = std::make_unique<test::ListedSource>(meta, std::move(values));
    pack_volume(*make_measured_volume(std::move(source), {}), folder / "v.vpk", {}, {});
    return PackedVolume::open(folder / "v.vpk");
}

std::string read_text(std::filesystem::path const& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// The block after the underscore: its size, then its bytes; the closing tags follow.
std::string find_block(std::string const& text)
{
    std::size_t const at = text.find("<AppendedData encoding=\"raw\">\n   _");
    EXPECT_NE(at, std::string::npos);
    std::size_t const first = text.find('_', at) + 1;
    std::uint64_t size = 0;
    std::memcpy(&size, text.data() + first, sizeof size);
    EXPECT_EQ(text.substr(first + sizeof size + size), "\n  </AppendedData>\n</VTKFile>\n");
    return text.substr(first + sizeof size, size);
}

TEST(Vti, HeaderHasPlaceAndTurn)
{
    test::TempFolder const folder;
    PackedVolume const volume = pack_turned(folder, std::vector<float>(12, 1.5f), ElementType::f32);
    export_volume(volume, folder / "v.vti", {});
    test::expect_contains(
        read_text(folder / "v.vti"),
        {"<?xml version=\"1.0\"?>", "byte_order=\"LittleEndian\" header_type=\"UInt64\"", "WholeExtent=\"0 2 0 1 0 1\"",
         "Piece Extent=\"0 2 0 1 0 1\"", "Origin=\"10 20 30\"", "Spacing=\"0.5 0.25 2\"",
         "Direction=\"0 -1 0 1 0 0 0 0 1\"", "PointData Scalars=\"density\"",
         "type=\"Float32\" Name=\"density\" NumberOfComponents=\"1\" format=\"appended\" offset=\"0\""});
}

TEST(Vti, BlocksHoldTheNumbersOfEachType)
{
    std::vector<float> const numbers{0, 1, 2, 3, 4, 5, 250, 251, 252, 253, 254, 255};
    for (auto const& [element, name] :
         {std::pair{ElementType::u8, "UInt8"}, {ElementType::u16, "UInt16"}, {ElementType::f32, "Float32"}}) {
        test::TempFolder const folder;
        PackedVolume const volume = pack_turned(folder, numbers, element);
        auto const exported = export_volume(volume, folder / "v.vti", {});
        EXPECT_EQ(exported.element, element);
        std::string const text = read_text(folder / "v.vti");
        test::expect_contains(text, {std::string("type=\"") + name});
        auto const raw = folder.write("v.raw", find_block(text));
        EXPECT_EQ(read_all(*open_raw(raw, {3, 2, 2}, {element, ByteOrder::little})), numbers);
    }
}

TEST(Vti, AlbedoHasAComponentForEachBand)
{
    test::TempFolder const folder;
    SourceMeta meta = test::describe_listed({2, 1, 1}, 3);
    meta.natural_window = std::array{0.0, 255.0};
    auto source = std::make_unique<test::ListedSource>(meta, std::vector<float>{0, 51, 255, 102, 153, 204});
    pack_volume(*make_measured_volume(std::move(source), {}), folder / "a.vpk", {}, {});
    export_volume(PackedVolume::open(folder / "a.vpk"), folder / "a.vti", {}, ExportPlane::albedo);
    std::string const text = read_text(folder / "a.vti");
    test::expect_contains(text, {"Name=\"albedo\" NumberOfComponents=\"3\""});
    EXPECT_EQ(find_block(text), std::string("\0\x33\xff\x66\x99\xcc", 6));
}

} // namespace
} // namespace volpt
