// The samples of one page of a TIFF file, from strips or tiles. For sandboxed processes: libtiff is not safe on hostile
// files.
#pragma once

#include <cstddef>
#include <cstdint>
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

struct TiffSamples {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::uint32_t channels = 0;
    std::size_t sample_bytes = 0;
};

/// Of the current directory, whose sizes the caller has checked: row by row, the channels of a pixel side by side
/// whether the file keeps them so or in planes. Error (input) starts with `where`.
void read_tiff_samples(TIFF* tiff, TiffSamples const& page, std::string const& where, std::vector<std::byte>& samples);

} // namespace volpt
