// MetaImage: every element type in every storage, placement, odd headers, pieces.
#include "formats/reader.h"
#include "libvolpt/medium/measured_volume.h"
#include "libvolpt/sys/error.h"
#include "tests/formats/metaimage_text.h"
#include "tests/formats/read_all.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

using test::expect_error;
using test::TempFolder;

constexpr std::array<int, 3> kDims{5, 4, 3};
constexpr std::size_t kVoxels = 60;

/// The type's ends, zero, one, and numbers in between.
std::vector<double> make_numbers(MetType const& type)
{
    std::vector<double> numbers{type.low, type.high, 0, 1};
    while (numbers.size() < kVoxels) {
        auto const i = static_cast<double>(numbers.size());
        numbers.push_back(type.name == "MET_FLOAT" || type.name == "MET_DOUBLE" ? i / 7 : std::fmod(i * 37, 127));
    }
    return numbers;
}

std::vector<float> read_all(std::filesystem::path const& path)
{
    return read_all(*open_volume_source(path));
}

std::vector<float> to_floats(std::vector<double> const& numbers, MetType const& type)
{
    std::vector<float> values;
    for (double const number : numbers)
        values.push_back(type.name == "MET_FLOAT" || type.name == "MET_DOUBLE"
                             ? static_cast<float>(number)
                             : static_cast<float>(static_cast<std::int64_t>(number)));
    return values;
}

void expect_refused(std::filesystem::path const& path, std::string_view part = "")
{
    expect_error(ExitStatus::input, {path.stem().string(), part}, [&] { read_all(path); });
}

TEST(MetaImage, EveryTypeAndByteOrderIsReadLocalDetachedAndCompressed)
{
    TempFolder const folder;
    for (auto const& type : met_types()) {
        auto const numbers = make_numbers(type);
        auto const expected = to_floats(numbers, type);
        for (bool const big : {false, true}) {
            std::string const order =
                fmt::format("BinaryData = True\nBinaryDataByteOrderMSB = {}\n", big ? "True" : "False");
            std::string const bytes = type.encode(numbers, big);
            std::string const zipped = deflate_text(bytes);
            std::string const zip = fmt::format("CompressedData = True\nCompressedDataSize = {}\n", zipped.size());
            folder.write("d.raw", bytes);
            folder.write("d.zraw", zipped);
            EXPECT_EQ(read_all(folder.write("a.mha", met_header(kDims, type.name, order) + bytes)), expected)
                << type.name << big;
            EXPECT_EQ(read_all(folder.write("a.mhd", met_header(kDims, type.name, order, "d.raw"))), expected)
                << type.name << big;
            EXPECT_EQ(read_all(folder.write("z.mha", met_header(kDims, type.name, order + zip) + zipped)), expected)
                << type.name << big;
            EXPECT_EQ(read_all(folder.write("z.mhd", met_header(kDims, type.name, order + zip, "d.zraw"))), expected)
                << type.name << big;
        }
    }
}

TEST(MetaImage, TextNumbersAreRead)
{
    TempFolder const folder;
    for (auto const& type : met_types()) {
        auto const numbers = make_numbers(type);
        std::string text;
        for (std::size_t i = 0; i < numbers.size(); ++i)
            text += fmt::format("{:.17g}{}", numbers[i], i % 5 == 4 ? "\r\n" : " ");
        auto const expected = to_floats(numbers, type);
        EXPECT_EQ(read_all(folder.write("t.mha", met_header(kDims, type.name, "BinaryData = False\n") + text)),
                  expected)
            << type.name;
        folder.write("t.txt", text.substr(0, text.size() - 2));
        EXPECT_EQ(read_all(folder.write("t.mhd", met_header(kDims, type.name, "BinaryData = False\n", "t.txt"))),
                  expected)
            << type.name;
    }
}

