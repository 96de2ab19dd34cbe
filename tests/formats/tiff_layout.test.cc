// What a TIFF file says its volume is: OME, ImageJ, tifffile, SGI's depth, and tags of resolution.
#include "formats/reader.h"
#include "formats/slices/stack.h"
#include "libvolpt/sys/error.h"
#include "tests/formats/read_all.h"
#include "tests/formats/tiff_bytes.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

#include <fmt/format.h>

namespace volpt {
namespace {

using test::expect_contains;
using test::expect_error;
using test::TempFolder;

/// OME-XML of images of 2 x 1 pixels; `pixels` are attributes, `inside` elements of Pixels.
std::string make_ome(std::vector<std::pair<std::string, std::string>> const& images)
{
    std::string text = R"(<?xml version="1.0"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06">)";
    for (auto const& [pixels, inside] : images)
        text += fmt::format(
            R"(<Image ID="Image:0" Name="image"><Pixels ID="Pixels:0" Type="uint8" SizeX="2" SizeY="1" {}>{}</Pixels></Image>)",
            pixels, inside);
    return text + "</OME>";
}

std::string const kTwoSlices = R"(DimensionOrder="XYZCT" SizeZ="2" SizeC="1" SizeT="1")";

class TiffLayout : public testing::Test {
protected:
    /// A page of 2 x 1 pixels for each letter: the letter and the next one.
    static std::vector<TiffSample> make_pages(std::string_view letters, std::string const& description)
    {
        std::vector<TiffSample> pages;
        for (char const letter : letters)
            pages.push_back({.width = 2, .height = 1, .pixels = {letter, static_cast<char>(letter + 1)}});
        pages.front().description = description;
        return pages;
    }

    std::unique_ptr<VolumeSource> open(std::vector<TiffSample> const& pages, PartChoice part = {},
                                       std::string const& name = "stack.tif")
    {
        ReadOptions options;
        options.part = std::move(part);
        return open_volume_source(folder_.write(name, make_tiff(pages)), options);
    }

    /// The first pixels of the slices.
    std::string read_letters(std::vector<TiffSample> const& pages, PartChoice part = {})
    {
        auto const values = read_all(*open(pages, std::move(part)));
        std::string letters;
        for (std::size_t i = 0; i < values.size(); i += 2) letters += static_cast<char>(values[i]);
        return letters;
    }

    void expect_refused(std::vector<TiffSample> const& pages, std::initializer_list<std::string_view> parts,
                        PartChoice part = {})
    {
        expect_error(ExitStatus::input, parts, [&] { read_all(*open(pages, part)); });
    }

    static PartChoice choose(std::optional<std::uint64_t> volume, std::string channel = {})
    {
        return {volume, std::move(channel), MissingChoice::refused};
    }

