#pragma once

#include "libvolpt/surface/triangle_mesh.h"

namespace volpt {

struct OrientReport {
    std::uint64_t turned_triangles = 0;
    std::uint64_t turned_components = 0;
    std::uint64_t unorientable_patches = 0;
};

/// Turns triangles so that neighbours at edges of two triangles agree, the smaller part of each patch that such edges
/// connect; then closed components of negative volume that lie in an even number of others. Patches that cannot agree
/// (a Moebius strip) stay as they are. Corners are in range and finite, all triangles have three vertices.
OrientReport orient_triangles(TriangleMesh& mesh, int threads);

} // namespace volpt
