// Shapes of a Mitsuba scene as triangles.
#pragma once

#include "formats/mitsuba/values.h"

#include <cstdint>

namespace volpt {

/// Corners are counter-clockwise as seen from the front.
struct ShapeMesh {
    std::vector<std::array<double, 3>> positions;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    std::vector<std::array<std::array<double, 3>, 3>> normals; ///< unit, per triangle; empty: the triangles' own
    std::vector<std::array<std::array<double, 2>, 3>> uv;      ///< per triangle, or empty; v as in Mitsuba
};

/// Straight pieces that stand for a full circle.
inline constexpr int kCircleSegments = 256;
/// How far circles of these pieces, and spheres of as many meridians and half as many parallels, lie from the true
/// ones, in radii: 1 - cos(pi / 256), and twice that.
inline constexpr double kCircleDeviation = 7.53e-5;
inline constexpr double kSphereDeviation = 2 * kCircleDeviation;

/// From -1 to 1 along each axis.
ShapeMesh make_cube_mesh();
/// From -1 to 1 along x and y; the front is +z.
ShapeMesh make_rectangle_mesh();
/// Of radius 1 about z; the front is +z.
ShapeMesh make_disk_mesh();
/// Open at both ends; the front is outside. Error (input) names `where` if both ends are one point.
ShapeMesh make_cylinder_mesh(std::array<double, 3> const& from, std::array<double, 3> const& to, double radius,
                             std::string const& where);
/// Of radius 1; the front is outside.
ShapeMesh make_sphere_mesh();

/// An .obj or .ply, with the normals and the uv (v upwards, as in the file) that it has. `notices` are those of the
/// mesh reader. Error (input) also for vertices that are not finite or beyond 1e9.
ShapeMesh load_shape_mesh(std::filesystem::path const& path, std::vector<std::string>& notices);

/// Normals of vertices: the mean of their triangles', weighted by the angle (G. Thürmer, C. Wüthrich, Computing vertex
/// normals from polygonal facets, 1998).
void smooth_normals(ShapeMesh& mesh);

/// The front stays the front, also if `matrix` mirrors.
void transform_mesh(ShapeMesh& mesh, Matrix4 const& matrix);

/// The front becomes the back.
void flip_mesh(ShapeMesh& mesh);

} // namespace volpt
