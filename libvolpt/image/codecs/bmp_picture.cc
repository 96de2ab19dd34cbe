#include "libvolpt/image/codecs/bmp_picture.h"

#include "libvolpt/image/codecs/codec.h"
#include "libvolpt/sys/error.h"

#include <array>
#include <fmt/format.h>

namespace volpt {
namespace {

constexpr std::size_t kFileHeaderBytes = 14;

struct Layout {
    BmpHeader header;
    unsigned bits = 0;             ///< per pixel
    std::size_t first_pixel = 0;   ///< offset of the pixels
    std::size_t palette_begin = 0; ///< offset of the palette
    std::size_t colours = 0;       ///< of the palette; 0: there is none
    bool is_top_down = false;      ///< the first stored row is the uppermost

    std::size_t row_bytes() const { return (static_cast<std::size_t>(header.width) * bits + 31) / 32 * 4; }
};

std::uint32_t read_le(std::span<std::byte const> bytes, std::size_t at, int size_bytes)
{
    std::uint32_t value = 0;
    for (int i = size_bytes; i-- > 0;)
        value = value << 8 | std::to_integer<std::uint32_t>(bytes[at + static_cast<std::size_t>(i)]);
    return value;
}

[[noreturn]] void refuse(std::string const& what, std::string const& where)
{
    fail_input(what, where, "BMP is read uncompressed, with a palette or 8 bits per channel",
               "save it as such, or as PNG");
}

/// The masks of 32-bit pixels follow the first 40 bytes of the header, inside it (V4, V5) or after it.
int count_channels(std::span<std::byte const> head, std::uint32_t header_bytes, std::string const& where)
{
    constexpr std::size_t kMasks = kFileHeaderBytes + 40;
    if (head.size() < kMasks + 16) refuse("ends inside its header", where);
    std::uint32_t const alpha = header_bytes == 40 ? 0 : read_le(head, kMasks + 12, 4);
    bool const is_bgr = read_le(head, kMasks, 4) == 0xff0000 && read_le(head, kMasks + 4, 4) == 0xff00 &&
                        read_le(head, kMasks + 8, 4) == 0xff;
    if (!is_bgr || (alpha != 0 && alpha != 0xff000000)) refuse("its channels are in an unusual order", where);
    return alpha == 0 ? 3 : 4;
}

bool is_grey(std::span<std::byte const> palette)
{
    for (std::size_t i = 0; i + 4 <= palette.size(); i += 4)
        if (palette[i] != palette[i + 1] || palette[i] != palette[i + 2]) return false;
    return true;
}

Layout read_layout(std::span<std::byte const> head, std::string const& where)
{
    if (!is_bmp(head) || head.size() < kFileHeaderBytes + 40)
        refuse("is no BMP file, or ends inside its header", where);
    std::uint32_t const header_bytes = read_le(head, 14, 4);
    if (header_bytes != 40 && header_bytes != 108 && header_bytes != 124)
        refuse(fmt::format("its header has {} bytes", header_bytes), where);
    auto const width = static_cast<std::int32_t>(read_le(head, 18, 4));
    auto const height = static_cast<std::int32_t>(read_le(head, 22, 4)); // negative: the top row is first
    if (width < 1 || width > 65535 || height == 0 || height < -65535 || height > 65535)
        refuse(fmt::format("{} x {} pixels", width, height), where);
    Layout layout;
    layout.header = {width, std::abs(height), 3};
    layout.is_top_down = height < 0;
    layout.bits = read_le(head, 28, 2);
    layout.first_pixel = read_le(head, 10, 4);
    layout.palette_begin = kFileHeaderBytes + header_bytes;
    std::uint32_t const compression = read_le(head, 30, 4);
    bool const has_masks = compression == 3 && layout.bits == 32;
    if (compression != 0 && !has_masks) refuse(fmt::format("its pixels are stored by method {}", compression), where);
    if (layout.bits == 32) layout.header.channels = has_masks ? count_channels(head, header_bytes, where) : 3;
    if (layout.bits == 24 || layout.bits == 32) return layout;

    if (layout.bits != 1 && layout.bits != 4 && layout.bits != 8)
        refuse(fmt::format("{} bits per pixel", layout.bits), where);
    // All that lies between header and pixels.
    if (layout.first_pixel > layout.palette_begin) layout.colours = (layout.first_pixel - layout.palette_begin) / 4;
    if (layout.colours < 1 || layout.colours > 256 || layout.palette_begin + 4 * layout.colours > head.size())
        refuse(fmt::format("a palette of {} colours", layout.colours), where);
    if (is_grey(head.subspan(layout.palette_begin, 4 * layout.colours))) layout.header.channels = 1;
    return layout;
}

/// Where the samples of a line go.
struct BmpRow {
    std::span<std::byte const> stored;
    std::size_t first_pixel; ///< in the image
    std::size_t number;      ///< as stored
    std::string const& where;
};

/// Blue, green, red and alpha follow each other.
void take_colours(Layout const& layout, BmpRow const& row, StoredImage& image)
{
    constexpr std::array<std::size_t, 4> kPlaces{2, 1, 0, 3};
    std::size_t const stride = layout.bits / 8;
    for (std::size_t c = 0; c < image.channels.size(); ++c)
        image.channels[c].put(
            row.first_pixel, 1, static_cast<std::size_t>(image.width()), CodeDepth::bits_8,
            [&](std::size_t x) { return std::to_integer<unsigned>(row.stored[x * stride + kPlaces[c]]); });
}

/// A colour of a palette has four bytes: blue, green, red and one that is unused.
void take_indices(Layout const& layout, std::span<std::byte const> palette, BmpRow const& row, StoredImage& image)
{
    unsigned const per_byte = 8 / layout.bits;
    unsigned const mask = (1u << layout.bits) - 1;
    for (std::size_t c = 0; c < image.channels.size(); ++c)
        image.channels[c].put(
            row.first_pixel, 1, static_cast<std::size_t>(image.width()), CodeDepth::bits_8, [&](std::size_t x) {
                unsigned const shift = 8 - layout.bits * (static_cast<unsigned>(x % per_byte) + 1);
                unsigned const index = std::to_integer<unsigned>(row.stored[x / per_byte]) >> shift & mask;
                if (index >= layout.colours)
                    refuse(fmt::format("pixel {} of stored row {} has colour {} of {}", x, row.number, index,
                                       layout.colours),
                           row.where);
                return std::to_integer<unsigned>(palette[4 * index + 2 - c]);
            });
}

} // namespace

bool is_bmp(std::span<std::byte const> file)
{
    return file.size() > 18 && read_le(file, 0, 2) == 0x4d42 && read_le(file, 6, 4) == 0;
}

BmpHeader read_bmp_header(std::span<std::byte const> head, std::string const& where)
{
    return read_layout(head, where).header;
}

StoredImage decode_bmp(std::span<std::byte const> file, std::string const& where, PictureMemory const& memory,
                       SampleForm form)
{
    Layout const layout = read_layout(file, where);
    auto const width = static_cast<std::size_t>(layout.header.width);
    auto const height = static_cast<std::size_t>(layout.header.height);
    std::uint64_t const end = layout.first_pixel + std::uint64_t{layout.row_bytes()} * height;
    if (end > file.size()) refuse(fmt::format("has {} bytes where its pixels end at {}", file.size(), end), where);
    check_picture_memory({width, height, static_cast<std::uint64_t>(layout.header.channels), 0,
                          count_value_bytes(form, CodeDepth::bits_8)},
                         file.size(), memory, where);
    StoredImage image(layout.header.width, layout.header.height, colour_channel_names(layout.header.channels), form,
                      CodeDepth::bits_8);
    for (StoredChannel& channel : image.channels) channel.resize(width * height);
    auto const palette = file.subspan(layout.palette_begin, 4 * layout.colours);
    for (std::size_t stored = 0; stored < height; ++stored) {
        std::size_t const y = layout.is_top_down ? stored : height - 1 - stored;
        BmpRow const row{file.subspan(layout.first_pixel + stored * layout.row_bytes(), layout.row_bytes()), y * width,
                         stored, where};
        if (layout.colours > 0)
            take_indices(layout, palette, row, image);
        else
            take_colours(layout, row, image);
    }
    return image;
}

} // namespace volpt
