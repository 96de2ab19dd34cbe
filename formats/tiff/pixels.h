// The samples of one page of a TIFF file, from strips or tiles. For sandboxed processes: libtiff is not safe on hostile
// files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tiffio.h>
#include <vector>

namespace volpt {

/// libtiff's last error message; the library reports through plain functions.
std::string& last_tiff_error();
/// Makes libtiff keep its errors there, and say nothing of warnings.
void keep_tiff_errors();

/// Error (input) with libtiff's last message.
[[noreturn]] void fail_damaged_tiff(std::string const& where);

/// How a file keeps its samples.
enum class TiffCode {
    whole,   ///< as they are given
    packed,  ///< unsigned numbers of other than whole bytes, side by side
    float24, ///< floating point of 24 bits, as digital negatives have it; given as float
};

struct TiffSamples {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::uint32_t channels = 0;
    std::size_t sample_bytes = 0; ///< as they are given
    TiffCode code = TiffCode::whole;
    unsigned packed_bits = 0; ///< 1 .. 31
};

/// Bytes of a row of `samples` numbers of a pixel in a strip or tile.
std::uint64_t count_tiff_row_bytes(TiffSamples const& page, std::uint64_t width, std::uint64_t samples);

/// Numbers of a row from the bytes that strips and tiles hold, in this machine's byte order.
void decode_tiff_row(TiffSamples const& page, std::span<std::byte const> stored, std::span<std::byte> samples);

/// Of the current directory, whose sizes the caller has checked: row by row, the channels of a pixel side by side
/// whether the file keeps them so or in planes. `layer` is one of SGI's ImageDepth in tiles. Error (input) starts with
/// `where`.
void read_tiff_samples(TIFF* tiff, TiffSamples const& page, std::string const& where, std::vector<std::byte>& samples,
                       std::uint32_t layer = 0);

} // namespace volpt
