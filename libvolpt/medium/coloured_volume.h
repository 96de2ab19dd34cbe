// A foreign volume of several numbers a voxel, as albedo by band over constant extinction.
#pragma once

#include "libvolpt/medium/measured_volume.h"

namespace volpt {

/// One band a channel: LO..HI of the window (--window, else the source's own, else 0..1) is albedo 0..1; extinction is
/// options.scale everywhere. Error (usage) for a colour table; Error (input) names voxel and channel of the first
/// number outside the window.
std::unique_ptr<VoxelStream> make_coloured_volume(std::unique_ptr<VolumeSource> source, MeasuredOptions const& options);

} // namespace volpt
