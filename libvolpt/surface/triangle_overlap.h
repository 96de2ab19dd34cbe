#pragma once

#include "libvolpt/core/vec.hd.h"

#include <array>
#include <cstdint>

namespace volpt {

/// A triangle with the numbers of its vertices; not degenerate.
struct NumberedTriangle {
    std::array<Vec3, 3> corners;
    std::array<std::uint32_t, 3> vertices;
};

/// Whether two triangles have points in common beyond the vertices and the edge that they share by number; exact, and a
/// touch counts. Not for triangles that share all three. By the sides of planes and edges on which corners lie (O.
/// Devillers, P. Guigue, Faster Triangle-Triangle Intersection Tests, INRIA 4488, 2002).
bool overlap_triangles(NumberedTriangle const& a, NumberedTriangle const& b);

} // namespace volpt
