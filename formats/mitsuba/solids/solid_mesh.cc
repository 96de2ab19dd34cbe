#include "formats/mitsuba/solids/solids.h"

#include "libvolpt/surface/make_mesh.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace volpt {
namespace {

/// 20 times its square triangles.
constexpr std::uint32_t kBallDivisions = 64;

/// An icosphere, and how it differs from the ball of radius 1 and of equal volume.
struct BallMesh {
    ShapeMesh mesh;                 ///< with the ball's normals
    double outside = 0, inside = 0; ///< most distances of its points from the ball's surface
    double area = 0;                ///< relative to the ball's
};

double dot_of(MitsubaVector const& a, MitsubaVector const& b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

BallMesh make_ball_mesh()
{
    TriangleMesh const sphere = make_icosphere(1, kBallDivisions);
    BallMesh ball;
    ball.mesh.triangles = sphere.triangles;
    for (Vec3 const p : sphere.positions_mm)
        ball.mesh.positions.push_back({static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)});
    double volume = 0, area = 0, nearest = 1;
    for (auto const& t : ball.mesh.triangles) {
        std::array<MitsubaVector, 3> p;
        for (std::size_t i = 0; i < 3; ++i) p[i] = ball.mesh.positions[t[i]];
        MitsubaVector u, v;
        for (std::size_t i = 0; i < 3; ++i) {
            u[i] = p[1][i] - p[0][i];
            v[i] = p[2][i] - p[0][i];
        }
        MitsubaVector const n{u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
        double const length = std::sqrt(dot_of(n, n));
        volume += dot_of(p[0], n) / 6;
        area += length / 2;
        nearest = std::min(nearest, dot_of(p[0], n) / length);
        ball.mesh.normals.push_back(p);
    }
    double const scale = std::cbrt(4 * std::numbers::pi / 3 / volume);
    for (MitsubaVector& p : ball.mesh.positions)
        for (double& value : p) value *= scale;
    ball.outside = scale - 1;
    ball.inside = 1 - scale * nearest;
    ball.area = scale * scale * area / (4 * std::numbers::pi);
    return ball;
}

ShapeMesh read_ball(MitsubaNode const& shape, Matrix4 const& to_world, std::vector<std::string>& notices)
{
    double const radius = read_number(shape, "radius", 1);
    MitsubaVector const centre = read_point(shape, "center", {0, 0, 0});
    if (!(radius > 0)) fail_input(fmt::format("radius is {}", radius), shape.where, "it is positive", "correct it");
    auto const frame = find_box_frame(to_world);
    double const shortest = frame ? std::ranges::min(frame->edges) : 0;
    double const longest = frame ? std::ranges::max(frame->edges) : 1;
    if (longest > shortest * (1 + 1e-4))
        fail_input(fmt::format("the {} is stretched or sheared", shape.describe()), shape.where, "spheres stay spheres",
                   "give it as a mesh (obj or ply)");
    BallMesh ball = make_ball_mesh();
    Matrix4 const local{radius, 0, 0, centre[0], 0, radius, 0, centre[1], 0, 0, radius, centre[2], 0, 0, 0, 1};
    transform_mesh(ball.mesh, multiply(to_world, local));
    double const size_mm = radius * longest;
    notices.push_back(fmt::format("the {} is made of {} triangles with the sphere's volume and normals: its surface "
                                  "lies up to {:.2g} mm outside and {:.2g} mm inside the sphere's, its area is {:.2g} "
                                  "of it too large",
                                  shape.describe(), ball.mesh.triangles.size(), ball.outside * size_mm,
                                  ball.inside * size_mm, ball.area - 1));
    return std::move(ball.mesh);
}

ShapeMesh read_file_mesh(MitsubaTree const& tree, MitsubaNode const& shape, std::vector<std::string>& notices)
{
    std::string const name = read_string(shape, "filename", "");
    if (name.empty()) fail_input(fmt::format("the {} has no filename", shape.describe()), shape.where, {}, "add it");
    return load_shape_mesh(tree.find_file(name), notices);
}

} // namespace

ShapeMesh read_solid_mesh(MitsubaTree const& tree, MitsubaNode const& shape, std::vector<std::string>& notices)
{
    bool const is_file = shape.type == "obj" || shape.type == "ply";
    if (shape.type == "cylinder" || shape.type == "rectangle" || shape.type == "disk")
        fail_input(fmt::format("a medium is bounded by the {}, which is open", shape.describe()), shape.where,
                   shape.type == "cylinder" ? "a cylinder of Mitsuba has no caps, and what is inside has to be certain"
                                            : "it has no inside",
                   "bound the medium by a closed mesh (obj or ply), a cube or a sphere");
    if (shape.type != "cube" && shape.type != "sphere" && !is_file)
        fail_input(fmt::format("a medium is bounded by the {}, whose extent is not known", shape.describe()),
                   shape.where, "cube, sphere, obj and ply are known", "bound the medium by one of them");
    Matrix4 const to_world = read_to_world(shape);
    bool const is_flipped = read_boolean(shape, "flip_normals", false);
    bool const is_faceted = read_boolean(shape, "face_normals", false);
    if (shape.type == "sphere") {
        ShapeMesh ball = read_ball(shape, to_world, notices);
        if (is_flipped) flip_mesh(ball);
        return ball;
    }
    ShapeMesh mesh = is_file ? read_file_mesh(tree, shape, notices) : make_cube_mesh();
    if (is_file)
        static_cast<void>(shape.find("flip_tex_coords")); // uv are not those of a bsdf
    else
        mesh.uv.clear();
    bool const is_smoothed = is_file && !is_faceted && mesh.normals.empty();
    if (is_faceted) mesh.normals.clear();
    transform_mesh(mesh, to_world);
    if (is_smoothed) smooth_normals(mesh);
    if (is_flipped) flip_mesh(mesh);
    if (is_smoothed && find_determinant(to_world) < 0)
        notices.push_back(fmt::format("the {} has no normals of its own and is mirrored by its transform: its medium "
                                      "is inside, in Mitsuba outside",
                                      shape.describe()));
    return mesh;
}

} // namespace volpt
