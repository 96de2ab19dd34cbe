#pragma once

#include "formats/common/voxel_bytes.h"
#include "libvolpt/volume/source/volume_source.h"

namespace volpt {

/// A volume of binary elements, x fastest. `bytes` holds channels * dims.x * dims.y * dims.z elements of `stored`;
/// meta.element is set from it.
std::unique_ptr<VolumeSource> make_binary_source(SourceMeta meta, StoredType stored, std::unique_ptr<VoxelBytes> bytes);

/// A volume of decimal text, separated by blanks or commas, x fastest. The text starts at `first_byte` of the file and
/// holds channels * dims.x * dims.y * dims.z numbers for each volume up to meta.volume, which are rounded to float.
/// Error (input) at once if the file is too short for them.
std::unique_ptr<VolumeSource> make_ascii_source(SourceMeta meta, FileBytes file, std::uint64_t first_byte);

} // namespace volpt
