// Packed volumes as the input of volprep.
#pragma once

#include "libvolpt/volume/voxel_stream.h"
#include "tools/volprep/options.h"

namespace volpt {

/// The volume with what the options change, or, if they say how its numbers become a medium, mapped anew (map_again).
std::unique_ptr<VoxelStream> open_packed(std::string const& input, VolprepOptions const& options);

} // namespace volpt
