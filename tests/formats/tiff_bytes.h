// Writes TIFF and BMP files for tests, by means of its own (no code of the reader): headers first, pixels last.
#pragma once

#include "tests/formats/slice_samples.h"

#include <map>

namespace volpt {

struct TiffSample {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::uint32_t channels = 1;
    std::uint32_t bits = 8;
    std::string pixels = {};        ///< row by row, little-endian; of tiles, each whole
    std::uint32_t strip_rows = 0;   ///< 0: one strip
    std::uint32_t tile_edge = 0;    ///< 0: strips
    std::uint32_t planar = 1;       ///< 2: a plane after the other
    std::uint32_t photometric = 99; ///< 99: 1 (0 is black) for grey, 2 (RGB) for colour
    std::uint32_t sample_format = 1;
    std::uint32_t subfile = 0;
    std::string description = {};
    std::uint32_t orientation = 1;
    /// Further tags with numbers of type LONG; RATIONAL, by pairs, if they are 282 or 283.
    std::map<std::uint32_t, std::vector<std::uint32_t>> tags = {};
    std::uint32_t layers = 1; ///< of tiles, those of the first before those of the second
};

/// TIFF 6.0, little-endian, uncompressed: all directories, then what they point to.
inline std::string make_tiff(std::vector<TiffSample> const& pages)
{
    // All pages have as many further tags as the first.
    auto const entries = static_cast<std::uint32_t>(15 + pages.front().tags.size());
    std::uint32_t const directory_bytes = 2 + 12 * entries + 4;
    auto const first_free = static_cast<std::uint32_t>(8 + directory_bytes * pages.size());
    std::string directories;
    std::string rest;
    auto const place = [&](std::string const& bytes) {
        auto const at = first_free + static_cast<std::uint32_t>(rest.size());
        rest += bytes;
        return at;
    };
    std::map<std::uint32_t, std::string> sorted;
    auto const entry = [&](std::uint32_t tag, std::uint32_t type, std::uint32_t count, std::uint32_t value) {
        sorted[tag] = le(tag, 2) + le(type, 2) + le(count, 4) + le(value, 4);
    };
    /// Numbers of 2 (type 3) or 4 bytes (type 4), in the entry where they fit.
    auto const numbers = [&](std::uint32_t tag, std::uint32_t type, std::vector<std::uint32_t> const& values) {
        std::string bytes;
        for (auto const value : values) bytes += le(value, type == 3 ? 2 : 4);
        bool const fits = bytes.size() <= 4;
        bytes.resize(bytes.size() < 4 ? 4 : bytes.size());
        std::uint32_t inside = 0;
        for (std::size_t i = 4; i-- > 0;) inside = inside << 8 | static_cast<unsigned char>(bytes[i]);
        entry(tag, type, static_cast<std::uint32_t>(values.size()), fits ? inside : place(bytes));
    };
    for (std::size_t i = 0; i < pages.size(); ++i) {
        TiffSample const& page = pages[i];
        std::uint32_t const tile = page.tile_edge;
        std::uint32_t const rows = page.strip_rows == 0 ? page.height : page.strip_rows;
        std::uint32_t const planes = page.planar == 2 ? page.channels : 1;
        std::uint32_t const chunks =
            tile > 0 ? page.layers * ((page.width + tile - 1) / tile) * ((page.height + tile - 1) / tile)
                     : (page.height + rows - 1) / rows;
        std::uint32_t const row_bytes = (page.width * page.bits * page.channels / planes + 7) / 8;
        std::uint32_t const tile_bytes = tile * tile * page.bits / 8 * page.channels / planes;
        auto const first_pixel = place(page.pixels);
        std::vector<std::uint32_t> offsets;
        std::vector<std::uint32_t> counts;
        for (std::uint32_t chunk = 0, at = first_pixel; chunk < chunks * planes; ++chunk) {
            std::uint32_t const in_plane = chunk % chunks;
            counts.push_back(tile > 0 ? tile_bytes : row_bytes * std::min(rows, page.height - in_plane * rows));
            offsets.push_back(at);
            at += counts.back();
        }
        std::uint32_t const grey_or_rgb = page.channels > 2 ? 2 : 1;
        directories += le(entries, 2);
        numbers(254, 4, {page.subfile});
        numbers(256, 4, {page.width});
        numbers(257, 4, {page.height});
        numbers(258, 3, std::vector<std::uint32_t>(page.channels, page.bits));
        numbers(259, 3, {1});
        numbers(262, 3, {page.photometric == 99 ? grey_or_rgb : page.photometric});
        auto const text = page.description + std::string(4, '\0');
        entry(270, 2, static_cast<std::uint32_t>(text.size()), place(text));
        if (tile == 0) numbers(273, 4, offsets);
        numbers(274, 3, {page.orientation});
        numbers(277, 3, {page.channels});
        if (tile == 0) numbers(278, 4, {rows});
        if (tile == 0) numbers(279, 4, counts);
        numbers(284, 3, {page.planar});
        if (tile > 0) {
            numbers(322, 4, {tile});
            numbers(323, 4, {tile});
            numbers(324, 4, offsets);
        }
        if (tile > 0) numbers(325, 4, counts);
        bool const has_alpha = page.channels % 2 == 0;
        if (has_alpha) numbers(338, 3, {2});
        if (tile == 0) numbers(339, 3, {page.sample_format});
        if (!has_alpha) numbers(65000, 3, {0}); // a private tag, for a constant count
        for (auto const& [tag, values] : page.tags) {
            std::string bytes;
            for (auto const value : values) bytes += le(value, 4);
            if (tag == 282 || tag == 283)
                entry(tag, 5, static_cast<std::uint32_t>(values.size() / 2), place(bytes));
            else
                numbers(tag, 4, values);
        }
        for (auto const& [tag, bytes] : sorted) directories += bytes;
        sorted.clear();
        bool const is_last = i + 1 == pages.size();
        directories += le(is_last ? 0 : static_cast<std::uint32_t>(8 + directory_bytes * (i + 1)), 4);
    }
    return std::string("II*\0", 4) + le(8, 4) + directories + rest;
}

/// Rows from the top, B G R (A) or palette indices as they are stored; `palette` is B G R 0 a colour.
inline std::string make_bmp(std::uint32_t width, std::uint32_t height, std::uint32_t bits, std::string const& rows,
                            std::string const& palette = {})
{
    std::size_t const row = width * bits / 8;
    std::string pixels;
    for (std::size_t y = height; y-- > 0;) {
        pixels += rows.substr(y * row, row);
        pixels.append((4 - row % 4) % 4, '\0');
    }
    auto const first_pixel = static_cast<std::uint32_t>(54 + palette.size());
    return "BM" + le(first_pixel + static_cast<std::uint32_t>(pixels.size()), 4) + le(0, 4) + le(first_pixel, 4) +
           le(40, 4) + le(width, 4) + le(height, 4) + le(1, 2) + le(bits, 2) + le(0, 4) + le(0, 4) + le(0, 4) +
           le(0, 4) + le(0, 4) + le(0, 4) + palette + pixels;
}

} // namespace volpt
