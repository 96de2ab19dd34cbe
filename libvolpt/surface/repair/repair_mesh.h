#pragma once

#include "libvolpt/surface/triangle_mesh.h"

namespace volpt {

struct RepairOptions {
    float tolerance_mm = 0; ///< vertices no further apart become one; at most a small part of the smallest detail
    int threads = 1;
};

/// How often something was done.
struct RepairReport {
    std::uint64_t merged_vertices = 0;
    std::uint64_t collapsed_triangles = 0; ///< removed: two of their vertices became one
    std::uint64_t duplicate_triangles = 0; ///< removed: there twice, or two of opposite orientation
    std::uint64_t flat_triangles = 0;   ///< corners on one line: removed by division of the neighbour at the middle one
    std::uint64_t turned_triangles = 0; ///< for the sake of their neighbours
    std::uint64_t turned_components = 0;    ///< inside out
    std::uint64_t unorientable_patches = 0; ///< left as they are
    std::uint64_t inner_shells = 0;         ///< components removed by remove_inner_shells
};

/// Changes what check_mesh refuses where that moves no point of the surface by more than the tolerance: vertices that
/// nearly coincide, triangles without area, orientation. Closes no holes and cuts no intersections: check_mesh tells
/// what is left. A vertex joins the first one within the tolerance that has joined none. Where neighbours disagree the
/// orientation of most of them stays; a component of negative volume is turned unless it lies in another. Corners
/// are in range and finite. The same bits for any number of threads.
RepairReport repair_mesh(TriangleMesh& mesh, RepairOptions const& options);

/// Removes the components that lie in the solid of others, on both of their sides: the solid stays. Of a mesh whose
/// only defect is that there are some (MeshDefect::enclosed). Returns how many went.
std::uint64_t remove_inner_shells(TriangleMesh& mesh, int threads);

} // namespace volpt
