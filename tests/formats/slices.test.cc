// Slice stacks: order, refusals with slice and pixel, grey as density, colour as albedo, palettes as labels, archives.
#include "formats/reader.h"
#include "formats/slices/stack.h"
#include "libvolpt/medium/labelled_volume.h"
#include "libvolpt/medium/measured_volume.h"
#include "libvolpt/sys/error.h"
#include "tests/formats/read_all.h"
#include "tests/formats/tiff_bytes.h"
#include "tests/support/data_paths.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace volpt {
namespace {

using test::expect_contains;
using test::expect_error;
using test::TempFolder;
using Names = std::vector<std::string>;
using Parts = std::initializer_list<std::string_view>;

bool reads_archives()
{
    for (auto const& entry : list_readers())
        if (entry.name == "zip") return entry.reader != nullptr;
    return false;
}

TEST(SliceOrder, FollowsTheNumbersWhateverTheirDigits)
{
    EXPECT_EQ(order_slices({"s10.png", "s9.png", "s11.png"}, "x").names, (Names{"s9.png", "s10.png", "s11.png"}));
    EXPECT_EQ(order_slices({"v2_007.png", "v2_006.png"}, "x").names, (Names{"v2_006.png", "v2_007.png"}));
}

TEST(SliceOrder, ThumbnailIsLeftOutWithANotice)
{
    auto const order = order_slices({"s0.png", "thumbnail.png", "s1.png"}, "x");
    EXPECT_EQ(order.names.size(), 2u);
    ASSERT_EQ(order.notices.size(), 1u);
    expect_contains(order.notices[0], {"thumbnail.png"});
}

TEST(SliceOrder, GapsRepeatsAndTwoSeriesAreRefusedByName)
{
    expect_error(ExitStatus::input, {"slice 3 is missing", "a2.png", "a4.png", "box"}, [] {
        order_slices({"a1.png", "a2.png", "a4.png"}, "box");
    });
    expect_error(ExitStatus::input, {"a1.png", "a01.png"}, [] { order_slices({"a1.png", "a01.png"}, "box"); });
    expect_error(ExitStatus::input, {"a#.png", "b#.png"}, [] {
        order_slices({"a1.png", "a2.png", "b1.png", "b2.png"}, "box");
    });
    expect_error(ExitStatus::input, {"no slices"}, [] { order_slices({}, "box"); });
    expect_error(ExitStatus::input, {"too large"}, [] { order_slices({"a99999999999999999999999.png"}, "box"); });
}

class Slices : public testing::Test {
protected:
    std::unique_ptr<VolumeSource> open(SliceAlpha alpha = SliceAlpha::opaque)
    {
        return open_slice_stack((folder_ / "").string(), alpha);
    }
    TempFolder folder_;
};

TEST_F(Slices, GreySamplesAreTheNumbersInFileOrder)
{
    folder_.write("s9.png", make_png(3, 2, 0, std::string("\0\1\2\3\4\5", 6)));
    folder_.write("s10.png", make_png(3, 2, 0, std::string("\xff\xfe\xfd\x80\x7f\6", 6)));
    auto const source = open();
    EXPECT_EQ(source->meta().dims, (std::array{3, 2, 2}));
    EXPECT_EQ(source->meta().channels, 1);
    EXPECT_EQ(read_all(*source), (std::vector<float>{0, 1, 2, 3, 4, 5, 255, 254, 253, 128, 127, 6}));
    auto const pattern = open_slice_stack((folder_ / "s*.png").string(), SliceAlpha::opaque);
    EXPECT_EQ(read_all(*pattern), read_all(*source));
}

TEST_F(Slices, StackStandsUprightInTheMiddleAndNeedsAPitch)
{
    folder_.write("s0.png", make_png(3, 2, 0, std::string(6, 'a')));
    MeasuredOptions options;
    expect_error(ExitStatus::usage, {"--pitch"}, [&] { make_measured_volume(open(), options); });
    options.pitch_mm = {1, 2, 4};
    auto const stream = make_measured_volume(open(), options);
    auto const& placement = stream->meta().placement;
    EXPECT_EQ(placement.origin_world_mm, (std::array{-1.5, 2.0, -2.0}));
    EXPECT_EQ(placement.rotation, (std::array<double, 9>{1, 0, 0, 0, -1, 0, 0, 0, 1}));
}

TEST_F(Slices, ColourIsAlbedoToTheBit)
{
    folder_.write("s0.png", make_png(2, 1, 2, std::string("\xff\0\x80\1\2\3", 6)));
    MeasuredOptions options;
    options.pitch_mm = {1, 1, 1};
    auto const stream = make_measured_volume(open(), options);
    EXPECT_EQ(stream->meta().albedo_encoding, Encoding::u8);
    auto const slab = stream->read_slab(0, 1);
    ASSERT_EQ(slab.one_minus_albedo.size(), 6u);
    std::array const expected{0.0f, 1.0f, 127 / 255.0f, 254 / 255.0f, 253 / 255.0f, 252 / 255.0f};
    for (std::size_t i = 0; i < 6; ++i) EXPECT_FLOAT_EQ(slab.one_minus_albedo[i], expected[i]);
}

TEST_F(Slices, GreySliceAmongColouredOnesIsGreyColour)
{
    folder_.write("s0.png", make_png(1, 1, 0, "\x10"));
    folder_.write("s1.png", make_png(1, 1, 2, "\1\2\3"));
    EXPECT_EQ(read_all(*open()), (std::vector<float>{16, 16, 16, 1, 2, 3}));
}

TEST_F(Slices, OtherSizesAreRefusedWithTheSlice)
{
    folder_.write("s0.png", make_png(3, 2, 0, std::string(6, 'a')));
    folder_.write("s1.png", make_png(2, 2, 0, std::string(4, 'a')));
    expect_error(ExitStatus::input, {"s1.png", "2 x 2", "3 x 2"}, [&] { open(); });
}

TEST_F(Slices, TransparentPixelIsRefusedUnlessKept)
{
    folder_.write("s0.png", make_png(2, 1, 6, std::string("\1\2\3\xff\1\2\3\x7f", 8)));
    expect_error(ExitStatus::input, {"s0.png: pixel 1,0", "transparent"}, [&] { read_all(*open()); });
    EXPECT_EQ(read_all(*open(SliceAlpha::kept)), (std::vector<float>{1, 2, 3, 255, 1, 2, 3, 127}));
}

TEST_F(Slices, BitmapsAreSlicesToo)
{
    std::string const greys = le(0, 4) + le(0x808080, 4) + le(0xffffff, 4);
    folder_.write("s0.bmp", make_bmp(3, 2, 8, std::string("\0\1\2\2\1\0", 6), greys));
    EXPECT_EQ(open()->meta().channels, 1);
    EXPECT_EQ(read_all(*open()), (std::vector<float>{0, 128, 255, 255, 128, 0}));
    folder_.write("s1.bmp", make_bmp(3, 2, 24, "abcdefghijklmnopqr"));
    auto const both = open();
    EXPECT_EQ(both->meta().channels, 3);
    auto const values = read_all(*both);
    EXPECT_EQ(std::vector<float>(values.begin() + 18, values.begin() + 24),
              (std::vector<float>{'c', 'b', 'a', 'f', 'e', 'd'}));
}

TEST_F(Slices, BitmapsThatAreDamagedOrUnusualAreRefusedByName)
{
    std::string const greys = le(0, 4) + le(0x808080, 4);
    auto const refused = [&](std::string const& bmp, Parts parts) {
        folder_.write("s0.bmp", bmp);
        expect_error(ExitStatus::input, parts, [&] { read_all(*open()); });
    };
    refused(make_bmp(2, 1, 8, "\1\2", greys), {"s0.bmp", "pixel 1 of stored row 0 has colour 2 of 2"});
    std::string const whole = make_bmp(2, 2, 24, "abcdefghijkl");
    refused(whole.substr(0, whole.size() - 1), {"s0.bmp", "where its pixels end"});
    std::string packed = whole;
    packed[30] = 1;
    refused(packed, {"s0.bmp", "stored by method 1"});
    refused(make_bmp(2, 1, 16, "abcd"), {"s0.bmp", "16 bits per pixel"});
}

TEST_F(Slices, FourthByteOfABitmapIsUnused)
{
    folder_.write("s0.bmp", make_bmp(2, 1, 32,
                                     "abc\xff"
                                     "abc\xfe"));
    for (SliceAlpha const alpha : {SliceAlpha::opaque, SliceAlpha::kept})
        EXPECT_EQ(read_all(*open(alpha)), (std::vector<float>{'c', 'b', 'a', 'c', 'b', 'a'}));
}

TEST_F(Slices, DamagedSliceIsRefusedByName)
{
    std::string png = make_png(3, 2, 0, std::string(6, 'a'));
    png[45] = static_cast<char>(png[45] ^ 1);
    folder_.write("s0.png", png);
    expect_error(ExitStatus::input, {"s0.png"}, [&] { read_all(*open()); });
    folder_.write("s0.png", "no picture at all, but long enough to be one");
    expect_error(ExitStatus::input, {"s0.png", "no PNG"}, [&] { open(); });
}

char const* const kTwoInks = R"({"materials": [
    {"name": "A", "colour": "#010203", "sigma_t": [1], "albedo": [0.5]},
    {"name": "air", "colour": "#00000000", "sigma_t": [0], "albedo": [0]}]})";

