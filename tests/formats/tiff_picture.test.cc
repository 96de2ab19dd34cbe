// TIFF as pictures: kinds of colours, alpha, orientation, profiles, damage. Files are written by libtiff.
#include "formats/tiff/picture.h"

#include "libvolpt/colour/srgb.h"
#include "libvolpt/image/codecs/codecs.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

#include <cstring>
#include <gtest/gtest.h>
#include <tiffio.h>
#if VOLPT_TEST_LCMS2
#include "tests/image/both_forms.h"
#include "tests/image/made_profiles.h"
#endif

namespace volpt::test {
namespace {

struct TiffPictureSample {
    std::uint32_t width = 5;
    std::uint32_t height = 3;
    std::uint16_t channels = 3;
    std::uint16_t bits = 8;
    std::uint16_t photometric = PHOTOMETRIC_RGB;
    std::uint16_t compression = COMPRESSION_ADOBE_DEFLATE;
    std::uint16_t planar = PLANARCONFIG_CONTIG;
    std::uint16_t orientation = ORIENTATION_TOPLEFT;
    std::uint16_t sample_format = SAMPLEFORMAT_UINT;
    std::uint32_t tile_edge = 0;           ///< 0: strips of two rows
    std::vector<std::uint16_t> extra = {}; ///< kinds of extra samples
    std::vector<std::byte> profile = {};
    std::string mode = "w";
    int pages = 1;
};

/// Sample `i` of the file, of any picture: differs from its neighbours.
std::uint32_t sample_code(std::size_t i, std::uint16_t bits)
{
    return static_cast<std::uint32_t>((i * 2654435761u >> 7) & ((std::uint64_t{1} << bits) - 1));
}

void write_rows(TIFF* tiff, TiffPictureSample const& sample)
{
    bool const is_planar = sample.planar == PLANARCONFIG_SEPARATE;
    std::size_t const bytes = sample.bits / 8, in_pixel = is_planar ? 1 : sample.channels;
    std::uint32_t const edge = sample.tile_edge;
    auto const code_at = [&](std::size_t x, std::size_t y, std::size_t c) {
        bool const is_inside = x < sample.width && y < sample.height;
        return is_inside ? sample_code((y * sample.width + x) * sample.channels + c, sample.bits) : 0;
    };
    auto const put = [&](std::vector<std::byte>& to, std::size_t x, std::size_t y, std::size_t plane) {
        for (std::size_t c = 0; c < in_pixel; ++c) {
            std::uint32_t const code = code_at(x, y, is_planar ? plane : c);
            std::byte const* const from = reinterpret_cast<std::byte const*>(&code);
            to.insert(to.end(), from, from + bytes);
        }
    };
    for (std::uint16_t plane = 0; plane < (is_planar ? sample.channels : 1); ++plane) {
        if (edge == 0)
            for (std::uint32_t y = 0; y < sample.height; ++y) {
                std::vector<std::byte> row;
                for (std::size_t x = 0; x < sample.width; ++x) put(row, x, y, plane);
                ASSERT_EQ(TIFFWriteScanline(tiff, row.data(), y, plane), 1);
            }
        else
            for (std::uint32_t top = 0; top < sample.height; top += edge)
                for (std::uint32_t left = 0; left < sample.width; left += edge) {
                    std::vector<std::byte> tile;
                    for (std::size_t y = top; y < top + edge; ++y)
                        for (std::size_t x = left; x < left + edge; ++x) put(tile, x, y, plane);
                    ASSERT_GT(TIFFWriteTile(tiff, tile.data(), left, top, 0, plane), 0);
                }
    }
}

void write_picture(std::filesystem::path const& path, TiffPictureSample const& sample)
{
    TIFF* const tiff = TIFFOpen(path.c_str(), sample.mode.c_str());
    ASSERT_NE(tiff, nullptr);
    for (int page = 0; page < sample.pages; ++page) {
        TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, sample.width);
        TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, sample.height);
        TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, sample.channels);
        TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, sample.bits);
        TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, sample.sample_format);
        TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, sample.photometric);
        TIFFSetField(tiff, TIFFTAG_COMPRESSION, sample.compression);
        TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, sample.planar);
        TIFFSetField(tiff, TIFFTAG_ORIENTATION, sample.orientation);
        if (sample.tile_edge > 0) {
            TIFFSetField(tiff, TIFFTAG_TILEWIDTH, sample.tile_edge);
            TIFFSetField(tiff, TIFFTAG_TILELENGTH, sample.tile_edge);
        } else {
            TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 2);
        }
        if (!sample.extra.empty())
            TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, static_cast<std::uint16_t>(sample.extra.size()),
                         sample.extra.data());
        if (!sample.profile.empty())
            TIFFSetField(tiff, TIFFTAG_ICCPROFILE, static_cast<std::uint32_t>(sample.profile.size()),
                         sample.profile.data());
        std::vector<std::uint16_t> map(256);
        for (std::size_t i = 0; i < map.size(); ++i) map[i] = static_cast<std::uint16_t>(65535 - 257 * i);
        if (sample.photometric == PHOTOMETRIC_PALETTE)
            TIFFSetField(tiff, TIFFTAG_COLORMAP, map.data(), map.data(), map.data());
        write_rows(tiff, sample);
        TIFFWriteDirectory(tiff);
    }
    TIFFClose(tiff);
}

