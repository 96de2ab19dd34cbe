// PNG: png_check.h checks a file while png_pixels.h decodes it; png_lines.h filters and compresses what is written.
#include "libvolpt/image/codecs/codec.h"
#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/image/codecs/png/png_check.h"
#include "libvolpt/image/codecs/png/png_lines.h"
#include "libvolpt/image/codecs/png/png_pixels.h"
#include "libvolpt/image/displayed.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <array>
#include <climits>
#include <cmath>
#include <fmt/format.h>
#include <zlib.h>

namespace volpt {
namespace {

/// Blank slices of a print compress by 1000 and more. The scanline check then finds whether the data inflate to that
/// size.
constexpr SizeBound kPngBound{.floor_bytes = 1ull << 30, .ratio = 8192};

StoredImage decode_png(std::span<std::byte const> file, std::string const& where, PictureMemory const& memory,
                       SampleForm form)
{
    PngSummary summary = check_png_chunks(file, where);
    PngHeader const& header = summary.header;
    check_decoded_size(
        {header.width, header.height, count_png_channels(summary), 0, count_value_bytes(form, find_png_depth(header))},
        file.size(), kPngBound, memory, where);
    StoredImage image = decode_png_pixels(summary, where, form);
    Image& description = image.description;
    description.transfer = summary.is_linear ? Transfer::linear : Transfer::srgb;
    description.transfer_source = summary.states_transfer ? TransferSource::file : TransferSource::assumption;
    description.metadata = std::move(summary.text);
    if (image.find("A") != nullptr) set_alpha_form(description, AlphaForm::straight);
    description.profile = std::move(summary.profile);
    return image;
}

void append_u32(std::vector<std::byte>& to, std::uint32_t value)
{
    for (int shift = 24; shift >= 0; shift -= 8) to.push_back(static_cast<std::byte>(value >> shift));
}

void append_text(std::vector<std::byte>& to, std::string_view text)
{
    for (char const letter : text) to.push_back(static_cast<std::byte>(letter));
}

std::span<std::byte const> as_bytes(std::string_view text)
{
    return std::as_bytes(std::span(text));
}

void append_chunk(std::vector<std::byte>& to, std::string_view type, std::span<std::byte const> data)
{
    append_u32(to, static_cast<std::uint32_t>(data.size()));
    std::size_t const covered = to.size();
    append_text(to, type);
    to.insert(to.end(), data.begin(), data.end());
    auto const* const begin = reinterpret_cast<Bytef const*>(to.data() + covered);
    append_u32(to, static_cast<std::uint32_t>(crc32_z(0, begin, to.size() - covered)));
}

/// The transfer as sRGB or gAMA chunk, metadata as iTXt chunks: what goes between IHDR and the image data.
std::vector<std::byte> describe(Image const& image)
{
    using namespace std::string_view_literals;
    std::vector<std::byte> chunks;
    if (image.transfer == Transfer::srgb)
        append_chunk(chunks, "sRGB", as_bytes("\0"sv));
    else
        append_chunk(chunks, "gAMA", as_bytes("\0\1\x86\xa0"sv)); // 100000: exponent 1
    for (auto const& [key, value] : image.metadata) {
        bool const plain = std::ranges::all_of(key, [](unsigned char c) { return c > ' ' && c < 0x7f; });
        if (key.empty() || key.size() > 79 || !plain)
            fail_usage(fmt::format("'{}' cannot name a PNG text", key),
                       "use 1 to 79 printable ASCII characters without spaces");
        append_chunk(chunks, "iTXt", as_bytes(key + std::string("\0\0\0\0\0", 5) + value));
    }
    return chunks;
}

enum class PngKind { y = 0, rgb = 2, ya = 4, rgba = 6 };

/// A file of samples in big-endian order; `chunks` go between header and image data.
std::vector<std::byte> assemble(PngLines const& lines, int bit_depth, PngKind kind, std::span<std::byte const> chunks,
                                int threads)
{
    std::vector<std::byte> header;
    append_u32(header, static_cast<std::uint32_t>(lines.width));
    append_u32(header, static_cast<std::uint32_t>(lines.height));
    for (int const fact : {bit_depth, static_cast<int>(kind), 0, 0, 0}) header.push_back(static_cast<std::byte>(fact));
    std::vector<std::byte> file;
    append_text(file, "\x89PNG\r\n\x1a\n");
    append_chunk(file, "IHDR", header);
    file.insert(file.end(), chunks.begin(), chunks.end());
    append_chunk(file, "IDAT", compress_png_lines(lines, threads));
    append_chunk(file, "IEND", {});
    return file;
}

void check_png_size(std::size_t width, std::size_t height, std::size_t pixel_bytes, std::string_view other_format)
{
    if ((width * pixel_bytes + 1) * height > INT_MAX)
        fail_usage(fmt::format("{} x {} pixels are too many for a PNG", width, height),
                   fmt::format("write {}", other_format));
}

std::vector<std::byte> encode_png(Image const& image, int threads)
{
    std::vector<Channel const*> const channels = pick_colour_channels(image, "PNG");
    auto const width = static_cast<std::size_t>(image.width), height = static_cast<std::size_t>(image.height);
    check_png_size(width, height, channels.size(), ".exr");
    std::vector<std::byte> const samples = quantise_to_bytes(image, channels, threads);
    constexpr PngKind kKinds[] = {PngKind::y, PngKind::ya, PngKind::rgb, PngKind::rgba};
    return assemble({samples, width, height, channels.size()}, 8, kKinds[channels.size() - 1], describe(image),
                    threads);
}

} // namespace

std::vector<std::byte> encode_grey_png_16(int width, int height, std::span<std::uint16_t const> samples)
{
    auto const columns = static_cast<std::size_t>(width), rows = static_cast<std::size_t>(height);
    check_png_size(columns, rows, 2, ".nrrd");
    std::vector<std::byte> bytes;
    bytes.reserve(2 * samples.size());
    for (std::uint16_t const sample : samples) {
        bytes.push_back(static_cast<std::byte>(sample >> 8));
        bytes.push_back(static_cast<std::byte>(sample & 0xff));
    }
    return assemble({bytes, columns, rows, 2}, 16, PngKind::y, {}, 1);
}

std::vector<std::byte> encode_rgba_png(int width, int height, std::span<std::byte const> samples,
                                       std::array<double, 2> pitch_mm)
{
    auto const columns = static_cast<std::size_t>(width), rows = static_cast<std::size_t>(height);
    check_png_size(columns, rows, 4, "smaller slices");
    std::vector<std::byte> density;
    for (double const pitch : pitch_mm) {
        constexpr double kMmPerMetre = 1000;
        append_u32(density, static_cast<std::uint32_t>(std::clamp(std::round(kMmPerMetre / pitch), 1.0, 2147483647.0)));
    }
    density.push_back(std::byte{1}); // pixels per metre
    std::vector<std::byte> chunks;
    append_chunk(chunks, "pHYs", density);
    return assemble({samples, columns, rows, 4}, 8, PngKind::rgba, chunks, 1);
}

extern constinit Codec const png_codec{"png", ".png", is_png, decode_png, encode_png, Transfer::srgb};

} // namespace volpt