TEST_F(Slices, TableMakesLabelsOfExactColours)
{
    folder_.write("s0.png", make_png(3, 1, 6, std::string("\1\2\3\xff\0\0\0\0\1\2\3\xff", 12)));
    auto const stream = make_labelled_volume(
        open(SliceAlpha::kept), read_material_table(folder_.write("p.json", kTwoInks)), "p.json", {{{1, 1, 1}}});
    auto const slab = stream->read_slab(0, 1);
    EXPECT_EQ(std::vector<std::uint8_t>(slab.label.begin(), slab.label.end()), (std::vector<std::uint8_t>{0, 1, 0}));
    EXPECT_EQ(stream->meta().filter, Filter::nearest);
    EXPECT_EQ(stream->meta().extinction, Source::material);
    expect_contains(stream->source_metadata_json(), {R"("colour.A":"#010203")", R"("colour.air":"#00000000")"});
}

TEST_F(Slices, UnknownColourIsRefusedWithSliceAndPixel)
{
    folder_.write("s0.png", make_png(2, 2, 2, std::string("\1\2\3\1\2\3\1\2\3\1\2\4", 12)));
    auto const stream =
        make_labelled_volume(open(), read_material_table(folder_.write("p.json", kTwoInks)), "p.json", {{{1, 1, 1}}});
    expect_error(ExitStatus::input, {"s0.png: pixel 1,1", "#010204", "A #010203"}, [&] { stream->read_slab(0, 1); });
}

std::string const kPalette("\1\2\3\0\0\0\7\7\7", 9);

TEST_F(Slices, PalettesGiveTheLabelsOfTheirColoursOnAnyNumberOfThreads)
{
    std::string const table = R"({"materials": [{"name": "K", "colour": "#000000", "sigma_t": [1], "albedo": [0.5]},
                                               {"name": "A", "colour": "#010203", "sigma_t": [1], "albedo": [0.5]}]})";
    std::vector<std::uint8_t> expected;
    for (int slice = 0; slice < 20; ++slice) {
        std::string indices(150, '\0');
        for (std::size_t i = 0; i < indices.size(); ++i)
            indices[i] = static_cast<char>(i * 7 % 11 + slice > 13 ? 1 : 0);
        bool const is_turned = slice % 2 == 1; // every slice has a palette of its own
        std::string const palette = is_turned ? std::string("\0\0\0\1\2\3", 6) : kPalette;
        folder_.write("s" + std::to_string(slice) + ".png", make_png(15, 10, 3, indices, {{"PLTE", palette}}));
        for (char const index : indices) expected.push_back((index == 1) == is_turned ? 1 : 0);
    }
    for (int const threads : {1, 2, 5, 20}) {
        auto const stream =
            make_labelled_volume(open(), read_material_table(folder_.write("p.json", table)), "p.json", {{{1, 1, 1}}});
        stream->use_threads(threads);
        std::vector<std::uint8_t> labels;
        for (int z = 0; z < 20; z += 10) {
            auto const slab = stream->read_slab(z, 10);
            labels.insert(labels.end(), slab.label.begin(), slab.label.end());
        }
        EXPECT_EQ(labels, expected) << threads;
        auto const numbers = open();
        numbers->use_threads(threads);
        auto const values = read_all(*numbers);
        ASSERT_EQ(values.size(), 3 * labels.size());
        for (std::size_t i = 0; i < labels.size(); ++i) EXPECT_EQ(values[3 * i + 2], labels[i] == 1 ? 3.0f : 0.0f);
        expect_contains(stream->report_json(), {"material_shares"});
    }
}

