// Foreign volumes whose numbers are the albedo by band.
#pragma once

#include "libvolpt/medium/measured_volume.h"

namespace volpt {

/// Albedo over constant extinction: each channel is a band, whose numbers LO..HI of the window (--window, else the
/// source's own, else 0..1) are albedo 0..1; extinction is options.scale everywhere. Numbers outside options.window are
/// clamped, with a notice. Error (usage) for a transfer table or a curve; Error (input) names voxel and channel of the
/// first number that is not finite, or, without options.window, lies outside.
std::unique_ptr<VoxelStream> make_albedo_volume(std::unique_ptr<VolumeSource> source, MeasuredOptions const& options);

/// `density` with its albedo replaced by the channels of `albedo` on the same voxels, one band each. Error (input)
/// names the voxel of the first number outside 0..1.
std::unique_ptr<VoxelStream> replace_albedo(std::unique_ptr<VoxelStream> density, std::unique_ptr<VolumeSource> albedo,
                                            Encoding albedo_encoding);

} // namespace volpt
