// JPEG as it is read: orientation, inks, profiles, damage.
#include "libvolpt/image/orientation.h"
#include "tests/image/image_fixtures.h"

#if VOLPT_TEST_LIBJPEG
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <jpeglib.h>

namespace volpt::test {
namespace {

using namespace std::string_literals;

Image decode_jpg(std::vector<std::byte> const& file)
{
    return decode_in_both_forms([&](SampleForm form) { return find_codec("jpg").decoder(file, "made.jpg", {}, form); });
}

/// Smooth, so that what the cosine transform drops is small.
Image make_smooth(int width, int height, std::vector<std::string> const& names)
{
    Image image = make_image(width, height, Transfer::srgb, names);
    for (std::size_t c = 0; c < names.size(); ++c)
        for (std::size_t i = 0; i < image.pixel_count(); ++i) {
            auto const x = static_cast<float>(i % static_cast<std::size_t>(width)) / static_cast<float>(width);
            auto const y = static_cast<float>(i / static_cast<std::size_t>(width)) / static_cast<float>(height);
            image.channels[c].values[i] = c == 0 ? x : c == 1 ? y : 1 - 0.5f * (x + y);
        }
    return image;
}

/// The file with a segment after its first marker.
std::vector<std::byte> insert_segment(std::vector<std::byte> file, unsigned char marker, std::string const& data)
{
    std::string segment = "\xff"s + static_cast<char>(marker) + static_cast<char>((data.size() + 2) >> 8) +
                          static_cast<char>((data.size() + 2) & 0xff) + data;
    auto const bytes = to_bytes(segment);
    file.insert(file.begin() + 2, bytes.begin(), bytes.end());
    return file;
}

std::string make_exif(int orientation, bool is_big)
{
    std::string const value(1, static_cast<char>(orientation));
    std::string const entry_big = "\1\x12\0\3\0\0\0\1\0"s + value + "\0\0"s,
                      entry_little = "\x12\1\3\0\1\0\0\0"s + value + "\0\0\0"s;
    return "Exif\0\0"s + (is_big ? "MM\0*\0\0\0\x8\0\1"s + entry_big : "II*\0\x8\0\0\0\1\0"s + entry_little) +
           std::string(4, '\0');
}

TEST(CodecJpgRead, SmoothPicturesComeBackWithinFourLevels)
{
    for (std::vector<std::string> const& names : std::vector<std::vector<std::string>>{{"R", "G", "B"}, {"Y"}}) {
        Image const image = make_smooth(61, 45, names);
        Image const again = decode_jpg(find_codec("jpg").encode(image));
        ASSERT_EQ(again.channels.size(), names.size());
        EXPECT_EQ(again.transfer, Transfer::srgb);
        EXPECT_EQ(again.transfer_source, TransferSource::assumption);
        for (std::size_t c = 0; c < names.size(); ++c)
            for (std::size_t i = 0; i < image.pixel_count(); ++i)
                ASSERT_NEAR(again.channels[c].values[i], image.channels[c].values[i], 4.0 / 255);
    }
}

/// Where Exif 2.32 says that the first stored row and column are seen.
struct Sides {
    char row;
    char column;
};
constexpr std::array<Sides, 8> kSides{
    {{'t', 'l'}, {'t', 'r'}, {'b', 'r'}, {'b', 'l'}, {'l', 't'}, {'r', 't'}, {'r', 'b'}, {'l', 'b'}}};

TEST(Orientation, PutsEveryPixelWhereExifSaysItIsSeen)
{
    Image const stored = make_smooth(5, 3, {"R", "G", "B"});
    for (int orientation = 1; orientation <= 8; ++orientation) {
        auto const [row, column] = kSides[static_cast<std::size_t>(orientation - 1)];
        StoredImage turned = stored;
        apply_orientation(turned, orientation);
        Image const seen = to_floats(std::move(turned));
        ASSERT_EQ(seen.width, orientation < 5 ? 5 : 3);
        ASSERT_EQ(seen.height, orientation < 5 ? 3 : 5);
        for (int y = 0; y < 3; ++y)
            for (int x = 0; x < 5; ++x) {
                int seen_x = 0, seen_y = 0;
                for (auto const& [side, distance] : {std::pair{row, y}, {column, x}}) {
                    if (side == 't') seen_y = distance;
                    if (side == 'b') seen_y = seen.height - 1 - distance;
                    if (side == 'l') seen_x = distance;
                    if (side == 'r') seen_x = seen.width - 1 - distance;
                }
                for (std::size_t c = 0; c < 3; ++c)
                    EXPECT_EQ(seen.channels[c].values[static_cast<std::size_t>(seen_y * seen.width + seen_x)],
                              stored.channels[c].values[static_cast<std::size_t>(y * 5 + x)])
                        << orientation << " at " << x << "," << y;
            }
    }
}

TEST(CodecJpgRead, ExifOrientationIsApplied)
{
    std::vector<std::byte> const file = find_codec("jpg").encode(make_smooth(24, 16, {"Y"}));
    Image const stored = decode_jpg(file);
    for (bool const is_big : {false, true})
        for (int orientation = 1; orientation <= 8; ++orientation) {
            StoredImage turned = stored;
            apply_orientation(turned, orientation);
            Image const expected = to_floats(std::move(turned));
            Image const seen = decode_jpg(insert_segment(file, 0xe1, make_exif(orientation, is_big)));
            ASSERT_EQ(seen.width, expected.width) << orientation;
            EXPECT_EQ(seen.channels[0].values, expected.channels[0].values) << orientation;
        }
    // Numbers that Exif does not define, cut segments and other types leave the picture as it is.
    for (std::string const& exif : {make_exif(0, true), make_exif(9, false), make_exif(6, true).substr(0, 20),
                                    "Exif\0\0"s, "Exif\0\0MM\0*\xff\xff\xff\xff"s, "http://ns.adobe.com/"s})
        EXPECT_EQ(decode_jpg(insert_segment(file, 0xe1, exif)).channels[0].values, stored.channels[0].values);
}

TEST(CodecJpgRead, AProfileOfSeveralSegmentsIsWhole)
{
    std::vector<std::byte> const file = find_codec("jpg").encode(make_smooth(8, 8, {"Y"}));
    std::string profile(70000, 'x');
    for (std::size_t i = 0; i < profile.size(); ++i) profile[i] = static_cast<char>(i % 251);
    std::string const first = "ICC_PROFILE\0\1\2"s + profile.substr(0, 60000),
                      second = "ICC_PROFILE\0\2\2"s + profile.substr(60000);
    Image const image = decode_jpg(insert_segment(insert_segment(file, 0xe2, second), 0xe2, first));
    ASSERT_TRUE(image.profile.has_value());
    EXPECT_EQ(image.profile->bytes, to_bytes(profile));
    // One of them is missing: the picture is read without.
    EXPECT_FALSE(decode_jpg(insert_segment(file, 0xe2, first)).profile.has_value());
}

/// Rows of these samples, compressed by libjpeg; `prepare` may change how.
template <class Prepare>
std::vector<std::byte> compress(unsigned width, unsigned height, J_COLOR_SPACE space, std::vector<JSAMPLE> samples,
                                Prepare const& prepare)
{
    jpeg_compress_struct encoder{};
    jpeg_error_mgr errors{};
    encoder.err = jpeg_std_error(&errors);
    jpeg_create_compress(&encoder);
    unsigned char* bytes = nullptr;
    unsigned long size_bytes = 0;
    jpeg_mem_dest(&encoder, &bytes, &size_bytes);
    encoder.image_width = width;
    encoder.image_height = height;
    encoder.input_components = space == JCS_CMYK ? 4 : 1;
    encoder.in_color_space = space;
    jpeg_set_defaults(&encoder);
    jpeg_set_quality(&encoder, 98, TRUE);
    prepare(encoder);
    jpeg_start_compress(&encoder, TRUE);
    std::size_t const row_samples = std::size_t{width} * static_cast<unsigned>(encoder.input_components);
    for (unsigned y = 0; y < height; ++y) {
        JSAMPROW row = samples.data() + y * row_samples;
        jpeg_write_scanlines(&encoder, &row, 1);
    }
    jpeg_finish_compress(&encoder);
    auto const* const begin = reinterpret_cast<std::byte const*>(bytes);
    std::vector<std::byte> file(begin, begin + size_bytes);
    jpeg_destroy_compress(&encoder);
    std::free(bytes);
    return file;
}

TEST(CodecJpgRead, InksOfAdobeFilesAreTurnedRound)
{
    std::vector<JSAMPLE> samples;
    for (int i = 0; i < 64; ++i) samples.insert(samples.end(), {255, 155, 55, 205});
    for (bool const is_ycck : {false, true}) {
        Image const image = decode_jpg(compress(8, 8, JCS_CMYK, samples, [&](jpeg_compress_struct& encoder) {
            if (is_ycck) jpeg_set_colorspace(&encoder, JCS_YCCK);
        }));
        ASSERT_EQ(image.channels.size(), 4u);
        constexpr std::array<int, 4> kInks{0, 100, 200, 50};
        for (std::size_t c = 0; c < 4; ++c) {
            EXPECT_EQ(image.channels[c].name, std::string(1, "CMYK"[c]));
            EXPECT_NEAR(image.channels[c].values[20] * 255, kInks[c], 3) << is_ycck;
        }
    }
    TempFolder const folder;
    write_bytes(folder / "inks.jpg", compress(8, 8, JCS_CMYK, samples, [](jpeg_compress_struct&) {}));
    expect_error(ExitStatus::input, {"inks.jpg", "CMYK and has no colour profile"},
                 [&] { read_image(folder / "inks.jpg"); });
}

TEST(CodecJpgRead, ProgressiveFilesAreReadUnlessTheirScansAreAsBigAsABomb)
{
    std::vector<JSAMPLE> samples(32 * 32);
    for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = static_cast<JSAMPLE>(i / 5);
    auto const usual = [](jpeg_compress_struct& encoder) { jpeg_simple_progression(&encoder); };
    Image const grey = decode_jpg(compress(32, 32, JCS_GRAYSCALE, samples, usual));
    ASSERT_EQ(grey.channels.size(), 1u);
    EXPECT_EQ(grey.channels[0].name, "Y");
    EXPECT_NEAR(grey.channels[0].values[500] * 255, 100, 3);
    // Two for every coefficient of a block.
    std::vector<jpeg_scan_info> scans;
    for (int pass = 0; pass < 2; ++pass)
        for (int k = 0; k < 64; ++k) scans.push_back({1, {0, 0, 0, 0}, k, k, pass, 1 - pass});
    auto const bomb = [&](jpeg_compress_struct& encoder) {
        encoder.scan_info = scans.data();
        encoder.num_scans = static_cast<int>(scans.size());
    };
    auto const file = compress(32, 32, JCS_GRAYSCALE, samples, bomb);
    expect_error(ExitStatus::input, {"made.jpg", "more than 100 scans"}, [&] { decode_jpg(file); });
}

TEST(CodecJpgRead, FileCutAnywhereIsRefusedAndNamed)
{
    std::vector<std::byte> const file = find_codec("jpg").encode(make_smooth(37, 21, {"R", "G", "B"}));
    for (std::size_t size = 0; size < file.size(); ++size) {
        std::vector<std::byte> const cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
        std::string const message = expect_error(ExitStatus::input, {}, [&] { decode_jpg(cut); });
        ASSERT_EQ(message.rfind("made.jpg: ", 0), 0u) << "after " << size << " bytes: " << message;
    }
}

TEST(CodecJpgRead, FlippedBitGivesAnErrorOrAPicture)
{
    std::vector<std::byte> const file =
        insert_segment(find_codec("jpg").encode(make_smooth(17, 11, {"R", "G", "B"})), 0xe1, make_exif(6, true));
    for (std::size_t bit = 0; bit < file.size() * 8; bit += test::kDamageStride) {
        std::vector<std::byte> flipped = file;
        flipped[bit / 8] ^= std::byte{1} << bit % 8;
        SCOPED_TRACE(bit);
        catch_error(ExitStatus::input, [&] {
            Image const image = decode_jpg(flipped);
            check_image(image);
            EXPECT_LE(image.pixel_count() * image.channels.size() * sizeof(float), (64u << 20) + 4096 * file.size());
        });
    }
}

TEST(CodecJpgRead, SizesThatTheDataCannotHaveAreRefusedBeforeAllocation)
{
    std::vector<std::byte> file = find_codec("jpg").encode(make_smooth(16, 16, {"Y"}));
    std::size_t frame = 2; // from segment to segment to SOF0
    while (file[frame + 1] != std::byte{0xc0})
        frame +=
            2 + (std::to_integer<std::size_t>(file[frame + 2]) << 8) + std::to_integer<std::size_t>(file[frame + 3]);
    for (std::size_t i = 5; i < 9; i += 2) file[frame + i] = std::byte{0xef};
    expect_error(ExitStatus::input, {"61200 x 61200"}, [&] { decode_jpg(file); });
    for (std::size_t i = 5; i < 9; ++i) file[frame + i] = std::byte{0xff};
    expect_error(ExitStatus::input, {"made.jpg"}, [&] { decode_jpg(file); });
    for (std::size_t i = 5; i < 9; ++i) file[frame + i] = std::byte{0};
    expect_error(ExitStatus::input, {"made.jpg"}, [&] { decode_jpg(file); });
}

TEST(CodecJpgRead, NoiseAfterTheSignatureIsRefused)
{
    std::vector<std::byte> const file = find_codec("jpg").encode(make_smooth(16, 16, {"Y"}));
    std::mt19937 random(7);
    for (int trial = 0; trial < 300; ++trial) {
        std::vector<std::byte> noise(file.begin(), file.begin() + 11);
        for (int i = 0; i < 400; ++i) noise.push_back(static_cast<std::byte>(random()));
        expect_error(ExitStatus::input, {}, [&] { decode_jpg(noise); });
    }
}

} // namespace
} // namespace volpt::test
#endif
