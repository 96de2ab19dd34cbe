// Pictures with a palette as PNG has them: an index a pixel, and the colours of the indices.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace volpt {

struct IndexedPicture {
    std::size_t width, height;
    std::span<std::uint8_t> indices; ///< width * height, top row first
};

/// Fills picture.indices from a PNG of that size with a palette, not interlaced, and returns the colours, 0xRRGGBBAA;
/// opaque black behind the palette's end. Checked as read_image checks a PNG, without any conversion; from any thread.
/// Error (input).
std::array<std::uint32_t, 256> decode_png_indices(std::span<std::byte const> file, std::string const& where,
                                                  IndexedPicture const& picture);

} // namespace volpt
