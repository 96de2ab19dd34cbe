// From a file with a triangle mesh to the volume that it bounds.
#pragma once

#include "libvolpt/volume/mesh/place_mesh.h"
#include "libvolpt/volume/voxel_stream.h"
#include "tools/options/tool.h"

namespace volpt {

/// The homogeneous `medium` within the mesh. Threads are those of the run; its notices tell what was left out, assumed
/// and repaired. Error (input) with the defects, their numbers and first places if the mesh bounds no solid.
std::unique_ptr<VoxelStream> open_mesh_volume(ToolRun const& run, std::string const& path, MeshPlaceOptions place,
                                              std::unique_ptr<VoxelStream> medium);

} // namespace volpt
