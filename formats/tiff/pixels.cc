#include "formats/tiff/pixels.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <array>
#include <cmath>
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

/// The number whose first bit is bit `at` of the bytes; the most significant comes first.
std::uint32_t read_bits(std::span<std::byte const> bytes, std::uint64_t at, unsigned count)
{
    std::uint64_t word = 0;
    std::size_t const first = at / 8;
    for (std::size_t i = first; i < first + 5; ++i)
        word = word << 8 | (i < bytes.size() ? std::to_integer<std::uint64_t>(bytes[i]) : 0);
    return static_cast<std::uint32_t>(word >> (40 - at % 8 - count) & ((std::uint64_t{1} << count) - 1));
}

/// Sign, 7 bits of exponent, 16 of fraction (DNG 1.4).
float decode_float24(std::uint32_t code)
{
    constexpr int kFractionBits = 16, kBias = 63;
    std::uint32_t const fraction = code & 0xffffu;
    auto const exponent = static_cast<int>(code >> kFractionBits & 0x7fu);
    float magnitude = std::ldexp(static_cast<float>(fraction), 1 - kBias - kFractionBits);
    if (exponent == 0x7f)
        magnitude = fraction == 0 ? INFINITY : NAN;
    else if (exponent > 0)
        magnitude = std::ldexp(static_cast<float>(fraction | 0x10000u), exponent - kBias - kFractionBits);
    return (code >> 23 & 1u) != 0 ? -magnitude : magnitude;
}

class TiffSampleReader {
public:
    TiffSampleReader(TIFF* tiff, TiffSamples const& page, std::uint32_t layer, std::string const& where,
                     std::vector<std::byte>& samples)
        : tiff_(tiff), page_(page), layer_(layer), where_(where), samples_(samples),
          is_planar_(page.channels > 1 &&
                     get_or<std::uint16_t>(tiff, TIFFTAG_PLANARCONFIG, 0) == PLANARCONFIG_SEPARATE),
          stored_samples_(is_planar_ ? 1 : page.channels), pixel_bytes_(page.sample_bytes * page.channels)
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
        std::size_t const row_bytes = count_tiff_row_bytes(page_, page_.width, stored_samples_);
        for (std::uint32_t row = 0; row < page_.height; row += rows) {
            std::size_t const count = std::min(rows, page_.height - row);
            std::size_t const bytes = count * row_bytes;
            buffer_.resize(bytes);
            auto const strip = TIFFComputeStrip(tiff_, row, plane);
            if (TIFFReadEncodedStrip(tiff_, strip, buffer_.data(), static_cast<tmsize_t>(bytes)) !=
                static_cast<tmsize_t>(bytes))
                fail_damaged_tiff(where_);
            for (std::size_t y = 0; y < count; ++y)
                put(std::span(buffer_).subspan(y * row_bytes, row_bytes), page_.width, row + y, 0, plane);
        }
    }

    void read_tiles(std::uint16_t plane)
    {
        auto const width = get_or<std::uint32_t>(tiff_, TIFFTAG_TILEWIDTH, 0);
        auto const height = get_or<std::uint32_t>(tiff_, TIFFTAG_TILELENGTH, 0);
        auto const depth = std::max(1u, get_or<std::uint32_t>(tiff_, TIFFTAG_TILEDEPTH, 1));
        std::uint64_t const row_bytes = count_tiff_row_bytes(page_, width, stored_samples_);
        std::uint64_t const bytes = row_bytes * height * depth;
        if (width == 0 || height == 0 || width > 65536 || height > 65536 || depth > 65536 ||
            bytes > (std::uint64_t{1} << 30)) {
            last_tiff_error() = fmt::format("tiles of {} x {} x {}", width, height, depth);
            fail_damaged_tiff(where_);
        }
        buffer_.resize(bytes);
        for (std::uint32_t y = 0; y < page_.height; y += height)
            for (std::uint32_t x = 0; x < page_.width; x += width) {
                auto const tile = TIFFComputeTile(tiff_, x, y, layer_, plane);
                read_tile(tile, depth > 1);
                std::size_t const first = std::size_t{layer_ % depth} * height;
                for (std::uint32_t row = 0; row < std::min(height, page_.height - y); ++row)
                    put(std::span(buffer_).subspan((first + row) * row_bytes, row_bytes),
                        std::min(width, page_.width - x), y + row, x, plane);
            }
    }

    /// Into buffer_, which has a tile's size. libtiff decodes the first layer alone of tiles that are `deep`, unless it
    /// is given their bytes.
    void read_tile(std::uint32_t tile, bool is_deep)
    {
        auto const bytes = static_cast<tmsize_t>(buffer_.size());
        if (!is_deep) {
            if (TIFFReadEncodedTile(tiff_, tile, buffer_.data(), bytes) != bytes) fail_damaged_tiff(where_);
            return;
        }
        std::uint64_t const stored_bytes = TIFFGetStrileByteCount(tiff_, tile);
        // No codec makes its bytes twice as many.
        if (stored_bytes == 0 || stored_bytes > 2 * buffer_.size() + 65536) fail_damaged_tiff(where_);
        stored_.resize(stored_bytes);
        auto const stored = static_cast<tmsize_t>(stored_bytes);
        if (TIFFReadRawTile(tiff_, tile, stored_.data(), stored) != stored ||
            TIFFReadFromUserBuffer(tiff_, tile, stored_.data(), stored, buffer_.data(), bytes) != 1)
            fail_damaged_tiff(where_);
    }

    /// A run of pixels, or of one plane of them, to its place.
    void put(std::span<std::byte const> from, std::size_t count, std::size_t y, std::size_t x, std::uint16_t plane)
    {
        std::byte* to = samples_.data() + (y * page_.width + x) * pixel_bytes_;
        if (!is_planar_) {
            decode_tiff_row(page_, from, {to, count * pixel_bytes_});
            return;
        }
        row_.resize(count * page_.sample_bytes);
        decode_tiff_row(page_, from, row_);
        to += plane * page_.sample_bytes;
        for (std::size_t i = 0; i < count; ++i)
            std::memcpy(to + i * pixel_bytes_, row_.data() + i * page_.sample_bytes, page_.sample_bytes);
    }

    TIFF* tiff_;
    TiffSamples const& page_;
    std::uint32_t layer_;
    std::string const& where_;
    std::vector<std::byte>& samples_;
    bool is_planar_;
    std::uint32_t stored_samples_; ///< of a pixel in a strip or tile
    std::size_t pixel_bytes_;
    std::vector<std::byte> buffer_;
    std::vector<std::byte> stored_; ///< a tile as it lies in the file
    std::vector<std::byte> row_;    ///< of one plane
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