TEST(MetaImage, SlabsOfAnyOrderAndThicknessAgree)
{
    TempFolder const folder;
    std::array<int, 3> const dims{7, 5, 40};
    std::vector<double> numbers;
    for (int i = 0; i < 7 * 5 * 40; ++i) numbers.push_back(i * 31 % 65536);
    std::string const bytes = to_binary<std::uint16_t>(numbers, false);
    std::string text;
    for (double const number : numbers) text += fmt::format("{} ", number);
    for (auto const& path :
         {folder.write("a.mha", met_header(dims, "MET_USHORT", "") + bytes),
          folder.write("z.mha", met_header(dims, "MET_USHORT", "CompressedData = True\n") + deflate_text(bytes)),
          folder.write("t.mha", met_header(dims, "MET_USHORT", "BinaryData = False\n") + text)}) {
        auto const source = open_volume_source(path);
        std::vector<float> slab;
        for (auto const& [first, count] : {std::pair{0, 3}, {3, 1}, {20, 20}, {5, 2}, {0, 40}, {39, 1}}) {
            slab.assign(static_cast<std::size_t>(count) * 35, -1.0f);
            source->read_slab(first, count, slab);
            for (std::size_t i = 0; i < slab.size(); ++i)
                ASSERT_EQ(slab[i], static_cast<float>(numbers[static_cast<std::size_t>(first) * 35 + i]))
                    << path << first;
        }
    }
}

TEST(MetaImage, PlacementFollowsMetaIO)
{
    TempFolder const folder;
    std::string const extra = "TransformMatrix = 0 1 0 -1 0 0 0 0 1\nOffset = 10 20 -30.5\nElementSpacing = 0.5 1.25 "
                              "2\nPatientName = Ünïcode\n";
    auto const source = open_volume_source(folder.write("p.mha", met_header({1, 1, 2}, "MET_UCHAR", extra) + "ab"));
    SourceMeta const& meta = source->meta();
    EXPECT_EQ(*meta.pitch_mm, (std::array<double, 3>{0.5, 1.25, 2}));
    EXPECT_EQ(*meta.first_voxel_world_mm, (std::array<double, 3>{10, 20, -30.5}));
    // Row i of the matrix is the direction of axis i, which our row-major rotation has in column i.
    EXPECT_EQ(meta.rotation, (std::array<double, 9>{0, -1, 0, 1, 0, 0, 0, 0, 1}));
    auto const json = nlohmann::json::parse(meta.metadata_json);
    EXPECT_EQ(json["TransformMatrix"], "0 1 0 -1 0 0 0 0 1");
    EXPECT_EQ(json["Offset"], "10 20 -30.5");
    EXPECT_EQ(json["PatientName"], "Ünïcode");
}

TEST(MetaImage, SynonymsAndDefaultsHold)
{
    TempFolder const folder;
    auto const source = open_volume_source(folder.write(
        "s.mha", "NDims = 3\nDimSize = 1 1 2\nPosition = 1 2 3\nRotation = 1 0 0 0 0 1 0 -1 0\nElementSize = 2 3 4\n"
                 "ElementType = MET_USHORT\nElementByteOrderMSB = True\nElementDataFile = LOCAL\n" +
                     std::string("\x01\x02\x03\x04")));
    EXPECT_EQ(*source->meta().pitch_mm, (std::array<double, 3>{2, 3, 4}));
    EXPECT_EQ(*source->meta().first_voxel_world_mm, (std::array<double, 3>{1, 2, 3}));
    EXPECT_EQ(source->meta().rotation, (std::array<double, 9>{1, 0, 0, 0, 0, -1, 0, 1, 0}));
    EXPECT_EQ(read_all(*source), (std::vector<float>{0x0102, 0x0304}));

    auto const bare = open_volume_source(
        folder.write("b.mha", "DimSize = 2 1\nElementType = MET_UCHAR\nElementDataFile = LOCAL\nab"));
    EXPECT_FALSE(bare->meta().pitch_mm.has_value());
    EXPECT_EQ(bare->meta().dims, (std::array<int, 3>{2, 1, 1}));
    EXPECT_EQ(*bare->meta().first_voxel_world_mm, (std::array<double, 3>{0, 0, 0}));
    EXPECT_EQ(read_all(*bare), (std::vector<float>{'a', 'b'}));
}

