// From options to the volume that is to be packed.
#pragma once

#include "libvolpt/volume/voxel_stream.h"
#include "tools/volprep/options.h"

namespace volpt {

/// True if the file calls itself a packed volume.
bool is_packed_volume(std::filesystem::path const& path);

/// True if the file begins as OpenVDB files do, or is named like one: a build without OpenVDB then says what it lacks,
/// and a damaged file what it is.
bool is_openvdb(std::filesystem::path const& path);

/// Opens the input, makes the volume or prints the slab, whichever was asked for. Error (usage) if none or more than
/// one was, or if an option has no meaning for it.
std::unique_ptr<VoxelStream> open_voxel_stream(std::vector<std::string> const& inputs, VolprepOptions const& options);

} // namespace volpt
