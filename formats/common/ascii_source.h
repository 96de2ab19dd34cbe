// A volume whose numbers are decimal text, separated by blanks, x fastest.
#pragma once

#include "libvolpt/sys/file_bytes.h"
#include "libvolpt/volume/volume_source.h"

#include <memory>

namespace volpt {

/// The text starts at `first_byte` of the file and holds channels * dims.x * dims.y * dims.z numbers, rounded to float.
/// Error (input) at once if the file is too short for so many.
std::unique_ptr<VolumeSource> make_ascii_source(SourceMeta meta, FileBytes file, std::uint64_t first_byte);

} // namespace volpt