TEST(MetaImage, OddHeadersAreRead)
{
    TempFolder const folder;
    EXPECT_EQ(
        read_all(folder.write(
            "crlf.mha", "NDims = 3\r\nDimSize = 1 1 2\r\nElementType = MET_UCHAR\r\nElementDataFile = LOCAL\r\nab")),
        (std::vector<float>{'a', 'b'}));
    folder.write("data file.raw", "xy");
    EXPECT_EQ(
        read_all(folder.write("odd.mhd", "woohoo\n\n# DimSize = 9 9 9\nComment = \xff\xfe\nNDims=3\n  DimSize :1 1 2\n"
                                         "ElementType=MET_UCHAR\nElementDataFile = data file.raw  \nAfter = 1\n")),
        (std::vector<float>{'x', 'y'}));
    auto const odd = open_volume_source(folder / "odd.mhd");
    EXPECT_EQ(nlohmann::json::parse(odd->meta().metadata_json)["After"], "1");
}

TEST(MetaImage, HeaderSizeSkipsBytesOfTheDataFile)
{
    TempFolder const folder;
    folder.write("h.raw", "......ab");
    for (auto const* size : {"6", "-1"})
        EXPECT_EQ(read_all(folder.write(
                      "h.mhd", met_header({1, 1, 2}, "MET_UCHAR", fmt::format("HeaderSize = {}\n", size), "h.raw"))),
                  (std::vector<float>{'a', 'b'}));
    expect_refused(folder.write("h.mhd", met_header({1, 1, 2}, "MET_UCHAR", "HeaderSize = 7\n", "h.raw")));
    expect_refused(folder.write("h.mhd", met_header({1, 1, 2}, "MET_UCHAR", "HeaderSize = 9\n", "h.raw")));
    expect_refused(folder.write("h.mhd", met_header({1, 1, 2}, "MET_UCHAR", "HeaderSize = -2\n", "h.raw")));
}

TEST(MetaImage, PiecesByListAndByPatternAreJoined)
{
    TempFolder const folder;
    for (int i = 0; i < 3; ++i)
        folder.write(fmt::format("s{:02}.raw", 4 + 2 * i), std::string(2, static_cast<char>('a' + i)));
    std::vector<float> const expected{'a', 'a', 'b', 'b', 'c', 'c'};
    EXPECT_EQ(read_all(folder.write("p.mhd", met_header({2, 1, 3}, "MET_UCHAR", "", "s%02d.raw 4 8 2"))), expected);
    EXPECT_EQ(read_all(folder.write("l.mhd", met_header({2, 1, 3}, "MET_UCHAR", "", "LIST") +
                                                 "s04.raw\r\n\ns06.raw\ns08.raw\n")),
              expected);
    expect_refused(folder.write("l.mhd", met_header({2, 1, 3}, "MET_UCHAR", "", "LIST") + "s04.raw\ns06.raw\n"));
    EXPECT_THROW(read_all(folder.write("m.mhd", met_header({2, 1, 3}, "MET_UCHAR", "", "LIST") +
                                                    "s04.raw\ns06.raw\nmissing.raw\n")),
                 Error);
    EXPECT_THROW(read_all(folder.write("m.mhd", met_header({3, 1, 3}, "MET_UCHAR", "", "s%02d.raw 4 8 2"))), Error);
    for (auto const* pattern : {"s%02d.raw 4 6 2", "s%s.raw", "s%02d%02d.raw", "s%99999999d.raw", "s%"})
        expect_refused(folder.write("p.mhd", met_header({2, 1, 3}, "MET_UCHAR", "", pattern)));
}

