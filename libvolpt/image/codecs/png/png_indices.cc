#include "libvolpt/image/codecs/png/png_indices.h"

#include "libvolpt/image/codecs/png/png_check.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <fmt/format.h>

namespace volpt {
namespace {

std::array<std::uint32_t, 256> list_colours(PngSummary const& summary)
{
    std::array<std::uint32_t, 256> colours;
    colours.fill(0xffu);
    for (std::size_t i = 0; i < summary.palette_entries; ++i) {
        auto const part = [&](std::size_t channel) {
            return std::to_integer<std::uint32_t>(summary.palette[3 * i + channel]);
        };
        bool const has_alpha = i < summary.transparency.size();
        auto const alpha = has_alpha ? std::to_integer<std::uint32_t>(summary.transparency[i]) : 0xffu;
        colours[i] = part(0) << 24 | part(1) << 16 | part(2) << 8 | alpha;
    }
    return colours;
}

} // namespace

std::array<std::uint32_t, 256> decode_png_indices(std::span<std::byte const> file, std::string const& where,
                                                  IndexedPicture const& picture)
{
    PngSummary const summary = check_png_chunks(file, where);
    PngHeader const& header = summary.header;
    if (header.width != picture.width || header.height != picture.height || header.interlaced ||
        header.colour != PngColour::palette)
        fail_input(fmt::format("is no picture of {} x {} pixels with a palette, not interlaced", picture.width,
                               picture.height),
                   where);
    unsigned const depth = header.bit_depth;
    check_png_scanlines(summary, where, [&](PngScanline const& line) {
        auto const to = picture.indices.subspan(line.row * picture.width, picture.width);
        auto const packed = line.packed;
        if (depth == 8) {
            std::ranges::copy(packed, to.begin());
            return;
        }
        for (std::size_t x = 0; x < picture.width; ++x) {
            std::size_t const shift = 8 - depth - x * depth % 8;
            to[x] = static_cast<std::uint8_t>(packed[x * depth / 8] >> shift & ((1u << depth) - 1));
        }
    });
    return list_colours(summary);
}

} // namespace volpt
