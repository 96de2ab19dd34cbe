#pragma once

#include "libvolpt/volume/mesh/place_mesh.h"
#include "tools/options/tool.h"

namespace volpt {

/// Along the longest side of the box, where --mesh-bricks says nothing.
inline constexpr int kUnionBricks = 32;

/// The solid of a mesh of place_mesh that bounds none though it is repaired, where its winding number is at least 1/2:
/// by the smoothed surface of its voxels, drawn to the mesh, in a box of `bricks` along its longest side. Notices tell
/// the defects, the share of doubtful voxels and what was made; with --strict, Error (input). Error (input) if no voxel
/// is inside.
PlacedMesh place_union(ToolRun const& run, std::string const& path, PlacedMesh placed, int bricks);

} // namespace volpt
