#pragma once

#include "libvolpt/surface/triangle_mesh.h"
#include "libvolpt/volume/mesh/occupancy.h"

namespace volpt {

/// The faces between occupied voxels and all else, empty voxels and what lies outside the box: two triangles per face,
/// outwards, positions in voxels from the corner of the box. Every vertex is there once, and at every edge the signed
/// incidences cancel; edges at which two voxels touch have four triangles. Error (input, at `where`) if the triangles
/// are more than kMaxBvhTriangles.
TriangleMesh make_voxel_faces(Occupancy const& occupied, std::string const& where);

} // namespace volpt