TEST(MetaImage, OfSurplusNumbersTheFirstAreUsed)
{
    TempFolder const folder;
    auto const open = [&](std::string const& lines) {
        return open_volume_source(folder.write("f.mha", "NDims = 2\n" + lines + "ElementType = MET_UCHAR\n" +
                                                            "ElementDataFile = LOCAL\n" + std::string(20, 'x')));
    };
    auto const flat =
        open("DimSize = 4 5\nElementSpacing = 2 3 4\nOffset = 5 6 7\nTransformMatrix = 0 1 0 1 0 0 0 0 1\n");
    EXPECT_EQ(flat->meta().dims, (std::array{4, 5, 1}));
    EXPECT_EQ(*flat->meta().pitch_mm, (std::array{2.0, 3.0, 2.0}));
    EXPECT_EQ(*flat->meta().first_voxel_world_mm, (std::array{5.0, 6.0, 0.0}));
    EXPECT_EQ(flat->meta().rotation, (std::array<double, 9>{0, 1, 0, 1, 0, 0, 0, 0, 1}));
    ASSERT_EQ(flat->meta().notices.size(), 3u);
    test::expect_contains(flat->meta().notices[0],
                          {"f.mha", "ElementSpacing has 3 numbers, of which the first 2 are used"});
    EXPECT_EQ(open("DimSize = 4 5 1\nElementSize = 2 3 4\n")->meta().notices.size(), 2u);
    expect_error(ExitStatus::input, {"DimSize"}, [&] { open("DimSize = 4 5 2\n"); });
    expect_error(ExitStatus::input, {"TransformMatrix"}, [&] { open("DimSize = 4 5\nTransformMatrix = 1 0 0\n"); });
}

TEST(MetaImage, WrongHeadersAreRefusedByName)
{
    TempFolder const folder;
    auto const refused = [&](std::string const& header, char const* expected) {
        SCOPED_TRACE(header);
        expect_refused(folder.write("w.mha", header + "ElementDataFile = LOCAL\n" + std::string(64, 'x')), expected);
    };
    std::string const good = "NDims = 3\nDimSize = 2 2 2\nElementType = MET_UCHAR\n";
    refused("NDims = 6\nDimSize = 2 2 2 2 2 2\nElementType = MET_UCHAR\n", "NDims = 6");
    refused("NDims = 3\nDimSize = 2 2\nElementType = MET_UCHAR\n", "DimSize");
    refused("NDims = 3\nDimSize = 2 -2 2\nElementType = MET_UCHAR\n", "DimSize");
    refused("NDims = 3\nDimSize = 2 2 70000\nElementType = MET_UCHAR\n", "DimSize");
    refused("NDims = 3\nDimSize = 2 2 2.5\nElementType = MET_UCHAR\n", "DimSize");
    refused("NDims = 3\nDimSize = 65535 65535 65535\nElementType = MET_DOUBLE\n", "ask for");
    refused("NDims = 3\nDimSize = 65535 65535 65535\nElementType = MET_DOUBLE\nCompressedData = True\n", "cannot hold");
    refused("NDims = 3\nDimSize = 65535 65535 65535\nElementType = MET_DOUBLE\nBinaryData = False\n", "cannot hold");
    refused("NDims = 3\nDimSize = 2 2 2\nElementType = MET_STRING\n", "ElementType");
    refused("NDims = 3\nDimSize = 2 2 2\n", "ElementType");
    refused("NDims = 3\nElementType = MET_UCHAR\n", "DimSize");
    refused(good + "ElementNumberOfChannels = 0\n", "ElementNumberOfChannels = 0");
    refused(good + "ElementSpacing = 0 1 1\n", "ElementSpacing");
    refused(good + "ElementSpacing = 1 nan 1\n", "ElementSpacing");
    refused(good + "ElementSpacing = 1 1\n", "ElementSpacing");
    refused(good + "TransformMatrix = 1 0 0 0.5 1 0 0 0 1\n", "perpendicular");
    refused(good + "TransformMatrix = 2 0 0 0 1 0 0 0 1\n", "length 2");
    refused(good + "TransformMatrix = 0 0 0 0 0 0 0 0 0\n", "TransformMatrix");
    refused(good + "BinaryData = maybe\n", "BinaryData");
    refused(good + "BinaryDataByteOrderMSB = True\nElementByteOrderMSB = False\n", "contradict");
    refused(good + "CompressedData = True\nCompressedDataSize = 9999\n", "CompressedDataSize");
    refused(good + "CompressedData = True\n", "compressed");
    refused(good + "ObjectType = Tube\n", "Tube");
}

TEST(MetaImage, MissingDataFileIsNamed)
{
    TempFolder const folder;
    expect_error(ExitStatus::input, {"gone.raw"},
                 [&] { open_volume_source(folder.write("m.mhd", met_header(kDims, "MET_UCHAR", "", "gone.raw"))); });
}

