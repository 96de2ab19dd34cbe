// On which side points lie: always the exact sign, for any finite floats.
#pragma once

#include "libvolpt/core/vec.hd.h"

namespace volpt {

/// The sign of the determinant of (a - d, b - d, c - d): -1 where d is in front of the triangle, 1 behind it, 0 in its
/// plane. Double precision with a bound of its error, then exact (J. Shewchuk, Adaptive Precision Floating-Point
/// Arithmetic and Fast Robust Geometric Predicates, Discrete & Computational Geometry 18, 1997).
int find_side_of_plane(Vec3 a, Vec3 b, Vec3 c, Vec3 d);

/// The point without component `axis`, the others in cyclic order, decides: 1 where a, b, c go counter-clockwise, 0 on
/// one line.
int find_turn(Vec3 a, Vec3 b, Vec3 c, int axis);

/// Whether all three are on one line, or at one point.
bool are_collinear(Vec3 a, Vec3 b, Vec3 c);

} // namespace volpt
