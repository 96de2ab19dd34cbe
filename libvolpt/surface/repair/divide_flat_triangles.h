#pragma once

#include "libvolpt/surface/triangle_mesh.h"

namespace volpt {

/// Removes triangles whose corners are different vertices on one line: the neighbour at the longest side is divided at
/// the corner between, which moves no point of the surface. Those without such a neighbour stay. Returns how many
/// went.
std::uint64_t divide_flat_triangles(TriangleMesh& mesh);

} // namespace volpt
