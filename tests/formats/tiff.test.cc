// TIFF stacks: pages and series, strips, tiles and planes, and what is refused with page and reason.
#include "formats/reader.h"
#include "formats/slices/stack.h"
#include "formats/tiff/reader.h"
#include "libvolpt/sys/error.h"
#include "tests/formats/read_all.h"
#include "tests/formats/tiff_bytes.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

#include <cstring>

namespace volpt {
namespace {

using test::expect_error;
using test::TempFolder;

class Tiff : public testing::Test {
protected:
    std::unique_ptr<VolumeSource> open(std::vector<TiffSample> const& pages)
    {
        return open_volume_source(folder_.write("stack.tif", make_tiff(pages)));
    }

    /// The file is refused when it is opened or when it is read.
    void expect_refused(std::vector<TiffSample> const& pages, std::initializer_list<std::string_view> parts)
    {
        expect_error(ExitStatus::input, parts, [&] { read_all(*open(pages)); });
    }

    TempFolder folder_;
};

TEST_F(Tiff, PagesAreSlicesInFileOrder)
{
    auto const source =
        open({{.width = 3, .height = 2, .pixels = "abcdef"}, {.width = 3, .height = 2, .pixels = "ghijkl"}});
    EXPECT_EQ(source->meta().dims, (std::array{3, 2, 2}));
    EXPECT_EQ(source->meta().element, ElementType::u8);
    std::vector<float> wanted(12);
    for (std::size_t i = 0; i < 12; ++i) wanted[i] = static_cast<float>('a' + i);
    EXPECT_EQ(read_all(*source), wanted);
    // Going back reads again.
    std::vector<float> first(6);
    source->read_slab(0, 1, first);
    EXPECT_EQ(first, std::vector<float>(wanted.begin(), wanted.begin() + 6));
    EXPECT_NE(source->describe_voxel(1, 0, 1).find("page 1: pixel 1,0"), std::string::npos);
}

TEST_F(Tiff, NumbersOfEveryGreyTypeAreThoseStored)
{
    struct Case {
        std::uint32_t bits;
        std::uint32_t format;
        std::string bytes;
        float number;
    };
    float const real = 1.5f;
    std::string real_bytes(4, '\0');
    std::memcpy(real_bytes.data(), &real, 4);
    for (Case const& each :
         {Case{8, 1, "\xfe", 254}, Case{8, 2, "\xfe", -2}, Case{16, 1, le(65533, 2), 65533},
          Case{16, 2, le(65533, 2), -3}, Case{32, 1, le(70000, 4), 70000}, Case{32, 3, real_bytes, 1.5f}}) {
        auto const source =
            open({{.width = 1, .height = 1, .bits = each.bits, .pixels = each.bytes, .sample_format = each.format}});
        EXPECT_EQ(read_all(*source), std::vector<float>{each.number}) << each.bits << " bits, format " << each.format;
    }
}

TEST_F(Tiff, NumbersOfOtherThanWholeBytesAreUnpacked)
{
    // 1010 0110 .. : the first bits are the first number's.
    std::string const bits("\xa6\x5b\x0f", 3);
    auto const read = [&](std::uint32_t width, std::uint32_t size, std::uint32_t photometric = 1) {
        return read_all(
            *open({{.width = width, .height = 1, .bits = size, .pixels = bits, .photometric = photometric}}));
    };
    EXPECT_EQ(read(9, 1), (std::vector<float>{1, 0, 1, 0, 0, 1, 1, 0, 0}));
    EXPECT_EQ(read(9, 1, 0), (std::vector<float>{0, 1, 0, 1, 1, 0, 0, 1, 1})); // white is 0
    EXPECT_EQ(read(5, 2), (std::vector<float>{2, 2, 1, 2, 1}));
    EXPECT_EQ(read(6, 4), (std::vector<float>{10, 6, 5, 11, 0, 15}));
    EXPECT_EQ(read(6, 4, 0), (std::vector<float>{5, 9, 10, 4, 15, 0}));
    EXPECT_EQ(read(2, 12), (std::vector<float>{0xa65, 0xb0f}));
    // Rows begin at whole bytes, in tiles too.
    std::string tile(32, '\0');
    tile[0] = '\x80', tile[2] = '\x40';
    EXPECT_EQ(read_all(*open({{.width = 3, .height = 2, .bits = 1, .pixels = tile, .tile_edge = 16}})),
              (std::vector<float>{1, 0, 0, 0, 1, 0}));
}

TEST_F(Tiff, FloatsOfSixteenAndTwentyFourBitsAndUndefinedOnesAreNumbers)
{
    auto const read = [&](std::uint32_t bits, std::uint32_t format, std::string const& bytes) {
        auto const width = static_cast<std::uint32_t>(8 * bytes.size() / bits);
        return read_all(*open({{.width = width, .height = 1, .bits = bits, .pixels = bytes, .sample_format = format}}));
    };
    EXPECT_EQ(read(16, 3, le(0x3e00, 2) + le(0xc000, 2) + le(1, 2)), (std::vector<float>{1.5f, -2, 0x1p-24f}));
    // 1.5: exponent 63 of 7 bits, fraction 0x8000 of 16; then the smallest number above 0, and -2.
    EXPECT_EQ(read(24, 3, le(0x3f8000, 3) + le(1, 3) + le(0xc00000, 3)), (std::vector<float>{1.5f, 0x1p-78f, -2}));
    EXPECT_EQ(read(16, 4, le(65533, 2)), std::vector<float>{65533});
    EXPECT_EQ(read(8, 4, "\xfe"), std::vector<float>{254});
}

TEST_F(Tiff, PaletteIsColourUnlessAProgramDescribesNumbers)
{
    std::vector<std::uint32_t> map(3 * 4, 0);
    map[2] = 0x1212, map[4 + 2] = 0x3434, map[8 + 2] = 0x5656;
    TiffSample page{.width = 2, .height = 1, .bits = 2, .pixels = "\x80", .photometric = 3, .tags = {{320, map}}};
    auto const source = open({page});
    EXPECT_EQ(source->meta().element, ElementType::u8);
    EXPECT_EQ(read_all(*source), (std::vector<float>{0x12, 0x34, 0x56, 0, 0, 0}));
    page.tags[320][2] = 0x1234;
    EXPECT_EQ(read_all(*open({page}))[0], 0x1234);
    page.description = "ImageJ=1.53t\n";
    auto const numbers = open({page});
    EXPECT_EQ(read_all(*numbers), (std::vector<float>{2, 0}));
    EXPECT_NE(numbers->meta().notices.at(0).find("colour table"), std::string::npos);
}

TEST_F(Tiff, StripsAndTilesHoldTheSamePicture)
{
    std::string picture;
    for (int i = 0; i < 20 * 18; ++i) picture += static_cast<char>(i * 7);
    std::string tiles;
    for (std::size_t y = 0; y < 32; y += 16)
        for (std::size_t x = 0; x < 32; x += 16)
            for (std::size_t row = y; row < y + 16; ++row)
                for (std::size_t column = x; column < x + 16; ++column)
                    tiles += row < 18 && column < 20 ? picture[row * 20 + column] : '\x55';
    auto const whole = read_all(*open({{.width = 20, .height = 18, .pixels = picture}}));
    EXPECT_EQ(read_all(*open({{.width = 20, .height = 18, .pixels = picture, .strip_rows = 7}})), whole);
    EXPECT_EQ(read_all(*open({{.width = 20, .height = 18, .pixels = tiles, .tile_edge = 16}})), whole);
    EXPECT_EQ(whole[21], 21 * 7);
}

TEST_F(Tiff, ColourIsChannelsFastestWhateverThePlanes)
{
    std::vector<float> const wanted{1, 2, 3, 4, 5, 6};
    auto const source = open({{.width = 2, .height = 1, .channels = 3, .pixels = "\1\2\3\4\5\6"}});
    EXPECT_EQ(source->meta().channels, 3);
    EXPECT_EQ(read_all(*source), wanted);
    EXPECT_EQ(read_all(*open({{.width = 2, .height = 1, .channels = 3, .pixels = "\1\4\2\5\3\6", .planar = 2}})),
              wanted);
}

TEST_F(Tiff, WhiteAsZeroIsInverted)
{
    EXPECT_EQ(read_all(*open({{.width = 2, .height = 1, .bits = 16, .pixels = le(0, 2) + le(1, 2), .photometric = 0}})),
              (std::vector<float>{65535, 65534}));
}

TEST_F(Tiff, TransparentPixelIsRefusedWithPageAndPixel)
{
    TiffSample page{.width = 2, .height = 1, .channels = 4, .pixels = std::string("\1\2\3\xff\4\5\6\xfe", 8)};
    expect_refused({page}, {"stack.tif: page 0: pixel 1,0", "transparent"});
    page.pixels.back() = '\xff';
    EXPECT_EQ(read_all(*open({page})), (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST_F(Tiff, SeriesOfOnePageFilesIsAStack)
{
    for (int i = 8; i < 11; ++i)
        folder_.write("s" + std::to_string(i) + ".tif",
                      make_tiff({{.width = 1, .height = 1, .pixels = std::string(1, static_cast<char>(i))}}));
    auto const source = open_slice_stack((folder_ / "").string(), SliceAlpha::opaque);
    EXPECT_EQ(read_all(*source), (std::vector<float>{8, 9, 10}));
    EXPECT_NE(source->meta().metadata_json.find(R"("first_slice":"s8.tif")"), std::string::npos);
    EXPECT_NE(source->describe_voxel(0, 0, 2).find("s10.tif: pixel"), std::string::npos);

    TiffSample const page{.width = 1, .height = 1, .pixels = "a"};
    folder_.write("s9.tif", make_tiff({page, page}));
    expect_error(ExitStatus::input, {"s9.tif", "2 pages"},
                 [&] { open_slice_stack((folder_ / "s*.tif").string(), SliceAlpha::opaque); });
}

TEST_F(Tiff, ThumbnailsAreLeftOutAndOrientationIsToldOf)
{
    auto const source = open({{.width = 2, .height = 1, .pixels = "ab", .orientation = 4},
                              {.width = 1, .height = 1, .pixels = "x", .subfile = 1},
                              {.width = 2, .height = 1, .pixels = "cd"}});
    EXPECT_EQ(read_all(*source), (std::vector<float>{'a', 'b', 'c', 'd'}));
    ASSERT_EQ(source->meta().notices.size(), 2u);
    EXPECT_NE(source->meta().notices[0].find("orientation 4"), std::string::npos);
    EXPECT_NE(source->meta().notices[1].find("1 reduced"), std::string::npos);
}

TEST_F(Tiff, PagesOfOtherSizeTypeOrKindAreRefusedByNumber)
{
    TiffSample const good{.width = 2, .height = 1, .pixels = "ab"};
    expect_refused({good, {.width = 1, .height = 2, .pixels = "ab"}}, {"page 1", "1 x 2", "2 x 1"});
    expect_refused({good, {.width = 2, .height = 1, .bits = 32, .pixels = "abcdefgh", .sample_format = 3}},
                   {"page 1", "f32", "u8"});
    expect_refused({good, {.width = 2, .height = 1, .bits = 128, .pixels = "a"}}, {"page 1", "128 bits"});
    expect_refused({good, {.width = 2, .height = 1, .bits = 32, .pixels = "abcdefgh", .sample_format = 5}},
                   {"page 1", "sample format 5"});
    expect_refused({{.width = 2, .height = 1, .channels = 3, .pixels = "abcdef", .photometric = 8}},
                   {"page 0", "photometric interpretation 8"});
    expect_refused({{.width = 1, .height = 1, .channels = 5, .pixels = "abcde"}}, {"5 channels", "--channel"});
    expect_refused({{.width = 65535, .height = 65535, .pixels = "ab"}}, {"page 0", "65535 x 65535"});
    expect_refused(
        {good, {.width = 2, .height = 1, .pixels = "ab", .subfile = 0}, {.width = 2000, .height = 900, .pixels = "ab"}},
        {"page 2", "2000 x 900"});
}

TEST_F(Tiff, EightBitsAmongSixteenAreSpread)
{
    EXPECT_EQ(read_all(*open({{.width = 1, .height = 1, .pixels = "\2"},
                              {.width = 1, .height = 1, .bits = 16, .pixels = le(300, 2)}})),
              (std::vector<float>{514, 300}));
}

TEST_F(Tiff, SeriesOfChannelsOrTimesAndSlicesOutsideOfPagesAreRefused)
{
    TiffSample page{.width = 1, .height = 1, .pixels = "a"};
    page.description = "ImageJ=1.53t\nimages=9000\nslices=9000\n";
    expect_refused({page}, {"1 pages", "9000 images"});
    page.description = "ImageJ=1.53t\nimages=2\nslices=2\n";
    expect_refused({page, page, page}, {"3 pages", "2 images"});
    EXPECT_EQ(read_all(*open({page, page})).size(), 2u);
    page.description = "ImageJ=1.53t\nimages=2\nchannels=2\n";
    expect_refused({page, page}, {"2 channels"});
    page.description =
        R"(<OME xmlns="x"><Image><Pixels SizeX="1" SizeY="1" SizeC="1" SizeT="2" SizeZ="1"/></Image></OME>)";
    expect_refused({page, page}, {"2 volumes", "--volume"});
}

TEST_F(Tiff, LimitsOfTheProcessThatReadsAreKept)
{
    std::string const path = folder_.write("stack.tif", make_tiff({{.width = 1, .height = 1, .pixels = "a"}})).string();
    auto const pictures = open_tiff_pictures(path, {path}, {}, SandboxLimits{std::uint64_t{1} << 40, 60});
    std::vector<float> numbers;
    EXPECT_EQ(pictures->decode(0, numbers).channels, 1);
    EXPECT_EQ(numbers, std::vector<float>{'a'});
}

} // namespace
} // namespace volpt