TEST_F(Slices, PaletteColoursMatterWhereAPixelHasThem)
{
    auto const label = [&](std::string const& png) {
        folder_.write("s0.png", png);
        auto const stream = make_labelled_volume(open(), read_material_table(folder_.write("p.json", kTwoInks)),
                                                 "p.json", {{{1, 1, 1}}});
        return int(stream->read_slab(0, 1).label[0]);
    };
    std::string const none(4, '\0');
    EXPECT_EQ(label(make_png(2, 2, 3, none, {{"PLTE", kPalette}})), 0);
    EXPECT_EQ(label(make_png(2, 2, 3, none, {{"PLTE", kPalette}, {"tRNS", "\xff\x7f"}})), 0);
    expect_error(ExitStatus::input, {"s0.png: pixel 1,1", "#070707"}, [&] {
        label(make_png(2, 2, 3, std::string("\0\0\0\2", 4), {{"PLTE", kPalette}}));
    });
    expect_error(ExitStatus::input, {"s0.png: pixel 0,1", "transparent"}, [&] {
        label(make_png(2, 2, 3, std::string("\0\0\1\0", 4), {{"PLTE", kPalette}, {"tRNS", "\xff\x7f"}}));
    });
    expect_error(ExitStatus::input, {"s0.png", "colour 3 of a palette of 3"}, [&] {
        label(make_png(2, 2, 3, std::string("\0\0\3\0", 4), {{"PLTE", kPalette}}));
    });
    expect_error(ExitStatus::input, {"s0.png", "tRNS"}, [&] {
        label(make_png(2, 2, 3, none, {{"PLTE", kPalette}, {"tRNS", "abcd"}}));
    });
}

