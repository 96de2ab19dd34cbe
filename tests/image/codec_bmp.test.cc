// BMP: which headers give alpha, palettes, order of rows.
#include "libvolpt/image/codecs/bmp_picture.h"
#include "tests/image/image_fixtures.h"

namespace volpt::test {
namespace {

void append_le(std::vector<std::byte>& to, std::uint32_t value, int size_bytes)
{
    for (int i = 0; i < size_bytes; ++i) to.push_back(static_cast<std::byte>(value >> 8 * i));
}

struct BmpParts {
    std::uint32_t header_bytes = 40;
    std::uint32_t bits = 32;
    std::uint32_t method = 0;                ///< 3: BI_BITFIELDS
    std::uint32_t alpha_mask = 0;            ///< of the methods and headers that have one
    int height = 2;                          ///< of 2 pixels width; negative: top-down
    std::vector<std::uint32_t> palette = {}; ///< 0xRRGGBB
    std::vector<std::uint8_t> pixels = {};   ///< with padding, in file order
};

std::vector<std::byte> make_bmp(BmpParts const& parts)
{
    bool const has_outer_masks = parts.header_bytes == 40 && parts.method == 3;
    auto const first_pixel =
        static_cast<std::uint32_t>(14 + parts.header_bytes + (has_outer_masks ? 12 : 0) + 4 * parts.palette.size());
    std::vector<std::byte> file = to_bytes("BM");
    append_le(file, static_cast<std::uint32_t>(first_pixel + parts.pixels.size()), 4);
    append_le(file, 0, 4);
    append_le(file, first_pixel, 4);
    append_le(file, parts.header_bytes, 4);
    append_le(file, 2, 4);
    append_le(file, static_cast<std::uint32_t>(parts.height), 4);
    append_le(file, 1, 2);
    append_le(file, parts.bits, 2);
    append_le(file, parts.method, 4);
    for (int i = 0; i < 5; ++i) append_le(file, 0, 4);
    if (has_outer_masks || parts.header_bytes > 40)
        for (std::uint32_t const mask : {0xff0000u, 0xff00u, 0xffu}) append_le(file, mask, 4);
    if (parts.header_bytes > 40) append_le(file, parts.alpha_mask, 4);
    file.resize(first_pixel - 4 * parts.palette.size());
    for (std::uint32_t const colour : parts.palette) append_le(file, colour, 4);
    for (std::uint8_t const byte : parts.pixels) file.push_back(std::byte{byte});
    return file;
}

/// Blue, green, red and a fourth byte, the lower row first.
std::vector<std::uint8_t> const kPixels{1, 2, 3, 0xab, 4, 5, 6, 0, 7, 8, 9, 0x10, 10, 11, 12, 0xff};

Image decode_made_bmp(std::vector<std::byte> const& file)
{
    return decode_in_both_forms([&](SampleForm form) { return decode_bmp(file, "made.bmp", {}, form); });
}

float to_value(int value)
{
    return static_cast<float>(value) / 255.0f;
}

TEST(BmpCodec, FourthByteWithoutAMaskIsNoAlpha)
{
    for (std::uint32_t const header_bytes : {40u, 108u, 124u})
        for (std::uint32_t const method : {0u, 3u}) {
            SCOPED_TRACE(testing::Message() << header_bytes << " bytes, method " << method);
            auto const file = make_bmp({.header_bytes = header_bytes, .method = method, .pixels = kPixels});
            Image const image = decode_made_bmp(file);
            ASSERT_EQ(image.channels.size(), 3u);
            EXPECT_EQ(read_bmp_header(file, "made.bmp").channels, 3);
            EXPECT_EQ(image.find("R")->values,
                      (std::vector<float>{to_value(9), to_value(12), to_value(3), to_value(6)}));
            EXPECT_EQ(image.find("B")->values,
                      (std::vector<float>{to_value(7), to_value(10), to_value(1), to_value(4)}));
        }
}

TEST(BmpCodec, MaskOfAlphaCountsForTheMethodWithMasksAlone)
{
    BmpParts parts{.header_bytes = 124, .method = 3, .alpha_mask = 0xff000000, .pixels = kPixels};
    EXPECT_EQ(decode_made_bmp(make_bmp(parts)).find("A")->values,
              (std::vector<float>{to_value(0x10), 1, to_value(0xab), 0}));
    for (std::size_t i = 3; i < parts.pixels.size(); i += 4) parts.pixels[i] = 0;
    EXPECT_EQ(decode_made_bmp(make_bmp(parts)).find("A")->values, (std::vector<float>(4, 0.0f)));
    parts.method = 0;
    EXPECT_EQ(decode_made_bmp(make_bmp(parts)).find("A"), nullptr);
}

TEST(BmpCodec, PalettesOfAllDepthsAndBothOrdersOfRows)
{
    for (std::uint32_t const bits : {1u, 4u, 8u})
        for (int const height : {2, -2}) {
            SCOPED_TRACE(testing::Message() << bits << " bits, height " << height);
            // Indices 1 0 in the first stored row, 1 1 in the second.
            std::vector<std::uint8_t> const first = bits == 1   ? std::vector<std::uint8_t>{0x80, 0}
                                                    : bits == 4 ? std::vector<std::uint8_t>{0x10, 0}
                                                                : std::vector<std::uint8_t>{1, 0};
            std::vector<std::uint8_t> const second = bits == 1   ? std::vector<std::uint8_t>{0xc0, 0}
                                                     : bits == 4 ? std::vector<std::uint8_t>{0x11, 0}
                                                                 : std::vector<std::uint8_t>{1, 1};
            std::vector<std::uint8_t> pixels{first};
            pixels.resize(4);
            pixels.insert(pixels.end(), second.begin(), second.end());
            pixels.resize(8);
            auto const file = make_bmp(
                {.bits = bits, .height = height, .palette = {0x102030, 0xff8000}, .pixels = std::move(pixels)});
            float const a = to_value(0x20), b = to_value(0x80);
            EXPECT_EQ(decode_made_bmp(file).find("G")->values,
                      height > 0 ? (std::vector<float>{b, b, b, a}) : (std::vector<float>{b, a, b, b}));
        }
}

TEST(BmpCodec, IndexBeyondThePaletteIsRefused)
{
    auto const file = make_bmp({.bits = 8, .palette = {0, 0xffffff}, .pixels = {0, 1, 0, 0, 1, 2, 0, 0}});
    expect_error(ExitStatus::input, {"made.bmp", "pixel 1 of stored row 1 has colour 2 of 2"},
                 [&] { decode_made_bmp(file); });
}

} // namespace
} // namespace volpt::test
