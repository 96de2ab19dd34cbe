// The scanlines of a PNG as a zlib stream: filtered, and compressed in stripes that are independent pieces of work.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace volpt {

struct PngLines {
    std::span<std::byte const> samples; ///< [row][column], pixel_bytes each, as the file has them
    std::size_t width, height, pixel_bytes;
};

/// The data of IDAT. Each line has the filter whose result has the smallest sum of absolute values (as the PNG
/// specification suggests). Stripes of a fixed number of lines, each with the window of the one before, are compressed
/// on up to `threads` threads and joined, as pigz does: one stream, with the same bytes for any number of threads.
std::vector<std::byte> compress_png_lines(PngLines const& lines, int threads);

} // namespace volpt
