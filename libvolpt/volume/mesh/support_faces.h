// Which faces of a printed solid were under support material.
#pragma once

#include "libvolpt/volume/mesh/occupancy.h"
#include "libvolpt/volume/mesh/smooth_surface.h"

namespace volpt {

/// Moves the faces whose outer voxel is of `support` behind the others; both keep their order. Returns the number of
/// triangles of those. `faces` is that of make_voxel_faces.
std::uint32_t put_supported_last(TriangleMesh& faces, Occupancy const& support);

/// The same of quadrilaterals around edges between an occupied voxel and one of `support`, for which two triangles
/// each are counted.
std::uint32_t put_supported_last(QuadMesh& surface, Occupancy const& occupied, Occupancy const& support);

} // namespace volpt
