// From a file with a triangle mesh to the volume that it bounds.
#pragma once

#include "formats/mesh/reader.h"
#include "libvolpt/volume/mesh/place_mesh.h"
#include "libvolpt/volume/voxel_stream.h"
#include "tools/options/tool.h"

#include <functional>

namespace volpt {

/// The mesh of `file`, placed; notices tell what was left out, assumed and repaired. Error (input) with the defects,
/// their numbers and first places if it bounds no solid; not looked for if vertices lie outside of the box.
PlacedMesh place_solid(ToolRun const& run, std::string const& path, MeshFile file,
                       std::function<PlacedMesh(TriangleMesh)> const& place_it);

/// Without --mesh-up, glTF has its own axis up, which is +y; a notice tells.
void turn_by_format(ToolRun const& run, MeshFile const& file, MeshPlaceOptions& place);

/// The defects of a mesh that bounds no solid, with their numbers and first places.
std::string list_defects(MeshReport const& report);

/// Whether winding numbers can say what is inside of such a mesh.
bool has_sound_corners(MeshReport const& report);

/// That they do, of a mesh with these defects, and the share of voxels that are doubtful.
std::string describe_soup(std::string const& defects, std::uint64_t voxels, std::uint64_t doubtful_voxels);

/// Nothing if nothing was changed.
std::string describe_repair(RepairReport const& repair);

/// The homogeneous `medium` within the mesh. Threads are those of the run; its notices tell what was left out, assumed
/// and repaired. Error (input) with the defects, their numbers and first places if the mesh bounds no solid.
std::unique_ptr<VoxelStream> open_mesh_volume(ToolRun const& run, std::string const& path, MeshPlaceOptions place,
                                              std::unique_ptr<VoxelStream> medium);

/// The volume `medium`, read from `medium_path`, bounded by the mesh, which has to lie in its box. As above; Error
/// (input) with their number and place if vertices lie beyond the box; Error (usage) if a mesh bounds the volume
/// already.
std::unique_ptr<VoxelStream> open_mesh_in_volume(ToolRun const& run, std::string const& path, MeshPlaceOptions place,
                                                 std::unique_ptr<VoxelStream> medium, std::string const& medium_path);

} // namespace volpt
