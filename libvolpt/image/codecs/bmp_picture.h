// Windows bitmaps (.bmp), read only: header, palette and pixel indices are checked before stb_image decodes them.
//
// Microsoft, Bitmap Storage (BITMAPINFOHEADER, BITMAPV4HEADER, BITMAPV5HEADER).
#pragma once

#include "libvolpt/image/image.h"

#include <cstddef>
#include <span>
#include <string>

namespace volpt {

/// Bytes of a file that hold everything before the pixels.
inline constexpr std::size_t kBmpHeadBytes = 14 + 124 + 4 * 256;

struct BmpHeader {
    int width = 0;
    int height = 0;
    int channels = 0; ///< 1: a palette of greys; 3; 4: 32 bits a pixel, whose fourth byte is alpha if any is not 0
};

bool is_bmp(std::span<std::byte const> file);

/// From the first kBmpHeadBytes of a file, or all of a shorter one. Error (input) for what is not uncompressed with a
/// palette (1, 4, 8 bits) or 24 or 32 bits a pixel in the order B G R (A).
BmpHeader read_bmp_header(std::span<std::byte const> head, std::string const& where);

/// Channels Y, R G B or R G B A, code / 255, sRGB by assumption. Error (input) besides if pixels are missing or name
/// colours that the palette has not (stb_image 2.27 reads memory that was never set for those).
Image decode_bmp(std::span<std::byte const> file, std::string const& where);

} // namespace volpt