class TiffPictureTest : public testing::Test {
protected:
    Image decode(TiffPictureSample const& sample)
    {
        std::filesystem::path const path = folder_ / "p.tif";
        write_picture(path, sample);
        return decode_bytes(read_bytes(path));
    }

    static Image decode_bytes(std::vector<std::byte> const& file)
    {

        return decode_in_both_forms([&](SampleForm form) { return decode_tiff_picture(file, "p.tif", {}, {}, form); });
    }

    void expect_refused(TiffPictureSample const& sample, std::initializer_list<std::string_view> parts)
    {
        expect_error(ExitStatus::input, parts, [&] { decode(sample); });
    }

    /// Every sample is code / largest code, in the order of the file.
    static void expect_codes(Image const& image, TiffPictureSample const& sample)
    {
        double const largest = (1u << sample.bits) - 1;
        ASSERT_LE(image.channels.size(), sample.channels);
        ASSERT_EQ(image.pixel_count(), std::size_t{sample.width} * sample.height);
        for (std::size_t c = 0; c < image.channels.size(); ++c)
            for (std::size_t i = 0; i < image.pixel_count(); ++i)
                ASSERT_EQ(image.channels[c].values[i],
                          static_cast<float>(sample_code(i * sample.channels + c, sample.bits) / largest))
                    << "channel " << c << ", pixel " << i;
    }

    TempFolder folder_;
};

TEST_F(TiffPictureTest, EveryDepthLayoutAndByteOrderGivesItsCodes)
{
    for (std::uint16_t const bits : {std::uint16_t{8}, std::uint16_t{16}})
        for (std::uint16_t const planar : {std::uint16_t{PLANARCONFIG_CONTIG}, std::uint16_t{PLANARCONFIG_SEPARATE}})
            for (std::uint32_t const edge : {0u, 16u})
                for (char const* mode : {"wl", "wb", "wl8"}) {
                    TiffPictureSample sample{.width = 37, .height = 21, .bits = bits, .planar = planar};
                    sample.tile_edge = edge;
                    sample.mode = mode;
                    Image const image = decode(sample);
                    EXPECT_EQ(image.transfer, Transfer::srgb);
                    EXPECT_EQ(image.transfer_source, TransferSource::assumption);
                    EXPECT_NO_FATAL_FAILURE(expect_codes(image, sample)) << bits << mode;
                }
}

TEST_F(TiffPictureTest, GreyWhiteAsZeroAndPalettesAreRead)
{
    TiffPictureSample sample{.channels = 1, .bits = 16, .photometric = PHOTOMETRIC_MINISBLACK};
    Image const grey = decode(sample);
    ASSERT_EQ(grey.channels.size(), 1u);
    expect_codes(grey, sample);
    sample.photometric = PHOTOMETRIC_MINISWHITE;
    Image const turned = decode(sample);
    for (std::size_t i = 0; i < 15; ++i)
        EXPECT_NEAR(turned.channels[0].values[i], 1 - grey.channels[0].values[i], 1e-6);
    Image const looked_up = decode({.channels = 1, .photometric = PHOTOMETRIC_PALETTE});
    ASSERT_EQ(looked_up.channels.size(), 3u);
    for (std::size_t i = 0; i < 15; ++i)
        EXPECT_NEAR(looked_up.find("B")->values[i], 1 - sample_code(i, 8) / 255.0, 1e-6);
}

TEST_F(TiffPictureTest, AlphaIsReadAndDividedOutOfPremultipliedColours)
{
    TiffPictureSample sample{.channels = 4, .extra = {EXTRASAMPLE_UNASSALPHA}};
    Image const plain = decode(sample);
    EXPECT_EQ(plain.channels[3].name, "A");
    expect_codes(plain, sample);
    sample.extra = {EXTRASAMPLE_ASSOCALPHA};
    Image const premultiplied = decode(sample);
    for (std::size_t i = 0; i < 15; ++i) {
        float const alpha = plain.find("A")->values[i], colour = plain.find("R")->values[i];
        EXPECT_NEAR(premultiplied.find("R")->values[i], std::min(1.0f, colour / alpha), 1e-6);
    }
    sample.extra = {EXTRASAMPLE_UNSPECIFIED};
    Image const other = decode(sample);
    EXPECT_EQ(other.channels.size(), 3u);
    ASSERT_EQ(other.notices.size(), 1u);
    expect_contains(other.notices[0], {"p.tif has 1 more samples per pixel"});
}

