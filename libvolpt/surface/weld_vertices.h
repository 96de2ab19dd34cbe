#pragma once

#include "libvolpt/surface/triangle_mesh.h"

namespace volpt {

/// Makes vertices at equal positions one (-0 is 0), which takes the place of the first of them; triangles keep order,
/// and so do the vertices that stay. Vertices that are not finite stay apart, and corners that name no vertex as they
/// are. The same bits for any number of threads. Returns how many vertices went.
std::size_t weld_vertices(TriangleMesh& mesh, int threads);

} // namespace volpt
