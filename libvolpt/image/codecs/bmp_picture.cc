#include "libvolpt/image/codecs/bmp_picture.h"

#include "libvolpt/image/codecs/codec.h"
#include "libvolpt/sys/error.h"

#include <climits>
#include <fmt/format.h>
#include <memory>
#include <stb/stb_image.h>

namespace volpt {
namespace {

constexpr std::size_t kFileHeaderBytes = 14;

struct Layout {
    BmpHeader header;
    unsigned bits = 0;             ///< per pixel
    std::size_t first_pixel = 0;   ///< offset of the pixels
    std::size_t palette_begin = 0; ///< offset of the palette
    std::size_t colours = 0;       ///< of the palette; 0: there is none

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
    layout.bits = read_le(head, 28, 2);
    layout.first_pixel = read_le(head, 10, 4);
    layout.palette_begin = kFileHeaderBytes + header_bytes;
    std::uint32_t const compression = read_le(head, 30, 4);
    bool const has_masks = compression == 3 && layout.bits == 32;
    if (compression != 0 && !has_masks) refuse(fmt::format("its pixels are stored by method {}", compression), where);
    if (layout.bits == 32) layout.header.channels = has_masks ? count_channels(head, header_bytes, where) : 4;
    if (layout.bits == 24 || layout.bits == 32) return layout;

    if (layout.bits != 1 && layout.bits != 4 && layout.bits != 8)
        refuse(fmt::format("{} bits per pixel", layout.bits), where);
    // Counted as stb_image does: all that lies between header and pixels.
    if (layout.first_pixel > layout.palette_begin) layout.colours = (layout.first_pixel - layout.palette_begin) / 4;
    if (layout.colours < 1 || layout.colours > 256 || layout.palette_begin + 4 * layout.colours > head.size())
        refuse(fmt::format("a palette of {} colours", layout.colours), where);
    if (is_grey(head.subspan(layout.palette_begin, 4 * layout.colours))) layout.header.channels = 1;
    return layout;
}

void check_indices(Layout const& layout, std::span<std::byte const> file, std::string const& where)
{
    unsigned const per_byte = 8 / layout.bits;
    unsigned const mask = (1u << layout.bits) - 1;
    for (int row = 0; row < layout.header.height; ++row) {
        auto const line = file.subspan(layout.first_pixel + static_cast<std::size_t>(row) * layout.row_bytes());
        for (unsigned x = 0; x < static_cast<unsigned>(layout.header.width); ++x) {
            unsigned const shift = 8 - layout.bits * (x % per_byte + 1);
            unsigned const index = std::to_integer<unsigned>(line[x / per_byte]) >> shift & mask;
            if (index >= layout.colours)
                refuse(fmt::format("pixel {} of stored row {} has colour {} of {}", x, row, index, layout.colours),
                       where);
        }
    }
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

Image decode_bmp(std::span<std::byte const> file, std::string const& where)
{
    Layout const layout = read_layout(file, where);
    std::uint64_t const end =
        layout.first_pixel + std::uint64_t{layout.row_bytes()} * static_cast<std::uint64_t>(layout.header.height);
    if (end > file.size()) refuse(fmt::format("has {} bytes where its pixels end at {}", file.size(), end), where);
    if (file.size() > INT_MAX) refuse("more than 2 GiB of BMP", where);
    if (layout.colours > 0) check_indices(layout, file, where);
    int width = 0, height = 0, stored_channels = 0;
    int const channels = layout.header.channels;
    // Grey of equal R, G, B is that number in stb_image: its weights sum to 256.
    std::unique_ptr<stbi_uc, decltype(&stbi_image_free)> const samples(
        stbi_load_from_memory(reinterpret_cast<stbi_uc const*>(file.data()), static_cast<int>(file.size()), &width,
                              &height, &stored_channels, channels),
        stbi_image_free);
    if (!samples) fail_input(fmt::format("BMP decoder says: {}", stbi_failure_reason()), where, {}, "save it as PNG");
    Image image = make_image(width, height, Transfer::srgb, colour_channel_names(channels));
    image.transfer_source = TransferSource::assumption;
    auto const stride = static_cast<std::size_t>(channels);
    for (std::size_t channel = 0; channel < stride; ++channel)
        for (std::size_t i = 0; i < image.pixel_count(); ++i)
            image.channels[channel].values[i] = static_cast<float>(samples.get()[i * stride + channel]) / 255.0f;
    return image;
}

} // namespace volpt