TEST_F(Slices, TableWithoutOrWithEqualColoursIsRefused)
{
    folder_.write("s0.png", make_png(1, 1, 2, std::string("\1\2\3", 3)));
    auto const entry = [](char const* name, char const* colour) {
        return std::string(R"({"name": ")") + name + R"(", "sigma_t": [1], "albedo": [0.5])" + colour + "}";
    };
    auto const refused = [&](std::string const& a, std::string const& b, Parts parts) {
        auto const path = folder_.write("p.json", R"({"materials": [)" + a + "," + b + "]}");
        expect_error(ExitStatus::input, parts, [&] {
            make_labelled_volume(open(), read_material_table(path), "p.json", {{{1, 1, 1}}});
        });
    };
    std::string const good = entry("A", R"(, "colour": "#ff0000")");
    refused(good, entry("B", ""), {"'B'", "no colour"});
    refused(good, entry("B", R"(, "colour": "#FF0000ff")"), {"'B'", "#ff0000", "'A'"});
    refused(good, entry("B", R"(, "colour": "red")"), {"'red'"});
    refused(good, entry("B", R"(, "colour": "#12345g")"), {"#12345g"});
}

TEST_F(Slices, ArchiveHoldsTheSameAsTheFolder)
{
    if (!reads_archives()) GTEST_SKIP() << "built without libzip";
    std::string const first = make_png(2, 1, 0, "ab");
    std::string const second = make_png(2, 1, 0, "cd");
    auto const source = open_volume_source(
        folder_.write("s.gcvf", make_zip({{"slices/9.png", first}, {"info.json", "{}"}, {"slices/10.png", second}})));
    EXPECT_EQ(read_all(*source), (std::vector<float>{'a', 'b', 'c', 'd'}));
    expect_error(ExitStatus::input, {"no slices", "e.zip"}, [&] {
        open_volume_source(folder_.write("e.zip", make_zip({{"a.txt", "x"}})));
    });
}

TEST_F(Slices, ArchiveWithAWrongChecksumOrSizeIsRefusedByName)
{
    if (!reads_archives()) GTEST_SKIP() << "built without libzip";
    std::string const whole = make_zip({{"s0.png", make_png(2, 1, 0, "ab")}, {"s1.png", make_png(2, 1, 0, "cd")}});
    auto const refused = [&](char const* signature, std::size_t offset, char change, Parts parts) {
        std::string damaged = whole;
        std::size_t const at = damaged.find(signature) + offset;
        damaged[at] = static_cast<char>(damaged[at] ^ change);
        auto const path = folder_.write("s.zip", damaged);
        expect_error(ExitStatus::input, parts, [&] { read_all(*open_volume_source(path)); });
    };
    refused("PK\1\2", 16, 1, {"s.zip: s0.png"}); // CRC in the directory
    refused("PK\1\2", 27, 0x70, {"s.zip"});      // uncompressed size: over a GiB
    refused("PK\1\2", 8, 1, {"s.zip: s0.png"});  // flag: encrypted
}

TEST_F(Slices, SvxManifestGivesPitchPlaceAndOrientation)
{
    if (!reads_archives()) GTEST_SKIP() << "built without libzip";
    std::string const manifest =
        R"(<?xml version="1.0"?><grid gridSizeX="3" gridSizeY="2" gridSizeZ="1" voxelSize="0.001"
        originX="0.1" originY="-0.2" originZ="0" slicesOrientation="Y"><channels><channel type="RED" slices="r/s%04d.png"/>
        <channel type="DENSITY" slices="d/s%04d.png"/></channels></grid>)";
    std::string const png = make_png(3, 1, 0, "abc");
    auto const pack = [&](std::string const& text) {
        return folder_.write("v.svx", make_zip({{"manifest.xml", text},
                                                {"d/s0000.png", png},
                                                {"d/s0001.png", png},
                                                {"r/s0000.png", png},
                                                {"r/s0001.png", png}}));
    };
    auto const source = open_volume_source(pack(manifest));
    auto const& meta = source->meta();
    EXPECT_EQ(meta.dims, (std::array{3, 1, 2}));
    EXPECT_EQ(*meta.pitch_mm, (std::array{1.0, 1.0, 1.0}));
    EXPECT_EQ(meta.rotation, (std::array<double, 9>{1, 0, 0, 0, 0, 1, 0, 1, 0}));
    EXPECT_EQ(*meta.first_voxel_world_mm, (std::array{100.5, -199.5, 0.5}));
    auto wrong = manifest;
    wrong.replace(wrong.find("\"3\""), 3, "\"4\"");
    expect_error(ExitStatus::input, {"manifest.xml", "4 x 1 x 2"}, [&] { open_volume_source(pack(wrong)); });
    auto without = manifest;
    without.erase(without.find("voxelSize"), std::string_view("voxelSize=\"0.001\"").size());
    expect_error(ExitStatus::input, {"manifest.xml", "voxelSize"}, [&] { open_volume_source(pack(without)); });
}

TEST_F(Slices, RealSphereHasTheVolumeOfASphere)
{
    if (!reads_archives()) GTEST_SKIP() << "built without libzip";
    char const* const data = std::getenv("VOLPT_TEST_DATA");
    if (data == nullptr) GTEST_SKIP() << "VOLPT_TEST_DATA is not set";
    auto const source = open_volume_source(std::filesystem::path(data) / "abfab3d/sphere.svx");
    EXPECT_EQ(source->meta().dims, (std::array{102, 102, 102}));
    EXPECT_EQ(*source->meta().pitch_mm, (std::array{0.1, 0.1, 0.1}));
    double sum = 0;
    for (float const value : read_all(*source)) sum += static_cast<double>(value) / 255;
    // A ball of 5 mm radius in voxels of 0.1 mm, its edge smoothed.
    EXPECT_NEAR(sum * 1e-3, 4.0 / 3 * 3.14159265 * 125, 6);
}

TEST_F(Slices, RealPrintIsItsFiveInks)
{
    char const* const data = std::getenv("VOLPT_TEST_DATA");
    if (data == nullptr) GTEST_SKIP() << "VOLPT_TEST_DATA is not set";
    auto const source =
        open_slice_stack((std::filesystem::path(data) / "j750-colorwheel-slices").string(), SliceAlpha::opaque);
    auto const table = read_material_table(test::tests_folder() / "../pipelines/data/materials/elek2017.json");
    EXPECT_EQ(source->meta().dims, (std::array{1000, 500, 6}));
    auto const stream = make_labelled_volume(open_slice_stack(source->meta().path, SliceAlpha::opaque), table,
                                             "elek2017", {{{0.0423, 0.0847, 0.027}}});
    std::array<int, 5> counts{};
    for (auto const label : stream->read_slab(0, 6).label) ++counts.at(label);
    for (int const count : counts) EXPECT_GT(count, 10000);
}

} // namespace
} // namespace volpt
