// PNG: checksums, scanlines, palettes, depths, metadata, real files.
#include "libvolpt/image/codecs/png/png_indices.h"
#include "libvolpt/image/icc/convert_profile.h"
#include "libvolpt/image/tone_map.h"
#include "tests/image/image_fixtures.h"

#include <array>
#include <cmath>
#include <zlib.h>

namespace volpt::test {
namespace {

void append_u32(std::string& to, std::uint32_t value)
{
    for (int shift = 24; shift >= 0; shift -= 8) to += static_cast<char>(value >> shift);
}

std::string make_chunk(std::string const& type, std::string const& data)
{
    std::string chunk;
    append_u32(chunk, static_cast<std::uint32_t>(data.size()));
    std::string const covered = type + data;
    chunk += covered;
    append_u32(chunk, static_cast<std::uint32_t>(
                          crc32(0, reinterpret_cast<Bytef const*>(covered.data()), static_cast<uInt>(covered.size()))));
    return chunk;
}

std::string deflate_all(std::string const& text)
{
    uLongf size_bytes = compressBound(text.size());
    std::string out(size_bytes, '\0');
    compress2(reinterpret_cast<Bytef*>(out.data()), &size_bytes, reinterpret_cast<Bytef const*>(text.data()),
              text.size(), 9);
    out.resize(size_bytes);
    return out;
}

std::string make_header(std::uint32_t width, std::uint32_t height, int depth, int colour)
{
    std::string header;
    append_u32(header, width);
    append_u32(header, height);
    header += static_cast<char>(depth);
    header += static_cast<char>(colour);
    header += std::string(3, '\0');
    return make_chunk("IHDR", header);
}

std::string const kSignature = "\x89PNG\r\n\x1a\n";

Image decode_text(std::string const& file)
{
    return decode_in_both_forms(
        [&](SampleForm form) { return find_codec("png").decoder(to_bytes(file), "made.png", {}, form); });
}

void expect_png_refused(std::string const& file, std::initializer_list<std::string_view> parts)
{
    expect_error(ExitStatus::input, parts, [&] { decode_text(file); });
}

std::string palette_file(std::string const& rows)
{
    return kSignature + make_header(3, 2, 8, 3) + make_chunk("PLTE", std::string("\xff\0\0\0\xff\0", 6)) +
           make_chunk("IDAT", deflate_all(rows)) + make_chunk("IEND", "");
}

TEST(PngCodec, PaletteBecomesColours)
{
    Image const image = decode_text(palette_file(std::string("\0\0\1\0\2\1\0\0", 8)));
    EXPECT_EQ(image.find("R")->values, (std::vector<float>{1, 0, 1, 0, 0, 1}));
    EXPECT_EQ(image.find("G")->values, (std::vector<float>{0, 1, 0, 1, 1, 0}));
}

TEST(PngCodec, PaletteIndexOutOfRangeIsRefusedAfterUnfiltering)
{
    // The second row's filter is Up: 1 + 1 = colour 2 of 2.
    expect_png_refused(palette_file(std::string("\0\0\1\0\2\1\1\0", 8)), {"colour 2 of a palette of 2"});
}

TEST(PngCodec, TransparentColourBecomesAlpha)
{
    auto const one_row = [](int depth, int colour, std::string const& key, std::string const& row) {
        return kSignature + make_header(3, 1, depth, colour) + make_chunk("tRNS", key) +
               make_chunk("IDAT", deflate_all(std::string(1, '\0') + row)) + make_chunk("IEND", "");
    };
    Image const grey = decode_text(one_row(8, 0, std::string("\0\7", 2), "\6\7\x8"));
    EXPECT_EQ(grey.find("A")->values, (std::vector<float>{1, 0, 1}));
    EXPECT_EQ(grey.find("Y")->values, (std::vector<float>{6 / 255.0f, 7 / 255.0f, 8 / 255.0f}));
    Image const two_bits = decode_text(one_row(2, 0, std::string("\0\2", 2), "\x6c")); // 1 2 3
    EXPECT_EQ(two_bits.find("A")->values, (std::vector<float>{1, 0, 1}));
    EXPECT_EQ(two_bits.find("Y")->values, (std::vector<float>{85 / 255.0f, 170 / 255.0f, 1}));
    Image const rgb = decode_text(one_row(8, 2, std::string("\0\1\0\2\0\3", 6), "\1\2\3\1\2\4\3\2\1"));
    EXPECT_EQ(rgb.find("A")->values, (std::vector<float>{0, 1, 1}));
    Image const deep = decode_text(one_row(16, 0, "\1\2", std::string("\1\2\1\3\0\2", 6)));
    EXPECT_EQ(deep.find("A")->values, (std::vector<float>{0, 1, 1}));
    EXPECT_EQ(deep.find("Y")->values, (std::vector<float>{258 / 65535.0f, 259 / 65535.0f, 2 / 65535.0f}));
    expect_png_refused(one_row(8, 0, "\7", "\6\7\x8"), {"made.png", "tRNS"});
    expect_png_refused(one_row(8, 4, std::string("\0\7", 2), "\6\7\x8\6\7\x8"), {"made.png", "tRNS"});
}

TEST(PngCodec, InterlacedPassesGoToTheirPixels)
{
    struct Pass {
        int x, y, step_x, step_y;
    };
    constexpr Pass kPasses[] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
                                {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};
    for (int const edge : {1, 3, 5, 9}) {
        std::string rows;
        for (Pass const& pass : kPasses)
            for (int y = pass.y; y < edge; y += pass.step_y) {
                std::string row(1, '\0');
                for (int x = pass.x; x < edge; x += pass.step_x)
                    for (int c = 0; c < 3; ++c) row += static_cast<char>(3 * (edge * y + x) + c);
                if (row.size() > 1) rows += row;
            }
        std::string header;
        append_u32(header, static_cast<std::uint32_t>(edge));
        append_u32(header, static_cast<std::uint32_t>(edge));
        header += std::string("\x8\2\0\0\1", 5);
        std::string const begin = kSignature + make_chunk("IHDR", header);
        Image const image = decode_text(begin + make_chunk("IDAT", deflate_all(rows)) + make_chunk("IEND", ""));
        for (int i = 0; i < edge * edge; ++i)
            ASSERT_EQ(image.channels[2].values[static_cast<std::size_t>(i)], static_cast<float>(3 * i + 2) / 255.0f);
        rows.pop_back();
        expect_png_refused(begin + make_chunk("IDAT", deflate_all(rows)) + make_chunk("IEND", ""), {"fewer scanlines"});
    }
}

/// Rows of random indices below 2^depth, packed, each with the filter of its number modulo 5.
std::string filter_rows(std::vector<std::uint8_t> const& indices, std::size_t width, std::size_t depth)
{
    std::size_t const row_bytes = (width * depth + 7) / 8;
    std::string rows;
    std::vector<int> above(row_bytes + 1, 0);
    for (std::size_t y = 0; y * width < indices.size(); ++y) {
        std::vector<int> line(row_bytes + 1, 0); // behind a 0 that is left of the first
        for (std::size_t x = 0; x < width; ++x)
            line[1 + x * depth / 8] |= indices[y * width + x] << (8 - depth - x * depth % 8);
        std::size_t const filter = y % 5;
        rows += static_cast<char>(filter);
        for (std::size_t i = 1; i <= row_bytes; ++i) {
            int const left = line[i - 1], up = above[i], corner = above[i - 1], p = left + up - corner;
            bool const is_left = std::abs(p - left) <= std::abs(p - up) && std::abs(p - left) <= std::abs(p - corner);
            int const paeth = is_left ? left : std::abs(p - up) <= std::abs(p - corner) ? up : corner;
            rows += static_cast<char>(line[i] - std::array{0, left, up, (left + up) / 2, paeth}[filter]);
        }
        above = line;
    }
    return rows;
}

TEST(PngIndices, AreThoseOfTheFileForEveryDepthAndFilter)
{
    constexpr std::size_t kWidth = 37, kHeight = 23;
    for (std::size_t const depth : {1u, 2u, 4u, 8u}) {
        std::vector<std::uint8_t> indices(kWidth * kHeight);
        std::uint32_t state = 7;
        for (std::uint8_t& index : indices)
            index = static_cast<std::uint8_t>((state = state * 1664525 + 99) >> (32 - depth));
        std::string palette;
        for (std::size_t i = 0; i < std::size_t{3} << depth; ++i) palette += static_cast<char>(i * 5);
        std::string const file = kSignature + make_header(kWidth, kHeight, static_cast<int>(depth), 3) +
                                 make_chunk("PLTE", palette) + make_chunk("tRNS", "\x11") +
                                 make_chunk("IDAT", deflate_all(filter_rows(indices, kWidth, depth))) +
                                 make_chunk("IEND", "");
        std::vector<std::uint8_t> decoded(indices.size());
        auto const colours = decode_png_indices(to_bytes(file), "made.png", {kWidth, kHeight, decoded});
        EXPECT_EQ(decoded, indices) << depth;
        EXPECT_EQ(colours[0], 0x00050a11u);
        EXPECT_EQ(colours[1], 0x0f1419ffu);
        Image const image = decode_text(file);
        for (std::size_t i = 0; i < indices.size(); ++i)
            EXPECT_EQ(std::round(image.find("G")->values[i] * 255), float(colours[indices[i]] >> 16 & 0xff)) << depth;
        expect_error(ExitStatus::input, {"36 x 23"}, [&] {
            decode_png_indices(to_bytes(file), "made.png", {kWidth - 1, kHeight, decoded});
        });
    }
}

TEST(PngCodec, TooFewAndTooManyScanlinesAreRefused)
{
    expect_png_refused(palette_file(std::string("\0\0\1\0", 4)), {"fewer scanlines"});
    expect_png_refused(palette_file(std::string(12, '\0')), {"more scanlines"});
}

TEST(PngCodec, UnknownFilterIsRefused)
{
    expect_png_refused(palette_file(std::string("\7\0\1\0\2\1\0\0", 8)), {"unknown filter 7"});
}

TEST(PngCodec, HugeSizeWithoutPixelsIsRefusedBeforeInflating)
{
    std::string const file = kSignature + make_header(2000000, 2000000, 16, 6) + make_chunk("IDAT", deflate_all("x")) +
                             make_chunk("IEND", "");
    expect_png_refused(file, {"2000000 x 2000000"});
}

TEST(PngCodec, SizeWithinTheBoundStillNeedsItsScanlines)
{
    std::string const file =
        kSignature + make_header(15000, 15000, 8, 0) + make_chunk("IDAT", deflate_all("x")) + make_chunk("IEND", "");
    expect_png_refused(file, {});
}

TEST(PngCodec, UndefinedDepthColourPairIsRefused)
{
    expect_png_refused(kSignature + make_header(1, 1, 4, 2) + make_chunk("IEND", ""), {"colour type 2 with 4 bits"});
    expect_png_refused(kSignature + make_header(0, 1, 8, 0) + make_chunk("IEND", ""), {});
}

TEST(PngCodec, UnknownCriticalChunkIsRefused)
{
    expect_png_refused(kSignature + make_header(1, 1, 8, 0) + make_chunk("CgBI", "") + make_chunk("IEND", ""),
                       {"CgBI at offset 33"});
}

TEST(PngCodec, EveryFlippedBitIsNoticed)
{
    std::vector<std::byte> const file = find_codec("png").encode(make_picture(9, 5, {"R", "G", "B", "A"}));
    for (std::size_t bit = 0; bit < file.size() * 8; ++bit) {
        std::vector<std::byte> flipped = file;
        flipped[bit / 8] ^= std::byte{1} << bit % 8;
        ASSERT_THROW(find_codec("png").decode(flipped, "flipped.png"), Error) << "bit " << bit;
    }
}

TEST(PngCodec, MetadataAndTransferSurvive)
{
    Image image = tone_map(make_picture(5, 4, {"R", "G", "B"}), 1);
    image.metadata = {{"tool", "volrender"}, {"host", "J\xc3\xbclich"}, {"command_line", std::string(5000, 'x')}};
    Image const again = find_codec("png").decode(find_codec("png").encode(image), "a.png");
    EXPECT_EQ(again.metadata, image.metadata);
    EXPECT_EQ(again.transfer, Transfer::srgb);
}

TEST(PngCodec, OutOfRangeValuesAreClampedAndRounded)
{
    Image image = make_image(4, 1, Transfer::srgb, {"Y"});
    image.channels[0].values = {-3.0f, 0.499f / 255, 0.501f / 255, 9.0f};
    Image const again = find_codec("png").decode(find_codec("png").encode(image), "a.png");
    EXPECT_EQ(again.channels[0].values, (std::vector<float>{0, 0, 1.0f / 255, 1}));
}

TEST(PngCodec, PicturesOfManyStripesSurviveOnAnyNumberOfThreads)
{
    // Flat, graded and noisy lines, so that every filter is worth it somewhere.
    std::mt19937 random(1);
    for (std::vector<std::string> const& names :
         std::vector<std::vector<std::string>>{{"Y"}, {"Y", "A"}, {"R", "G", "B"}, {"R", "G", "B", "A"}}) {
        Image image = make_image(700, 600, Transfer::srgb, names);
        for (Channel& channel : image.channels)
            for (std::size_t i = 0; i < channel.values.size(); ++i) {
                std::size_t const x = i % 700, y = i / 700;
                std::size_t const noise = random() & 255;
                std::size_t const value = y < 100 ? 7 : y < 200 ? x / 3 : y < 300 ? y / 2 + x / 5 : noise >> (y / 150);
                channel.values[i] = static_cast<float>(value & 255) / 255;
            }
        std::vector<std::byte> const file = find_codec("png").encode(image);
        EXPECT_EQ(find_codec("png").encode(image, 3), file);
        Image const again = find_codec("png").decode(file, "a.png");
        for (std::size_t channel = 0; channel < names.size(); ++channel)
            EXPECT_EQ(again.channels[channel].values, image.channels[channel].values) << names[channel];
    }
}

TEST(PngCodec, GreyOf16BitsSurvives)
{
    std::vector<std::uint16_t> samples(300 * 500);
    std::mt19937 random(2);
    for (std::uint16_t& sample : samples) sample = static_cast<std::uint16_t>(random());
    Image const again = find_codec("png").decode(encode_grey_png_16(300, 500, samples), "a.png");
    ASSERT_EQ(again.channels.size(), 1u);
    for (std::size_t i = 0; i < samples.size(); ++i)
        ASSERT_EQ(again.channels[0].values[i], static_cast<float>(samples[i]) / 65535);
}

struct KnownPixel {
    char const* file;
    int width, height;
    std::size_t x, y;
    Transfer transfer;
    std::vector<float> values;
};

TEST(PngCodec, RealFilesGiveTheValuesOfAnIndependentDecoder)
{
    VOLPT_NEED_TEST_DATA(data);
    float const w = 65535;
    std::vector<KnownPixel> const known{
        {"libpng/pngsuite/basn0g16.png", 32, 32, 5, 20, Transfer::linear, {21760 / w}},
        {"libpng/pngsuite/basn2c16.png", 32, 32, 5, 20, Transfer::linear, {54965 / w, 23254 / w, 0}},
        {"libpng/pngsuite/basn6a08.png", 32, 32, 5, 20, Transfer::linear, {3 / 255.f, 1, 127 / 255.f, 41 / 255.f}},
        {"libpng/pngsuite/ibasn6a16.png", 32, 32, 5, 20, Transfer::srgb, {1, 18724 / w, 0, 21141 / w}},
        {"scikit-image/coffee.png", 600, 400, 456, 123, Transfer::srgb, {185 / 255.f, 105 / 255.f, 52 / 255.f}}};
    for (KnownPixel const& pixel : known) {
        Image const image = read_image(data / pixel.file);
        EXPECT_EQ(image.width, pixel.width);
        EXPECT_EQ(image.height, pixel.height);
        EXPECT_EQ(image.transfer, pixel.transfer) << pixel.file;
        ASSERT_EQ(image.channels.size(), pixel.values.size()) << pixel.file;
        for (std::size_t c = 0; c < pixel.values.size(); ++c)
            EXPECT_FLOAT_EQ(image.channels[c].values[pixel.y * static_cast<std::size_t>(image.width) + pixel.x],
                            pixel.values[c])
                << pixel.file;
    }
}

TEST(PngCodec, ShallowAndIndexedRealFilesHaveTheirColours)
{
    VOLPT_NEED_TEST_DATA(data);
    for (auto const& [name, colours] : {std::pair{"libpng/pngsuite/basn0g01.png", 2},
                                        {"libpng/pngsuite/basn3p04.png", 15},
                                        {"j750-colorwheel-slices/layer_00.png", 5}}) {
        Image const image = read_image(data / name);
        std::set<std::vector<float>> seen;
        for (std::size_t i = 0; i < image.pixel_count(); ++i) {
            std::vector<float> colour;
            for (Channel const& channel : image.channels) colour.push_back(channel.values[i]);
            seen.insert(colour);
        }
        EXPECT_EQ(std::ssize(seen), colours) << name;
    }
    EXPECT_NE(read_image(data / "scikit-image/logo.png").find("A"), nullptr);
}

TEST(PngCodec, RealBrokenFilesAreRefusedByChunk)
{
    VOLPT_NEED_TEST_DATA(data);
    auto const expect_file_refused = [&](char const* name, std::initializer_list<std::string_view> parts) {
        expect_error(ExitStatus::input, parts, [&] { read_image(data / "libpng/crashers" / name); });
    };
    expect_file_refused("badcrc.png", {"IDAT at offset 33 has a wrong CRC"});
    expect_file_refused("badadler.png", {"incorrect data check"});
    expect_file_refused("huge_IDAT.png", {"IDAT at offset 33 claims"});
}

std::string fixed(double value)
{
    std::string bytes;
    append_u32(bytes, static_cast<std::uint32_t>(static_cast<std::int32_t>(std::lround(value * 65536))));
    return bytes;
}

/// An RGB profile of these primaries (X Y Z of R, G, B) and one tone curve for all.
std::string make_profile(std::string const& description, std::array<double, 9> const& primaries, std::string curve)
{
    std::vector<std::pair<std::string, std::string>> tags;
    std::string text = "desc" + std::string(4, '\0');
    append_u32(text, static_cast<std::uint32_t>(description.size() + 1));
    tags.emplace_back("desc", text + description + std::string(79, '\0'));
    for (std::size_t i = 0; i < 3; ++i) {
        std::string const letter(1, "rgb"[i]);
        std::string xyz = "XYZ " + std::string(4, '\0');
        for (std::size_t j = 0; j < 3; ++j) xyz += fixed(primaries[3 * i + j]);
        tags.emplace_back(letter + "XYZ", xyz);
        tags.emplace_back(letter + "TRC", curve);
    }
    std::string head(128, '\0'), table, data;
    head.replace(8, 1, "\2");
    head.replace(12, 12, "mntrRGB XYZ ");
    head.replace(36, 4, "acsp");
    head.replace(68, 12, fixed(0.9642) + fixed(1) + fixed(0.8249));
    append_u32(table, static_cast<std::uint32_t>(tags.size()));
    for (auto const& [name, bytes] : tags) {
        table += name;
        append_u32(table, static_cast<std::uint32_t>(132 + 12 * tags.size() + data.size()));
        append_u32(table, static_cast<std::uint32_t>(bytes.size()));
        data += bytes;
    }
    std::string size;
    append_u32(size, static_cast<std::uint32_t>(head.size() + table.size() + data.size()));
    head.replace(0, 4, size);
    return head + table + data;
}

constexpr std::array<double, 9> kSrgbPrimaries{0.43607, 0.22249, 0.01392, 0.38515, 0.71687,
                                               0.09708, 0.14307, 0.06061, 0.7141};
[[maybe_unused]] constexpr std::array<double, 9> kAdobePrimaries{0.60974, 0.31111, 0.01947, 0.20528, 0.62567,
                                                                 0.06087, 0.14919, 0.06322, 0.74457};

std::string srgb_curve()
{
    std::string curve = "para" + std::string(5, '\0') + "\x03" + std::string(2, '\0');
    for (double const value : {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045}) curve += fixed(value);
    return curve;
}

[[maybe_unused]] std::string gamma_curve(double gamma)
{
    std::string curve = "curv" + std::string(7, '\0') + "\x01";
    curve += static_cast<char>(static_cast<int>(gamma));
    return curve + static_cast<char>(static_cast<int>(gamma * 256) % 256) + std::string(2, '\0');
}

/// What becomes of a grey PNG of one pixel with this profile.
Image read_with_profile(std::string const& profile)
{
    Image image = decode_text(
        kSignature + make_header(1, 1, 8, 2) + make_chunk("iCCP", std::string("name\0\0", 6) + deflate_all(profile)) +
        make_chunk("IDAT", deflate_all(std::string("\0\x80\x40\x20", 4))) + make_chunk("IEND", ""));
    apply_profile(image, "made.png");
    return image;
}

TEST(PngCodec, ProfilesOfSrgbLeaveTheValuesAlone)
{
    Image const image = read_with_profile(make_profile("anything", kSrgbPrimaries, srgb_curve()));
    EXPECT_TRUE(image.notices.empty());
    EXPECT_EQ(image.find("R")->values[0], 128.0f / 255);
    EXPECT_EQ(image.transfer_source, TransferSource::file);
}

TEST(PngCodec, ProfilesCanBeIgnored)
{
    std::string const file = kSignature + make_header(1, 1, 8, 2) +
                             make_chunk("iCCP", std::string("name\0\0", 6) +
                                                    deflate_all(make_profile("Wide", kAdobePrimaries, srgb_curve()))) +
                             make_chunk("IDAT", deflate_all(std::string("\0\x80\x40\x20", 4))) + make_chunk("IEND", "");
    Image const image = decode_image(to_bytes(file), "made.png", {}, ProfileUse::ignored);
    EXPECT_EQ(image.find("R")->values[0], 128.0f / 255);
    EXPECT_EQ(image.find("B")->values[0], 32.0f / 255);
    EXPECT_TRUE(image.profile.has_value());
    EXPECT_TRUE(image.notices.empty());
}

#if VOLPT_TEST_LCMS2
TEST(PngCodec, OtherProfilesAreAppliedWhateverTheyCallThemselves)
{
    Image const wide = read_with_profile(make_profile("Wide (1998)", kAdobePrimaries, gamma_curve(2.2)));
    ASSERT_EQ(wide.notices.size(), 1u);
    expect_contains(wide.notices[0], {"made.png is converted", "'Wide (1998)'"});
    EXPECT_NEAR(wide.find("R")->values[0], 146.0f / 255, 3.0f / 255);
    EXPECT_NE(read_with_profile(make_profile("sRGB", kAdobePrimaries, srgb_curve())).find("R")->values[0],
              128.0f / 255);
}
#endif

TEST(PngCodec, DamagedProfilesDoNoHarm)
{
    std::string const whole = make_profile("sRGB", kSrgbPrimaries, srgb_curve());
    for (std::size_t size = 0; size + 40 < whole.size(); size += 7)
        EXPECT_EQ(read_with_profile(whole.substr(0, size)).notices.size(), 1u) << size;
    for (std::size_t at = 128; at < whole.size(); at += 3) {
        std::string flipped = whole;
        flipped[at] = static_cast<char>(flipped[at] ^ 0xff);
        EXPECT_LE(read_with_profile(flipped).notices.size(), 1u);
    }
    auto const named = read_with_profile("no profile").notices;
    ASSERT_EQ(named.size(), 1u);
    expect_contains(named[0], {"'name'", "is ignored", "taken as sRGB", "convert 'made.png'", "-profile"});
}

} // namespace
} // namespace volpt::test