    TempFolder folder_;
};

TEST_F(TiffLayout, OmePlanesLieWhereTiffDataSays)
{
    std::string const swapped = R"(<TiffData FirstZ="1" IFD="0" PlaneCount="1"/><TiffData IFD="1"/>)";
    EXPECT_EQ(read_letters(make_pages("mc", make_ome({{kTwoSlices, swapped}}))), "cm");
    // Without TiffData, or with one that says nothing, and from a page on.
    EXPECT_EQ(read_letters(make_pages("mc", make_ome({{kTwoSlices, ""}}))), "mc");
    EXPECT_EQ(read_letters(make_pages("mc", make_ome({{kTwoSlices, "<TiffData/>"}}))), "mc");
    EXPECT_EQ(read_letters(make_pages("amc", make_ome({{kTwoSlices, R"(<TiffData IFD="1" PlaneCount="2"/>)"}}))), "mc");
    expect_refused(make_pages("mc", make_ome({{kTwoSlices, R"(<TiffData IFD="0"/>)"}})), {"slice 1", "in no page"});
    expect_refused(make_pages("m", make_ome({{kTwoSlices, R"(<TiffData PlaneCount="2"/>)"}})), {"page 1", "not there"});
    expect_refused(make_pages("m", make_ome({{kTwoSlices, R"(<TiffData FirstZ="2"/>)"}})), {"FirstZ = 2"});
    expect_refused(make_pages("m", make_ome({{R"(SizeZ="0" SizeC="1" SizeT="1")", ""}})), {"SizeZ", "'0'"});
    expect_refused(make_pages("m", "<OME <broken"), {"OME-XML cannot be read"});
}

TEST_F(TiffLayout, OmeImagesAndTimesAreVolumes)
{
    std::string const one = R"(<TiffData IFD="0" PlaneCount="2"/>)", two = R"(<TiffData IFD="2" PlaneCount="2"/>)";
    auto const pages = make_pages("abmn", make_ome({{kTwoSlices, one}, {kTwoSlices, two}}));
    EXPECT_EQ(read_letters(pages, choose(1)), "mn");
    expect_refused(pages, {"2 volumes", "--volume 0"});
    expect_refused(pages, {"no volume 2"}, choose(2));
    std::string const times = R"(DimensionOrder="XYTZC" SizeZ="2" SizeC="1" SizeT="2")";
    EXPECT_EQ(read_letters(make_pages("abmn", make_ome({{times, "<TiffData/>"}})), choose(1)), "bn");
    PartChoice const first{{}, {}, MissingChoice::first};
    auto const source = open(pages, first);
    EXPECT_EQ(source->meta().volume_count, 2u);
    expect_contains(source->meta().notices.at(0), {"2 volumes", "the first one"});
}

TEST_F(TiffLayout, OmeChannelsAreChosenByNameOrNumber)
{
    std::string const pixels = R"(DimensionOrder="XYCZT" SizeZ="2" SizeC="2" SizeT="1")";
    auto const pages =
        make_pages("abmn", make_ome({{pixels, R"(<Channel ID="c:0" Name="DAPI"/><Channel ID="c:1" Name="GFP"/>)"}}));
    EXPECT_EQ(read_letters(pages, choose({}, "DAPI")), "am");
    EXPECT_EQ(read_letters(pages, choose({}, "gfp")), "bn");
    EXPECT_EQ(read_letters(pages, choose({}, "1")), "bn");
    expect_refused(pages, {"2 channels", "0 \"DAPI\", 1 \"GFP\"", "--channel"});
    expect_refused(pages, {"no channel \"RFP\"", "DAPI"}, choose({}, "RFP"));
    EXPECT_EQ(open(pages, choose({}, "GFP"))->meta().channel_names, (std::vector<std::string>{"DAPI", "GFP"}));
}

TEST_F(TiffLayout, OmePlanesInOtherFilesAreReadFromThere)
{
    std::string const data = R"(<TiffData FirstZ="0" IFD="0"><UUID FileName="z0.tif">urn:uuid:0</UUID></TiffData>)"
                             R"(<TiffData FirstZ="1" IFD="0"><UUID FileName="z1.tif">urn:uuid:1</UUID></TiffData>)";
    std::string const text = make_ome({{kTwoSlices, data}});
    expect_error(ExitStatus::input, {"z0.tif", "z1.tif", "not there"},
                 [&] { open(make_pages("m", text), {}, "z0.tif"); });
    folder_.write("z1.tif", make_tiff(make_pages("c", text)));
    EXPECT_EQ(read_all(*open(make_pages("m", text), {}, "z0.tif")), (std::vector<float>{'m', 'n', 'c', 'd'}));
    EXPECT_EQ(read_all(*open_volume_source(folder_ / "z1.tif")), (std::vector<float>{'m', 'n', 'c', 'd'}));
    // The folder's names are in another order than the slices.
    std::string swapped = text;
    std::swap(swapped[swapped.find("z0.tif") + 1], swapped[swapped.find("z1.tif") + 1]);
    folder_.write("z0.tif", make_tiff(make_pages("m", swapped)));
    EXPECT_EQ(read_all(*open_slice_stack(folder_.path().string(), SliceAlpha::opaque)),
              (std::vector<float>{'c', 'd', 'm', 'n'}));
    // Metadata in a file of their own.
    folder_.write("all.ome.xml", text);
    folder_.write("z0.tif", make_tiff(make_pages("m", R"(<OME><BinaryOnly MetadataFile="all.ome.xml"/></OME>)")));
    EXPECT_EQ(read_all(*open_volume_source(folder_ / "z0.tif")), (std::vector<float>{'m', 'n', 'c', 'd'}));
    std::string outside = text;
    outside.replace(outside.find("z1.tif"), 6, "../z1.tif");
    expect_error(ExitStatus::input, {"../z1.tif"}, [&] { open(make_pages("m", outside), {}, "z0.tif"); });
}

TEST_F(TiffLayout, OmePhysicalSizesHaveUnits)
{
    auto const find_pitch = [&](std::string const& unit) {
        std::string const sizes = fmt::format(
            R"({} PhysicalSizeX="2" PhysicalSizeY="4" PhysicalSizeZ="5" PhysicalSizeXUnit="{}" PhysicalSizeYUnit="{}" PhysicalSizeZUnit="{}")",
            kTwoSlices, unit, unit, unit);
        return open(make_pages("mc", make_ome({{sizes, ""}})))->meta();
    };
    for (auto const& [unit, mm] : {std::pair{"m", 1e3},
                                   {"dm", 1e2},
                                   {"cm", 10.0},
                                   {"mm", 1.0},
                                   {"\xc2\xb5m", 1e-3},
                                   {"\xce\xbcm", 1e-3},
                                   {"nm", 1e-6},
                                   {"\xc3\x85", 1e-7},
                                   {"in", 25.4},
                                   {"thou", 0.0254},
                                   {"ft", 304.8},
                                   {"pt", 25.4 / 72},
                                   {"km", 1e6}}) {
        SourceMeta const meta = find_pitch(unit);
        ASSERT_TRUE(meta.pitch_mm) << unit;
        EXPECT_DOUBLE_EQ((*meta.pitch_mm)[0], 2 * mm) << unit;
        EXPECT_DOUBLE_EQ((*meta.pitch_mm)[1], 4 * mm) << unit;
        EXPECT_DOUBLE_EQ((*meta.pitch_mm)[2], 5 * mm) << unit;
        expect_contains(meta.pitch_origin, {"PhysicalSize"});
    }
    for (char const* const unit : {"pixel", "reference frame"}) {
        EXPECT_FALSE(find_pitch(unit).pitch_mm) << unit;
        expect_contains(find_pitch(unit).pitch_advice, {unit, "no length"});
    }
    // The schema's unit is a micrometre; without Z the distance of slices is not known.
    std::string const bare = kTwoSlices + R"( PhysicalSizeX="2" PhysicalSizeY="4")";
    SourceMeta const meta = open(make_pages("mc", make_ome({{bare, ""}})))->meta();
    EXPECT_FALSE(meta.pitch_mm);
    expect_contains(meta.pitch_advice, {"0.002 x 0.004 mm", "how far apart"});
}

TEST_F(TiffLayout, ImagejStacksAreChannelsThenSlicesThenTimes)
{
    auto const pages = make_pages("abcdefgh", "ImageJ=1.53t\nimages=8\nchannels=2\nslices=2\nframes=2\n");
    EXPECT_EQ(read_letters(pages, choose(1, "0")), "eg");
    EXPECT_EQ(read_letters(pages, choose(0, "1")), "bd");
    expect_refused(pages, {"2 volumes"});
    expect_refused(pages, {"2 channels"}, choose(0));
    expect_refused(make_pages("ab", "ImageJ=1.53t\nimages=2\nchannels=2\nslices=2\n"), {"contradict"});
    EXPECT_EQ(read_letters(make_pages("ab", "ImageJ=1.53t\nimages=2\n")), "ab");
}

TEST_F(TiffLayout, SlicesBehindTheOnlyPageAreFound)
{
    // Strips of one row; the file goes on behind the last.
    TiffSample page{
        .width = 1, .height = 2, .bits = 16, .pixels = le(1, 2) + le(2, 2) + le(3, 2) + le(4, 2), .strip_rows = 1};
    for (std::string const text :
         {"ImageJ=1.53t\nimages=2\nslices=2\n", R"({"shape": [2, 2, 1], "truncated": true})"}) {
        page.description = text + std::string(8, ' '); // as long as what else lies behind
        auto const values = read_all(*open({page}));
        ASSERT_EQ(values.size(), 4u);
        EXPECT_EQ((std::vector<float>{values[0], values[1], values[2], values[3]}), (std::vector<float>{1, 2, 3, 4}));
    }
    page.description = R"({"shape": [9000, 2, 1], "truncated": true})";
    expect_refused({page}, {"1 pages", "9000 images"});
}

TEST_F(TiffLayout, ShapesOfTifffileNameAxes)
{
    EXPECT_EQ(read_letters(make_pages("abcd", R"({"shape": [4, 1, 2]})")), "abcd");
    auto const unnamed = make_pages("abcd", R"({"shape": [2, 2, 1, 2]})");
    EXPECT_EQ(read_letters(unnamed, choose(1)), "cd");
    expect_refused(unnamed, {"2 volumes"});
    auto const named = make_pages("abcd", R"({"shape": [2, 2, 1, 2], "axes": "ZCYX"})");
    EXPECT_EQ(read_letters(named, choose({}, "1")), "bd");
    EXPECT_EQ(read_letters(make_pages("ab", R"({"shape": [2, 1, 2], "axes": "TYX"})"), choose(1)), "b");
    // A second array begins where its shape is.
    auto two = make_pages("abcd", R"({"shape": [2, 1, 2]})");
    two[2].description = R"({"shape": [2, 1, 2]})";
    EXPECT_EQ(read_letters(two, choose(1)), "cd");
    expect_refused(two, {"2 volumes"});
    expect_refused(make_pages("ab", R"({"shape": [3, 1, 2]})"), {"2 pages", "3 images"});
    expect_refused(make_pages("ab", R"({"shape": [2, 7, 2]})"), {"does not end in pages of 1 x 2"});
    // One of a series says that it is more.
    folder_.write("s1.tif", make_tiff(make_pages("a", R"({"shape": [1, 2]})")));
    folder_.write("s2.tif", make_tiff(make_pages("b", R"({"shape": [2, 1, 2]})")));
    expect_error(ExitStatus::input, {"s2.tif", "2 slices"},
                 [&] { open_slice_stack((folder_ / "s*.tif").string(), SliceAlpha::opaque); });
}

TEST_F(TiffLayout, DepthOfOnePageIsSlices)
{
    TiffSample page{.width = 2, .height = 1, .pixels = "abcdef", .tags = {{32997, {3}}}};
    EXPECT_EQ(read_letters({page}), "ace");
    page.tags[32997] = {30000};
    expect_refused({page}, {"30000 slices", "ImageDepth"});
    // Tiles of one layer each, two of them side by side.
    std::string tiles;
    for (char const letter : {'a', 'm', 'q', 'w'}) tiles += std::string(256, letter);
    page = {.width = 17, .height = 1, .pixels = tiles, .tile_edge = 16, .tags = {{32997, {2}}}, .layers = 2};
    auto const values = read_all(*open({page}));
    ASSERT_EQ(values.size(), 34u);
    EXPECT_EQ((std::vector<float>{values[15], values[16], values[17], values[33]}),
              (std::vector<float>{'a', 'm', 'q', 'w'}));
}

TEST_F(TiffLayout, ResolutionIsASizeOfPixels)
{
    auto pages = make_pages("ab", "ImageJ=1.53t\nimages=2\nslices=2\nspacing=0.5\nunit=micron\n");
    for (TiffSample& page : pages) page.tags = {{282, {4, 1}}, {283, {2, 1}}, {296, {1}}};
    SourceMeta const micron = open(pages)->meta();
    EXPECT_EQ(micron.pitch_mm, (std::array{0.25e-3, 0.5e-3, 0.5e-3}));
    expect_contains(micron.pitch_origin, {"ImageJ"});
    pages[0].description = "ImageJ=1.53t\nimages=2\nslices=2\nspacing=-2\nunit=\\u00B5m\nzunit=nm\n";
    EXPECT_EQ(open(pages)->meta().pitch_mm, (std::array{0.25e-3, 0.5e-3, 2e-6}));
    pages[0].description = "ImageJ=1.53t\nimages=2\nslices=2\nspacing=2\nunit=furlong\n";
    expect_contains(open(pages)->meta().pitch_advice, {"furlong"});
    // By the tags alone nothing tells the distance of slices.
    pages[0].description = "";
    for (auto const& [unit, advice] : {std::pair{2u, "6.35 x 12.7 mm"}, {3u, "2.5 x 5 mm"}}) {
        for (TiffSample& page : pages) page.tags[296] = {unit};
        SourceMeta const meta = open(pages)->meta();
        EXPECT_FALSE(meta.pitch_mm);
        expect_contains(meta.pitch_advice, {advice});
    }
}

TEST_F(TiffLayout, SamplesThatAreNoColoursAreChannels)
{
    TiffSample const page{.width = 2, .height = 1, .channels = 5, .pixels = "abcdefghij", .photometric = 1};
    EXPECT_EQ(read_all(*open({page}, choose({}, "3"))), (std::vector<float>{'d', 'i'}));
    TiffSample const rgb{.width = 1, .height = 1, .channels = 3, .pixels = "abc"};
    EXPECT_EQ(read_all(*open({rgb}, choose({}, "G"))), std::vector<float>{'b'});
    expect_refused({rgb}, {"no channel \"A\"", "\"R\""}, choose({}, "A"));
    TiffSample const grey{.width = 1, .height = 1, .pixels = "a"};
    EXPECT_EQ(read_all(*open({grey}, choose(0, "0"))), std::vector<float>{'a'});
    expect_refused({grey}, {"no channel"}, choose({}, "1"));
    expect_refused({grey}, {"one volume"}, choose(1));
}

} // namespace
} // namespace volpt