TEST_F(TiffPictureTest, AlphaIsFoundBehindOtherSamples)
{
    TiffPictureSample sample{.channels = 5, .extra = {EXTRASAMPLE_UNSPECIFIED, EXTRASAMPLE_UNASSALPHA}};
    Image const image = decode(sample);
    ASSERT_EQ(image.channels.size(), 4u);
    ASSERT_NE(image.find("A"), nullptr);
    for (std::size_t i = 0; i < image.pixel_count(); ++i)
        EXPECT_NEAR(image.find("A")->values[i], sample_code(5 * i + 4, 8) / 255.0, 1e-6) << "pixel " << i;
    ASSERT_EQ(image.notices.size(), 1u);
    expect_contains(image.notices[0], {"p.tif has 1 more samples per pixel"});
}

TEST_F(TiffPictureTest, OrientationIsApplied)
{
    TiffPictureSample sample{.channels = 1, .photometric = PHOTOMETRIC_MINISBLACK};
    Image const stored = decode(sample);
    sample.orientation = ORIENTATION_RIGHTTOP; // the first row is seen at the right, the first column at the top
    Image const seen = decode(sample);
    ASSERT_EQ(seen.width, 3);
    ASSERT_EQ(seen.height, 5);
    for (std::size_t y = 0; y < 3; ++y)
        for (std::size_t x = 0; x < 5; ++x)
            EXPECT_EQ(seen.channels[0].values[x * 3 + (2 - y)], stored.channels[0].values[y * 5 + x]);
}

TEST_F(TiffPictureTest, ColoursWithinJpegAreRgbNotYcbcr)
{
    // Constant, as JPEG loses detail: every sample of the file is 0, which in YCbCr would be green.
    TIFF* const tiff = TIFFOpen((folder_ / "j.tif").c_str(), "w");
    for (auto const& [tag, value] : {std::pair{TIFFTAG_IMAGEWIDTH, 16},
                                     {TIFFTAG_IMAGELENGTH, 16},
                                     {TIFFTAG_SAMPLESPERPIXEL, 3},
                                     {TIFFTAG_BITSPERSAMPLE, 8},
                                     {TIFFTAG_COMPRESSION, COMPRESSION_JPEG},
                                     {TIFFTAG_ROWSPERSTRIP, 16},
                                     {TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG},
                                     {TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_YCBCR},
                                     {TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB}})
        TIFFSetField(tiff, static_cast<std::uint32_t>(tag), value);
    std::vector<unsigned char> samples;
    for (int i = 0; i < 256; ++i) samples.insert(samples.end(), {200, 100, 50});
    EXPECT_GT(TIFFWriteEncodedStrip(tiff, 0, samples.data(), static_cast<tmsize_t>(samples.size())), 0);
    TIFFClose(tiff);
    Image const image = decode_bytes(read_bytes(folder_ / "j.tif"));
    for (auto const& [name, code] : {std::pair{"R", 200}, {"G", 100}, {"B", 50}})
        EXPECT_NEAR(image.find(name)->values[40] * 255, code, 3) << name;
}

TEST_F(TiffPictureTest, FurtherPagesAreToldAndLeftOut)
{
    Image const image = decode({.pages = 3});
    ASSERT_EQ(image.notices.size(), 1u);
    expect_contains(image.notices[0], {"p.tif has several pages: the first is read"});
}

TEST_F(TiffPictureTest, OtherKindsAreRefusedWithACommandThatConverts)
{
    expect_refused({.bits = 32, .sample_format = SAMPLEFORMAT_IEEEFP}, {"p.tif", "32 bits", "convert 'p.tif'"});
    expect_refused({.photometric = PHOTOMETRIC_CIELAB}, {"photometric interpretation 8"});
}

TEST_F(TiffPictureTest, InksWithoutAProfileAreRefusedByReadImage)
{
    add_tiff_pictures();
    TiffPictureSample const sample{.channels = 4, .photometric = PHOTOMETRIC_SEPARATED};
    Image const inks = decode(sample);
    EXPECT_EQ(inks.channels[3].name, "K");
    expect_codes(inks, sample);
    expect_error(ExitStatus::input, {"p.tif", "CMYK and has no colour profile", "--picture-profile"},
                 [&] { read_image(folder_ / "p.tif"); });
}

