#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace volpt {

/// 8-bit samples, pixel by pixel, top row first.
struct JpegSamples {
    int width;
    int height;
    int channels; ///< 1 (Y) or 3 (R, G, B)
    std::span<std::byte const> bytes;
};

/// A whole JFIF file (ISO/IEC 10918-1), colours not subsampled: by libjpeg-turbo, or by the slower
/// stb_image_write in builds without it.
std::vector<std::byte> encode_jpeg(JpegSamples const& samples, int quality);

} // namespace volpt
