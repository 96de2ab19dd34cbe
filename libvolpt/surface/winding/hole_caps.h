#pragma once

#include "libvolpt/surface/triangle_mesh.h"

namespace volpt {

/// What closes a mesh: with these triangles the signed incidences cancel at every edge.
struct HoleCaps {
    std::vector<Vec3> apexes; ///< vertices after those of the mesh
    std::vector<std::array<std::uint32_t, 3>> triangles;
    std::vector<std::array<std::uint32_t, 2>> edges; ///< of the holes, in the mesh: one per triangle
};

/// For each part of the boundary that hangs together, triangles from its edges to the mean of its vertices. An edge at
/// which n incidences are left has n of them. The mesh is welded; corners are in range and finite. Empty if the mesh is
/// closed. The same for any number of threads.
HoleCaps cap_holes(TriangleMesh const& mesh, int threads);

} // namespace volpt
