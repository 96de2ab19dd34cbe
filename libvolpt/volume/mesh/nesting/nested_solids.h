// Solids that lie in others: which one lies in which, and what their boundaries must agree on.
#pragma once

#include "libvolpt/surface/triangle_mesh.h"
#include "libvolpt/volume/mesh/surface_mesh.h"

#include <optional>
#include <string>

namespace volpt {

/// SolidNesting::around by solid; triangles of solid i are those from first_triangles[i] on. Each solid is closed by
/// itself and meets no other; there are at most kMaxNestedSolids.
std::vector<std::uint32_t> find_solids_around(TriangleMesh const& mesh, std::span<std::uint32_t const> first_triangles);

/// The indices of refraction by region: outside of all solids, then within each. One without an interface has the index
/// of what is around it; nothing tells that of the outside if no solid there has an interface: it is 1. `nesting` has
/// no circle.
std::vector<double> find_region_indices(std::span<SolidBoundary const> solids, std::span<SolidNesting const> nesting);

/// A solid whose outer index of refraction is not that of the solid around it, both with interfaces.
struct IndexMismatch {
    std::size_t solid = 0, around = 0;
};

/// The first one, to 1e-3 of the index. `nesting` has no circle.
std::optional<IndexMismatch> find_index_mismatch(std::span<SolidBoundary const> solids,
                                                 std::span<SolidNesting const> nesting);

/// What is wrong with the nesting of these solids; empty if nothing is: a number or a label is out of range, a solid
/// lies in itself, or the outer index of an interface is not that of what is around it.
std::string find_nesting_problem(std::span<SolidBoundary const> solids, std::span<SolidNesting const> nesting,
                                 std::size_t materials);

/// What the solids hold that lie in no other, in mm^3. `mesh_voxels` is in voxels.
double measure_outer_volume_mm3(TriangleMesh const& mesh_voxels, std::span<SolidBoundary const> solids,
                                std::span<SolidNesting const> nesting, std::array<float, 3> const& pitch_mm);

/// The triangles first .. end - 1 with the vertices that they use.
TriangleMesh take_triangles(TriangleMesh const& mesh, std::uint32_t first, std::uint32_t end);

} // namespace volpt