#if VOLPT_TEST_LCMS2
TEST_F(TiffPictureTest, InksWithAProfileHaveTheColoursOfThePress)
{
    add_tiff_pictures();
    for (std::uint16_t const bits : {std::uint16_t{8}, std::uint16_t{16}}) {
        TiffPictureSample const sample{
            .channels = 4, .bits = bits, .photometric = PHOTOMETRIC_SEPARATED, .profile = make_cmyk_profile()};
        Image const inks = decode(sample);
        Image const image = read_image(folder_ / "p.tif");
        ASSERT_EQ(image.channels.size(), 3u);
        for (std::size_t i = 0; i < image.pixel_count(); ++i) {
            auto const ink = [&](std::size_t c) { return static_cast<double>(inks.channels[c].values[i]); };
            cmsCIELab const lab = find_press_colour(ink(0), ink(1), ink(2), ink(3));
            if (lab.L < 1) continue; // darker than black: the table cannot hold it
            auto const expected = find_linear_srgb(lab);
            for (std::size_t c = 0; c < 3; ++c)
                EXPECT_NEAR(image.channels[c].values[i], encode_srgb(expected[c]), 1.0 / 255) << "pixel " << i;
        }
    }
}

TEST_F(TiffPictureTest, SixteenBitsWithAProfileKeepTheirPrecision)
{
    add_tiff_pictures();
    TiffPictureSample const sample{.width = 64,
                                   .height = 16,
                                   .channels = 1,
                                   .bits = 16,
                                   .photometric = PHOTOMETRIC_MINISBLACK,
                                   .profile = make_grey_profile(1.8)};
    Image const codes = decode(sample);
    Image const image = read_image(folder_ / "p.tif");
    ASSERT_EQ(image.channels.size(), 1u);
    for (std::size_t i = 0; i < image.pixel_count(); ++i) {
        double const linear = std::pow(static_cast<double>(codes.channels[0].values[i]), 1.8);
        EXPECT_NEAR(image.channels[0].values[i], encode_srgb(linear), 2.0 / 65535) << i;
    }
}
#endif

TEST_F(TiffPictureTest, FileCutAnywhereIsRefusedAndNamed)
{
    write_picture(folder_ / "p.tif", {.compression = COMPRESSION_LZW});
    std::vector<std::byte> const file = read_bytes(folder_ / "p.tif");
    for (std::size_t size = 0; size < file.size(); size += 3) {
        std::vector<std::byte> const cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
        std::string const message = expect_error(ExitStatus::input, {}, [&] { decode_bytes(cut); });
        ASSERT_EQ(message.rfind("p.tif", 0), 0u) << "after " << size << " bytes: " << message;
    }
}

TEST_F(TiffPictureTest, FlippedBitGivesAnErrorOrAPicture)
{
    write_picture(folder_ / "p.tif", {.compression = COMPRESSION_LZW});
    std::vector<std::byte> const file = read_bytes(folder_ / "p.tif");
    // A step coprime to 8 visits all bits of a byte in turn. The fuzz target tiff_picture flips bits under
    // AddressSanitizer too.
#ifdef NDEBUG
    constexpr std::size_t kStep = 5;
#else
    constexpr std::size_t kStep = 37;
#endif
    for (std::size_t bit = 0; bit < file.size() * 8; bit += kStep) {
        std::vector<std::byte> flipped = file;
        flipped[bit / 8] ^= std::byte{1} << bit % 8;
        SCOPED_TRACE(bit);
        catch_error(ExitStatus::input, [&] {
            Image const image = decode_bytes(flipped);
            EXPECT_EQ(image.channels.at(0).values.size(), image.pixel_count());
        });
    }
}

TEST_F(TiffPictureTest, SizesThatTheDataCannotHaveAreRefused)
{
    expect_error(ExitStatus::input, {"p.tif"}, [&] {
        TiffPictureSample const sample{.width = 4, .height = 2};
        write_picture(folder_ / "p.tif", sample);
        std::vector<std::byte> file = read_bytes(folder_ / "p.tif");
        // ImageWidth (256) and ImageLength (257), of type LONG or SHORT, become 4,294,967,295.
        for (std::size_t at = 0; at + 12 <= file.size(); ++at)
            if (file[at + 1] == std::byte{1} && (file[at] == std::byte{0} || file[at] == std::byte{1}) &&
                file[at + 3] == std::byte{0} && file[at + 4] == std::byte{1} && file[at + 5] == std::byte{0}) {
                file[at + 2] = std::byte{4};
                std::fill_n(file.begin() + static_cast<std::ptrdiff_t>(at) + 8, 4, std::byte{0xff});
            }
        decode_bytes(file);
    });
}

} // namespace
} // namespace volpt::test
