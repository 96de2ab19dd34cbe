// A volume whose numbers are binary elements, one after the other, x fastest.
#pragma once

#include "formats/common/voxel_bytes.h"
#include "libvolpt/volume/volume_source.h"

namespace volpt {

/// `bytes` holds channels * dims.x * dims.y * dims.z elements of `stored`; meta.element is set from it.
std::unique_ptr<VolumeSource> make_binary_source(SourceMeta meta, StoredType stored, std::unique_ptr<VoxelBytes> bytes);

} // namespace volpt
