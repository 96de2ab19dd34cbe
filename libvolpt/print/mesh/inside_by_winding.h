// Which voxels are inside of a mesh that is no surface of a solid: open, overlapping, or both.
#pragma once

#include "libvolpt/volume/mesh/occupancy.h"
#include "libvolpt/volume/mesh/place_mesh.h"

namespace volpt {

struct InsideByWinding {
    Occupancy inside;
    std::uint64_t doubtful_voxels = 0; ///< of a winding number within 0.25 of the one that decides
    std::uint64_t hole_edges = 0;      ///< 0: the mesh is closed, every winding number is whole and none is doubtful
};

/// Voxels at whose centre the winding number (winding_number.h) is at least one half, so that shells that overlap or
/// lie in each other are one solid, and an opening is closed about where it is flat. If the volume that the mesh
/// surrounds is negative, the signs are turned. The outermost voxels of the box are outside. `mesh` is one of
/// fit_print_box; its corners are in range and finite. The same for any number of threads.
///
/// With caps on its holes (hole_caps.h) the mesh is closed; the winding number is that of the closed mesh, from the
/// crossings of rows, less that of the caps. The latter changes little away from holes: blocks of voxels are evaluated
/// once where its gradient, at most the integral of 1 / (4 pi r^2) along the edges of the holes, says that none of them
/// differs.
InsideByWinding find_inside_by_winding(PlacedMesh const& mesh, int threads);

} // namespace volpt
