#pragma once

#include "libvolpt/surface/triangle_mesh.h"
#include "libvolpt/volume/mesh/occupancy.h"

namespace volpt {

/// What of a mesh in voxels lies within a voxel of the border between voxels inside and others: the outside of shells
/// that overlap, without their parts in each other. Triangles that are there in part are divided into pieces of about
/// two voxels; values of corners are interpolated, colours in linear light. Vertices are not shared.
TriangleMesh take_outer_surface(TriangleMesh const& mesh_voxels, Occupancy const& inside);

} // namespace volpt
