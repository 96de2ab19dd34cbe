// Closed meshes by formula, for tests and benchmarks. The same bits on every machine.
#pragma once

#include "libvolpt/surface/triangle_mesh.h"

namespace volpt {

/// 20 divisions^2 triangles around the origin, vertices on the sphere (rounded).
TriangleMesh make_icosphere(float radius_mm, std::uint32_t divisions);

/// An icosphere whose radius swells and shrinks by up to `depth` (0 to 0.5) of it: concave, one component, no
/// self-intersections.
TriangleMesh make_bumpy_sphere(float radius_mm, std::uint32_t divisions, float depth);

/// 2 around along triangles about the z axis; `around` and `along` (the tube) are at least 3.
TriangleMesh make_torus(float ring_radius_mm, float tube_radius_mm, std::uint32_t around, std::uint32_t along);

/// 12 triangles.
TriangleMesh make_box(Vec3 lower_mm, Vec3 upper_mm);

/// Both, not connected.
TriangleMesh join_meshes(TriangleMesh const& a, TriangleMesh const& b);

/// Front to back.
TriangleMesh invert_mesh(TriangleMesh mesh);

TriangleMesh move_mesh(TriangleMesh mesh, Vec3 by_mm);

} // namespace volpt