TEST(MetaImage, FilesOutsideTheHeadersFolderNeedPermission)
{
    TempFolder const folder;
    auto const secret = folder.write("secret.raw", "ab").string();
    std::filesystem::create_directory(folder / "in");
    std::filesystem::create_directory(folder / "in/deeper");
    folder.write("in/deeper/d.raw", "ab");
    folder.write("a01.raw", "a");
    folder.write("a02.raw", "b");
    auto const write = [&](std::string const& name, std::string const& list = "") {
        return folder.write("in/h.mhd", met_header({1, 1, 2}, "MET_UCHAR", "", name) + list);
    };
    EXPECT_EQ(read_all(write("deeper/d.raw")), (std::vector<float>{'a', 'b'}));
    for (auto const& path : {std::string("../secret.raw"), secret, std::string("deeper/../../secret.raw"),
                             std::string("../a%02d.raw 1 2"), std::string("LIST")}) {
        auto const header = write(path, path == "LIST" ? "../a01.raw\n../a02.raw\n" : "");
        expect_error(ExitStatus::input, {"h.mhd", "ElementDataFile", "outside", "--allow-outside"},
                     [&] { open_volume_source(header); });
        ReadOptions options;
        options.outside = OutsideFiles::allowed;
        EXPECT_EQ(read_all(*open_volume_source(header, options)), (std::vector<float>{'a', 'b'})) << path;
    }
}

TEST(MetaImage, ExtremePlacementsAreRefusedByTheFilesName)
{
    TempFolder const folder;
    for (std::string const extra :
         {"Offset = 1e300 0 0\n", "Offset = 0 -6e8 0\n", "ElementSpacing = 1 1 1e8\n", "ElementSpacing = 1e-20 1 1\n",
          "ElementSpacing = 1e-3 1e-3 1e-3\nOffset = 4e8 0 0\n"}) {
        auto const path = folder.write("m.mha", met_header({1, 1, 2}, "MET_UCHAR", extra) + "ab");
        expect_error(ExitStatus::input, {"m.mha"}, [&] { make_measured_volume(open_volume_source(path), {}); });
    }
}

TEST(MetaImage, NamesTooLongForAFileAreRefused)
{
    TempFolder const folder; // found by fuzzing: the name looks like a pattern of slices
    for (std::string const& name : {"%" + std::string(400, 'P'), "%d" + std::string(400, 'P'), std::string(400, 'P')}) {
        expect_error(ExitStatus::input, {},
                     [&] { open_volume_source(folder.write("m.mhd", met_header(kDims, "MET_UCHAR", "", name))); });
    }
}

TEST(MetaImage, ThreeChannelsAreColoursInFileOrder)
{
    TempFolder const folder;
    std::string const rgb = "ElementNumberOfChannels = 3\n";
    for (auto const& file : {folder.write("c.mha", met_header({1, 1, 2}, "MET_UCHAR", rgb) + "abcdef"),
                             folder.write("t.mha", met_header({1, 1, 2}, "MET_UCHAR", rgb + "BinaryData = False\n") +
                                                       "97 98 99 100 101 102")}) {
        auto const source = open_volume_source(file);
        EXPECT_EQ(source->meta().channels, 3);
        EXPECT_EQ(*source->meta().natural_window, (std::array{0.0, 255.0}));
        EXPECT_EQ(read_all(*source), (std::vector<float>{97, 98, 99, 100, 101, 102}));
    }
    expect_refused(folder.write("s.mha", met_header({1, 1, 2}, "MET_UCHAR", rgb) + "abcde"));
}

TEST(MetaImage, SurplusBytesAreToldOrRefused)
{
    TempFolder const folder;
    auto const source = open_volume_source(folder.write("s.mha", met_header({1, 1, 2}, "MET_UCHAR", "") + "abc"));
    ASSERT_EQ(source->meta().notices.size(), 1u);
    EXPECT_NE(source->meta().notices[0].find("1 bytes"), std::string::npos);
    expect_refused(
        folder.write("z.mha", met_header({1, 1, 2}, "MET_UCHAR", "CompressedData = True\n") + deflate_text("abc")));
}

} // namespace
} // namespace volpt
