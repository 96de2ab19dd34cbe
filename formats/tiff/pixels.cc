#include "formats/tiff/pixels.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>

namespace volpt {
namespace {

void keep_error(char const*, char const* format, va_list arguments)
{
    std::array<char, 300> text{};
    std::vsnprintf(text.data(), text.size(), format, arguments);
    last_tiff_error() = text.data();
}

template <typename Value>
Value get_or(TIFF* tiff, std::uint32_t tag, Value fallback)
{
    Value value{};
    return TIFFGetFieldDefaulted(tiff, tag, &value) == 1 ? value : fallback;
}

class TiffSampleReader {
public:
    TiffSampleReader(TIFF* tiff, TiffSamples const& page, std::string const& where, std::vector<std::byte>& samples)
        : tiff_(tiff), page_(page), where_(where), samples_(samples),
          is_planar_(page.channels > 1 &&
                     get_or<std::uint16_t>(tiff, TIFFTAG_PLANARCONFIG, 0) == PLANARCONFIG_SEPARATE),
          stored_bytes_(is_planar_ ? page.sample_bytes : page.sample_bytes * page.channels),
          pixel_bytes_(page.sample_bytes * page.channels)
    {
    }

    void read()
    {
        samples_.resize(std::size_t{page_.width} * page_.height * pixel_bytes_);
        for (std::uint32_t plane = 0; plane < (is_planar_ ? page_.channels : 1); ++plane)
            TIFFIsTiled(tiff_) != 0 ? read_tiles(static_cast<std::uint16_t>(plane))
                                    : read_strips(static_cast<std::uint16_t>(plane));
    }

private:
    void read_strips(std::uint16_t plane)
    {
        std::uint32_t const rows =
            std::min(get_or<std::uint32_t>(tiff_, TIFFTAG_ROWSPERSTRIP, page_.height), page_.height);
        if (rows == 0) fail_damaged_tiff(where_);
        for (std::uint32_t row = 0; row < page_.height; row += rows) {
            std::size_t const count = std::min(rows, page_.height - row);
            std::size_t const bytes = count * page_.width * stored_bytes_;
            buffer_.resize(bytes);
            auto const strip = TIFFComputeStrip(tiff_, row, plane);
            if (TIFFReadEncodedStrip(tiff_, strip, buffer_.data(), static_cast<tmsize_t>(bytes)) !=
                static_cast<tmsize_t>(bytes))
                fail_damaged_tiff(where_);
            for (std::size_t y = 0; y < count; ++y)
                put(buffer_.data() + y * page_.width * stored_bytes_, page_.width, row + y, 0, plane);
        }
    }

    void read_tiles(std::uint16_t plane)
    {
        auto const width = get_or<std::uint32_t>(tiff_, TIFFTAG_TILEWIDTH, 0);
        auto const height = get_or<std::uint32_t>(tiff_, TIFFTAG_TILELENGTH, 0);
        std::uint64_t const bytes = std::uint64_t{width} * height * stored_bytes_;
        if (width == 0 || height == 0 || width > 65536 || height > 65536 || bytes > (std::uint64_t{1} << 30)) {
            last_tiff_error() = fmt::format("tiles of {} x {}", width, height);
            fail_damaged_tiff(where_);
        }
        buffer_.resize(bytes);
        for (std::uint32_t y = 0; y < page_.height; y += height)
            for (std::uint32_t x = 0; x < page_.width; x += width) {
                auto const tile = TIFFComputeTile(tiff_, x, y, 0, plane);
                if (TIFFReadEncodedTile(tiff_, tile, buffer_.data(), static_cast<tmsize_t>(bytes)) !=
                    static_cast<tmsize_t>(bytes))
                    fail_damaged_tiff(where_);
                for (std::uint32_t row = 0; row < std::min(height, page_.height - y); ++row)
                    put(buffer_.data() + std::size_t{row} * width * stored_bytes_, std::min(width, page_.width - x),
                        y + row, x, plane);
            }
    }

    /// A run of pixels, or of one plane of them, to its place.
    void put(std::byte const* from, std::size_t count, std::size_t y, std::size_t x, std::uint16_t plane)
    {
        std::byte* to = samples_.data() + (y * page_.width + x) * pixel_bytes_;
        if (!is_planar_) {
            std::memcpy(to, from, count * pixel_bytes_);
            return;
        }
        to += plane * stored_bytes_;
        for (std::size_t i = 0; i < count; ++i)
            std::memcpy(to + i * pixel_bytes_, from + i * stored_bytes_, stored_bytes_);
    }

    TIFF* tiff_;
    TiffSamples const& page_;
    std::string const& where_;
    std::vector<std::byte>& samples_;
    bool is_planar_;
    std::size_t stored_bytes_; ///< of a pixel in a strip or tile
    std::size_t pixel_bytes_;
    std::vector<std::byte> buffer_;
};

} // namespace

std::string& last_tiff_error()
{
    static std::string text;
    return text;
}

void keep_tiff_errors()
{
    TIFFSetErrorHandler(keep_error);
    TIFFSetWarningHandler(nullptr);
}

void fail_damaged_tiff(std::string const& where)
{
    fail_input("is damaged: " + last_tiff_error(), where, {}, "get a complete copy");
}

void read_tiff_samples(TIFF* tiff, TiffSamples const& page, std::string const& where, std::vector<std::byte>& samples)
{
    TiffSampleReader(tiff, page, where, samples).read();
}

} // namespace volpt
