// Writes signature, IHDR, one IDAT and IEND (ISO/IEC 15948); zlib compresses.
#include "libvolpt/image/codecs/png_wide.h"

#include "libvolpt/sys/error.h"

#include <climits>
#include <fmt/format.h>
#include <string_view>
#include <zlib.h>

namespace volpt {
namespace {

void append_u32(std::vector<std::byte>& to, std::uint32_t value)
{
    for (int shift = 24; shift >= 0; shift -= 8) to.push_back(static_cast<std::byte>(value >> shift));
}

void append_text(std::vector<std::byte>& to, std::string_view text)
{
    for (char const letter : text) to.push_back(static_cast<std::byte>(letter));
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

/// Rows of filter type 2 (Up): bytes less those above, which are 0 over the first row.
std::vector<std::byte> filter_rows(std::size_t width, std::size_t height, std::span<std::uint16_t const> samples)
{
    std::vector<std::byte> lines;
    lines.reserve(height * (1 + 2 * width));
    for (std::size_t y = 0; y < height; ++y) {
        lines.push_back(std::byte{2});
        for (std::size_t x = 0; x < width; ++x) {
            unsigned const here = samples[y * width + x];
            unsigned const above = y == 0 ? 0 : samples[(y - 1) * width + x];
            lines.push_back(static_cast<std::byte>((here >> 8) - (above >> 8)));
            lines.push_back(static_cast<std::byte>(here - above));
        }
    }
    return lines;
}

} // namespace

std::vector<std::byte> encode_grey_png_16(int width, int height, std::span<std::uint16_t const> samples)
{
    auto const lines = filter_rows(static_cast<std::size_t>(width), static_cast<std::size_t>(height), samples);
    uLongf packed_bytes = compressBound(static_cast<uLong>(lines.size()));
    if (packed_bytes > INT_MAX)
        fail_usage(fmt::format("{} x {} pixels are too many for a PNG", width, height), "write .nrrd");
    std::vector<std::byte> packed(packed_bytes);
    if (compress2(reinterpret_cast<Bytef*>(packed.data()), &packed_bytes, reinterpret_cast<Bytef const*>(lines.data()),
                  static_cast<uLong>(lines.size()), 6) != Z_OK)
        fail_system("the PNG encoder failed", "zlib");
    packed.resize(packed_bytes);

    std::vector<std::byte> header;
    append_u32(header, static_cast<std::uint32_t>(width));
    append_u32(header, static_cast<std::uint32_t>(height));
    for (int const fact : {16, 0, 0, 0, 0}) header.push_back(static_cast<std::byte>(fact)); // depth, grey, methods 0
    std::vector<std::byte> file;
    append_text(file, "\x89PNG\r\n\x1a\n");
    append_chunk(file, "IHDR", header);
    append_chunk(file, "IDAT", packed);
    append_chunk(file, "IEND", {});
    return file;
}

} // namespace volpt
