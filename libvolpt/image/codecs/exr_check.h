// Check of an OpenEXR header against the file's length before the library allocates from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace volpt {

bool is_exr(std::span<std::byte const> file);

/// Error (input) names attribute and offset: an attribute that runs past the end of the file, windows without pixels or
/// with more than the file can hold, more lines or tiles than it has bytes for; parts of different sizes and deep data,
/// which are sound, but not read.
void check_exr_header(std::span<std::byte const> file, std::string const& where);

} // namespace volpt
