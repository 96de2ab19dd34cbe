#include "formats/mitsuba/shape_mesh.h"

#include "formats/mesh/reader.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <numeric>

namespace volpt {
namespace {

using Pair = std::array<double, 2>;

constexpr double kLargestVertex_mm = 1e9;

MitsubaVector subtract(MitsubaVector const& a, MitsubaVector const& b)
{
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

MitsubaVector make_normal_to(MitsubaVector const& a, MitsubaVector const& b)
{
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// Of unit length; 0 if it has none.
MitsubaVector to_unit_length(MitsubaVector const& v)
{
    double const length = std::hypot(v[0], v[1], v[2]);
    if (!(length > 0 && length < INFINITY)) return {0, 0, 0};
    return {v[0] / length, v[1] / length, v[2] / length};
}

/// A parallelogram at `corner` with edges along u and v, uv from 0 to 1; the front is u x v.
void add_face(ShapeMesh& mesh, MitsubaVector const& corner, MitsubaVector const& u, MitsubaVector const& v)
{
    auto const first = static_cast<std::uint32_t>(mesh.positions.size());
    for (int i = 0; i < 4; ++i) {
        double const a = i == 1 || i == 2 ? 1 : 0, b = i >= 2 ? 1 : 0;
        mesh.positions.push_back(
            {corner[0] + a * u[0] + b * v[0], corner[1] + a * u[1] + b * v[1], corner[2] + a * u[2] + b * v[2]});
    }
    mesh.triangles.push_back({first, first + 1, first + 2});
    mesh.triangles.push_back({first, first + 2, first + 3});
    mesh.uv.push_back({{{0, 0}, {1, 0}, {1, 1}}});
    mesh.uv.push_back({{{0, 0}, {1, 1}, {0, 1}}});
}

struct CirclePoint {
    double x, y;
};

CirclePoint find_on_circle(int segment)
{
    double const angle = 2 * std::numbers::pi * segment / kCircleSegments;
    return {std::cos(angle), std::sin(angle)};
}

/// Any two directions that make a right-handed frame with unit `z` (T. Duff et al., Building an orthonormal basis,
/// revisited, 2017).
std::array<MitsubaVector, 2> make_basis(MitsubaVector const& z)
{
    double const sign = z[2] >= 0 ? 1 : -1;
    double const a = -1 / (sign + z[2]);
    double const b = z[0] * z[1] * a;
    return {{{1 + sign * z[0] * z[0] * a, sign * b, -sign * z[0]}, {b, sign + z[1] * z[1] * a, -z[1]}}};
}

/// A point on a surface of revolution.
struct RingPoint {
    MitsubaVector position;
    MitsubaVector normal;
    Pair uv;
};

/// The quadrilateral a b c d, counter-clockwise. Triangles of no area, as at the poles of a sphere, are left out.
void add_quad(ShapeMesh& mesh, RingPoint const& a, RingPoint const& b, RingPoint const& c, RingPoint const& d)
{
    for (auto const& [p, q, r] : {std::array{&a, &b, &c}, std::array{&a, &c, &d}}) {
        if (p->position == q->position || q->position == r->position || r->position == p->position) continue;
        auto const first = static_cast<std::uint32_t>(mesh.positions.size());
        for (RingPoint const* const corner : {p, q, r}) mesh.positions.push_back(corner->position);
        mesh.triangles.push_back({first, first + 1, first + 2});
        mesh.normals.push_back({p->normal, q->normal, r->normal});
        mesh.uv.push_back({p->uv, q->uv, r->uv});
    }
}

/// Corners at equal positions with equal uv become one vertex, as they are in an .obj.
void join_vertices(ShapeMesh& mesh)
{
    std::size_t const corners = 3 * mesh.triangles.size();
    std::vector<std::size_t> order(corners);
    std::iota(order.begin(), order.end(), std::size_t{0});
    auto const key_of = [&](std::size_t corner) {
        MitsubaVector const& p = mesh.positions[mesh.triangles[corner / 3][corner % 3]];
        Pair const uv = mesh.uv.empty() ? Pair{0, 0} : mesh.uv[corner / 3][corner % 3];
        return std::array{p[0], p[1], p[2], uv[0], uv[1]};
    };
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        auto const key_a = key_of(a), key_b = key_of(b);
        return key_a != key_b ? key_a < key_b : a < b;
    });
    std::vector<MitsubaVector> positions;
    std::vector<std::array<std::uint32_t, 3>> triangles(mesh.triangles.size());
    for (std::size_t i = 0; i < corners; ++i) {
        auto const key = key_of(order[i]);
        if (i == 0 || key != key_of(order[i - 1])) positions.push_back({key[0], key[1], key[2]});
        triangles[order[i] / 3][order[i] % 3] = static_cast<std::uint32_t>(positions.size() - 1);
    }
    mesh.positions = std::move(positions);
    mesh.triangles = std::move(triangles);
}

} // namespace

ShapeMesh make_cube_mesh()
{
    ShapeMesh mesh;
    struct Face {
        MitsubaVector u, v;
    };
    // u and v as Mitsuba's cube has them. The front is v x u: v runs downwards in a picture.
    constexpr Face kFaces[] = {{{0, 0, 1}, {1, 0, 0}}, {{-1, 0, 0}, {0, 0, -1}}, {{0, 1, 0}, {0, 0, -1}},
                               {{0, 1, 0}, {1, 0, 0}}, {{0, 1, 0}, {0, 0, 1}},   {{0, -1, 0}, {1, 0, 0}}};
    for (auto const& [u, v] : kFaces) {
        MitsubaVector const front = make_normal_to(v, u);
        MitsubaVector corner{};
        for (std::size_t i = 0; i < 3; ++i) corner[i] = front[i] - u[i] - v[i];
        add_face(mesh, corner, {2 * v[0], 2 * v[1], 2 * v[2]}, {2 * u[0], 2 * u[1], 2 * u[2]});
    }
    for (auto& corners : mesh.uv)
        for (Pair& uv : corners) std::swap(uv[0], uv[1]);
    return mesh;
}

ShapeMesh make_rectangle_mesh()
{
    ShapeMesh mesh;
    add_face(mesh, {-1, -1, 0}, {2, 0, 0}, {0, 2, 0});
    return mesh;
}

ShapeMesh make_disk_mesh()
{
    ShapeMesh mesh;
    mesh.positions.push_back({0, 0, 0});
    for (int i = 0; i < kCircleSegments; ++i) {
        auto const [x, y] = find_on_circle(i);
        mesh.positions.push_back({x, y, 0});
        auto const at = static_cast<std::uint32_t>(i + 1);
        std::uint32_t const next = i + 1 < kCircleSegments ? at + 1 : 1;
        mesh.triangles.push_back({0, at, next});
        // u is the radius, v the angle: that of the middle at the centre, where it has none.
        double const step = 1.0 / kCircleSegments;
        mesh.uv.push_back({{{0, (i + 0.5) * step}, {1, i * step}, {1, (i + 1) * step}}});
    }
    return mesh;
}

ShapeMesh make_cylinder_mesh(MitsubaVector const& from, MitsubaVector const& to, double radius,
                             std::string const& where)
{
    MitsubaVector const axis = to_unit_length(subtract(to, from));
    if (axis == MitsubaVector{0, 0, 0}) fail_input("p0 and p1 are one point", where, "the cylinder has no length");
    std::array<MitsubaVector, 2> const across = make_basis(axis);
    ShapeMesh mesh;
    auto const find_point = [&](int segment, MitsubaVector const& end, double v) {
        auto const [x, y] = find_on_circle(segment % kCircleSegments);
        RingPoint point;
        for (std::size_t i = 0; i < 3; ++i) {
            point.normal[i] = x * across[0][i] + y * across[1][i];
            point.position[i] = end[i] + radius * point.normal[i];
        }
        point.uv = {static_cast<double>(segment) / kCircleSegments, v};
        return point;
    };
    for (int i = 0; i < kCircleSegments; ++i)
        add_quad(mesh, find_point(i, from, 0), find_point(i + 1, from, 0), find_point(i + 1, to, 1),
                 find_point(i, to, 1));
    return mesh;
}

ShapeMesh make_sphere_mesh()
{
    constexpr int kParallels = kCircleSegments / 2;
    ShapeMesh mesh;
    auto const find_point = [&](int meridian, int parallel) {
        auto const [x, y] = find_on_circle(meridian % kCircleSegments);
        bool const is_pole = parallel == 0 || parallel == kParallels;
        double const radius = is_pole ? 0 : find_on_circle(parallel).y;
        double const z = is_pole ? (parallel == 0 ? 1 : -1) : find_on_circle(parallel).x;
        MitsubaVector const normal{radius * x, radius * y, z};
        return RingPoint{normal,
                         normal,
                         {static_cast<double>(meridian) / kCircleSegments, static_cast<double>(parallel) / kParallels}};
    };
    for (int p = 0; p < kParallels; ++p)
        for (int m = 0; m < kCircleSegments; ++m)
            add_quad(mesh, find_point(m, p), find_point(m, p + 1), find_point(m + 1, p + 1), find_point(m + 1, p));
    return mesh;
}

ShapeMesh load_shape_mesh(std::filesystem::path const& path, std::vector<std::string>& notices)
{
    MeshFile const file = read_mesh(path);
    for (auto const& notice : file.notices) notices.push_back(path.string() + ": " + notice);
    ShapeMesh mesh;
    mesh.triangles = file.mesh.triangles;
    mesh.positions.reserve(file.mesh.positions_mm.size());
    auto const widen = [](Vec3 v) {
        return MitsubaVector{static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
    };
    for (Vec3 const p : file.mesh.positions_mm) {
        mesh.positions.push_back(widen(p));
        for (double const value : mesh.positions.back())
            if (!(std::abs(value) <= kLargestVertex_mm))
                fail_input(fmt::format("a vertex at {}", value), path.string(), "coordinates lie within 1e9",
                           "correct the mesh");
    }
    for (auto const& corners : file.mesh.normals)
        mesh.normals.push_back({widen(corners[0]), widen(corners[1]), widen(corners[2])});
    for (auto const& corners : file.mesh.texture_coordinates) {
        auto& uv = mesh.uv.emplace_back();
        for (std::size_t i = 0; i < 3; ++i)
            uv[i] = {static_cast<double>(corners[i].u), static_cast<double>(corners[i].v)};
    }
    if (file.format != "ply" && mesh.normals.empty()) join_vertices(mesh);
    return mesh;
}

void smooth_normals(ShapeMesh& mesh)
{
    std::vector<MitsubaVector> sums(mesh.positions.size(), MitsubaVector{0, 0, 0});
    for (auto const& triangle : mesh.triangles) {
        std::array<MitsubaVector, 3> points;
        for (std::size_t i = 0; i < 3; ++i) points[i] = mesh.positions[triangle[i]];
        MitsubaVector const normal =
            to_unit_length(make_normal_to(subtract(points[1], points[0]), subtract(points[2], points[0])));
        for (std::size_t i = 0; i < 3; ++i) {
            MitsubaVector const u = to_unit_length(subtract(points[(i + 1) % 3], points[i]));
            MitsubaVector const v = to_unit_length(subtract(points[(i + 2) % 3], points[i]));
            double const angle = std::acos(std::clamp(u[0] * v[0] + u[1] * v[1] + u[2] * v[2], -1.0, 1.0));
            for (std::size_t axis = 0; axis < 3; ++axis) sums[triangle[i]][axis] += angle * normal[axis];
        }
    }
    for (MitsubaVector& sum : sums) sum = to_unit_length(sum);
    mesh.normals.clear();
    for (auto const& triangle : mesh.triangles)
        mesh.normals.push_back({sums[triangle[0]], sums[triangle[1]], sums[triangle[2]]});
}

void transform_mesh(ShapeMesh& mesh, Matrix4 const& matrix)
{
    double const sign = find_determinant(matrix) < 0 ? -1 : 1;
    for (MitsubaVector& p : mesh.positions) p = transform_point(matrix, p);
    for (auto& corners : mesh.normals)
        for (MitsubaVector& normal : corners) {
            MitsubaVector turned{};
            for (std::size_t i = 0; i < 3; ++i)
                for (std::size_t j = 0; j < 3; ++j) turned[i] += sign * find_cofactor(matrix, i, j) * normal[j];
            normal = to_unit_length(turned);
        }
    if (sign > 0) return;
    // A mirrored triangle shows its other side: its corners change their order, its normals not.
    for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
    for (auto& corners : mesh.normals) std::swap(corners[1], corners[2]);
    for (auto& corners : mesh.uv) std::swap(corners[1], corners[2]);
}

void flip_mesh(ShapeMesh& mesh)
{
    for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
    for (auto& corners : mesh.uv) std::swap(corners[1], corners[2]);
    for (auto& corners : mesh.normals) {
        std::swap(corners[1], corners[2]);
        for (MitsubaVector& normal : corners)
            for (double& component : normal) component = -component;
    }
}

} // namespace volpt