std::uint64_t count_tiff_row_bytes(TiffSamples const& page, std::uint64_t width, std::uint64_t samples)
{
    unsigned const bits = page.code == TiffCode::packed    ? page.packed_bits
                          : page.code == TiffCode::float24 ? 24
                                                           : static_cast<unsigned>(8 * page.sample_bytes);
    return (width * samples * bits + 7) / 8;
}

void decode_tiff_row(TiffSamples const& page, std::span<std::byte const> stored, std::span<std::byte> samples)
{
    if (page.code == TiffCode::whole) {
        std::memcpy(samples.data(), stored.data(), samples.size());
        return;
    }
    for (std::size_t i = 0; i < samples.size() / page.sample_bytes; ++i) {
        std::byte* const to = samples.data() + i * page.sample_bytes;
        if (page.code == TiffCode::packed) {
            // Little-endian machines alone: the bytes of a small number come first.
            std::uint32_t const code = read_bits(stored, std::uint64_t{i} * page.packed_bits, page.packed_bits);
            std::memcpy(to, &code, page.sample_bytes);
            continue;
        }
        std::uint32_t code = 0;
        std::memcpy(&code, stored.data() + 3 * i, 3);
        float const number = decode_float24(code);
        std::memcpy(to, &number, sizeof number);
    }
}

void read_tiff_samples(TIFF* tiff, TiffSamples const& page, std::string const& where, std::vector<std::byte>& samples,
                       std::uint32_t layer)
{
    TiffSampleReader(tiff, page, layer, where, samples).read();
}

} // namespace volpt
