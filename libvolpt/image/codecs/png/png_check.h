// Structure of a PNG file, checked with checksums and scanlines.
//
// ISO/IEC 15948 (PNG, second edition).
#pragma once

#include "libvolpt/image/image.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace volpt {

enum class PngColour : std::uint8_t { grey = 0, rgb = 2, palette = 3, grey_alpha = 4, rgb_alpha = 6 };

struct PngHeader {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    unsigned bit_depth = 0; ///< of a sample or palette index
    PngColour colour = PngColour::grey;
    bool interlaced = false;

    unsigned samples_per_pixel() const;
};

struct PngSummary {
    PngHeader header;
    std::uint32_t palette_entries = 0;
    std::span<std::byte const> palette;                    ///< PLTE: R, G, B each, a view into the file
    std::span<std::byte const> transparency;               ///< tRNS; of a palette, alpha of its first entries
    bool states_transfer = false;                          ///< has one of gAMA, sRGB, iCCP
    bool is_linear = false;                                ///< gAMA is 1.0 and there is no sRGB or iCCP
    std::optional<ColourProfile> profile;                  ///< of iCCP
    std::vector<std::pair<std::string, std::string>> text; ///< tEXt and uncompressed iTXt, in order, as UTF-8
    std::vector<std::span<std::byte const>> compressed;    ///< the IDAT chunks' data, views into the file
};

bool is_png(std::span<std::byte const> file);

/// Signature, IHDR, every chunk's bounds, order and CRC-32, IEND; bytes after IEND are ignored, as in decoders. Error
/// (input) names chunk and offset.
PngSummary check_png_chunks(std::span<std::byte const> file, std::string const& where);

/// A line of a picture, or of a pass of one that is interlaced: pixels first_column + i * column_step of `row`.
struct PngScanline {
    std::size_t row;
    std::size_t first_column;
    std::size_t column_step;
    std::size_t pixels;
    std::span<unsigned char const> packed; ///< samples or indices as PNG packs them, without filter
};
using ScanlineSink = std::function<void(PngScanline const&)>;

/// Inflates all IDAT data in a small buffer. They must have a right Adler-32, exactly the scanlines that IHDR
/// announces, filter types 0 to 4, and palette indices below the number of entries. Error (input) otherwise. `sink`, if
/// any, gets the lines as they come.
void check_png_scanlines(PngSummary const& summary, std::string const& where, ScanlineSink const& sink = {});

} // namespace volpt
