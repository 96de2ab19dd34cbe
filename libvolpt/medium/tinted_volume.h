// A volume whose density comes from one source and whose albedo by band from another on the same voxels.
#pragma once

#include "libvolpt/volume/volume_source.h"
#include "libvolpt/volume/voxel_stream.h"

namespace volpt {

/// `density` with its albedo replaced by the channels of `albedo`, one band each. Error (input) names the voxel of the
/// first number outside 0..1.
std::unique_ptr<VoxelStream> make_tinted_volume(std::unique_ptr<VoxelStream> density,
                                                std::unique_ptr<VolumeSource> albedo, Encoding albedo_encoding);

} // namespace volpt
