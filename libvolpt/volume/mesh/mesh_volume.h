#pragma once

#include "libvolpt/volume/mesh/place_mesh.h"
#include "libvolpt/volume/voxel_stream.h"

namespace volpt {

/// The homogeneous volume `medium`, bounded by an accepted mesh in the mesh's own box, which takes the place of the
/// medium's. Error (input, at `path`) if no volume can be as small, as large or as far away.
std::unique_ptr<VoxelStream> make_mesh_volume(std::unique_ptr<VoxelStream> medium, PlacedMesh mesh,
                                              std::string const& path);

/// `medium`, whose box is that of the accepted mesh, bounded by it; everything else stays.
std::unique_ptr<VoxelStream> bound_volume(std::unique_ptr<VoxelStream> medium, PlacedMesh mesh);

} // namespace volpt
