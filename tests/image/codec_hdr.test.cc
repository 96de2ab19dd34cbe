// Radiance pictures: runs, bombs, value range, real files.
#include "tests/image/image_fixtures.h"

namespace volpt::test {
namespace {

std::string const kHeader = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n";

void expect_refused(std::string const& file, std::initializer_list<std::string_view> parts)
{
    expect_error(ExitStatus::input, parts, [&] { find_codec("hdr").decode(to_bytes(file), "made.hdr"); });
}

TEST(HdrCodec, RunOfNoPixelsIsRefusedAndDoesNotHang)
{
    expect_refused(kHeader + "-Y 1 +X 8\n\2\2" + std::string("\0\10\0\0\0\0", 6), {"run of 0 pixels"});
}

TEST(HdrCodec, RunPastTheLineIsRefused)
{
    expect_refused(kHeader + "-Y 1 +X 8\n\2\2" + std::string("\0\10\x89\1", 4), {"run of 9 pixels"});
}

TEST(HdrCodec, NullByteInTheHeaderIsRefused)
{
    // To stb_image it is the empty line that ends the header, and the sizes are read elsewhere.
    expect_refused("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n" + std::string("\0x\n\n", 4) + "-Y 1 +X 1\nabcd",
                   {"null byte in the header line at offset 34"});
}

TEST(HdrCodec, OtherOrientationsAndFormatsAreRefusedByName)
{
    expect_refused(kHeader + "+Y 1 +X 1\nabcd", {"'+Y 1 +X 1'"});
    expect_refused("#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n-Y 1 +X 1\nabcd", {"32-bit_rle_xyze"});
    expect_refused("#?RADIANCE\n\n-Y 1 +X 1\nabcd", {"no line FORMAT"});
}

TEST(HdrCodec, FlatPixelsOfNarrowPicturesAreRead)
{
    Image const image =
        find_codec("hdr").decode(to_bytes(kHeader + "-Y 1 +X 2\n" + std::string("\x80\x40\0\x81\0\0\0\0", 8)), "a");
    EXPECT_EQ(image.find("R")->values, (std::vector<float>{1, 0}));
    EXPECT_EQ(image.find("G")->values, (std::vector<float>{0.5f, 0}));
}

TEST(HdrCodec, VariablesAreKeptAndNotApplied)
{
    Image const image = find_codec("hdr").decode(
        to_bytes("#?RGBE\nEXPOSURE=2.5\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\n\x80\x80\x80\x81"), "a");
    EXPECT_EQ(image.metadata, (std::vector<std::pair<std::string, std::string>>{{"EXPOSURE", "2.5"}}));
    EXPECT_EQ(image.find("R")->values[0], 1.0f);
}

TEST(HdrCodec, ValuesOutsideItsRangeAreRefusedWithTheirPixel)
{
    for (float const value : {-0.5f, std::nanf(""), HUGE_VALF, 3e38f}) {
        Image image = make_picture(4, 3, {"R", "G", "B"});
        image.channels[1].values[6] = value;
        expect_error(ExitStatus::usage, {"channel G at pixel 2,1"}, [&] { find_codec("hdr").encode(image); });
    }
}

TEST(HdrCodec, RealFileHasItsKnownRange)
{
    VOLPT_NEED_TEST_DATA(data);
    Image const image = read_image(data / "arnold-usd/rooftop_small.hdr");
    EXPECT_EQ(image.width, 300);
    EXPECT_EQ(image.height, 150);
    double sum = 0;
    float largest = 0;
    for (Channel const& channel : image.channels)
        for (float const value : channel.values) {
            sum += static_cast<double>(value);
            largest = std::max(largest, value);
        }
    EXPECT_NEAR(largest, 20.125, 0.1); // the reader of that figure added half a step
    EXPECT_NEAR(sum / (3.0 * 300 * 150), 0.2431, 0.002);
    EXPECT_EQ(read_image(data / "openimageio/seed.hdr").width, 64);
}

TEST(HdrCodec, RealBombIsRefusedWithoutItsAllocation)
{
    VOLPT_NEED_TEST_DATA(data);
    expect_error(ExitStatus::input, {"40000 x 40000"}, [&] { read_image(data / "openimageio/bomb-40000.hdr"); });
}

} // namespace
} // namespace volpt::test
