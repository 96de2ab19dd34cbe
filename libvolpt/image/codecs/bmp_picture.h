// Windows bitmaps (.bmp), read only.
//
// Microsoft, Bitmap Storage (BITMAPINFOHEADER, BITMAPV4HEADER, BITMAPV5HEADER).
#pragma once

#include "libvolpt/image/codecs/picture_memory.h"
#include "libvolpt/image/image.h"
#include "libvolpt/image/stored_image.h"

#include <cstddef>
#include <span>
#include <string>

namespace volpt {

/// The most bytes that a file can have before its pixels.
inline constexpr std::size_t kBmpHeadBytes = 14 + 124 + 4 * 256;

struct BmpHeader {
    int width = 0;
    int height = 0;
    int channels = 0; ///< 1: a palette of greys; 3; 4: 32 bits per pixel with a mask of alpha
};

bool is_bmp(std::span<std::byte const> file);

/// From the first kBmpHeadBytes of a file, or all of a shorter one. Error (input) unless the file is uncompressed, with
/// a palette (1, 4, 8 bits) or with 24 or 32 bits per pixel in the order B G R (A). The fourth byte
/// is alpha if the header says so (method 3, BI_BITFIELDS, with a mask); else it is unused.
BmpHeader read_bmp_header(std::span<std::byte const> head, std::string const& where);

/// Channels Y, R G B or R G B A, code / 255, sRGB by assumption. Error (input) also if pixels are missing or have
/// indices beyond the palette.
StoredImage decode_bmp(std::span<std::byte const> file, std::string const& where, PictureMemory const& memory = {},
                       SampleForm form = SampleForm::floats);

} // namespace volpt
