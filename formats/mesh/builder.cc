#include "formats/mesh/builder.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace volpt {
namespace {

constexpr std::size_t kMaxPositions = 0xffffffff;
constexpr std::size_t kMaxTriangles = std::size_t{1} << 31;
constexpr std::uint32_t kWhite = 0xffffff;

/// Unit length; 0 if there is none.
Vec3 normalise(double x, double y, double z)
{
    double const length = std::sqrt(x * x + y * y + z * z);
    if (!(length > 0 && length < INFINITY)) return {};
    return {static_cast<float>(x / length), static_cast<float>(y / length), static_cast<float>(z / length)};
}

/// Of the triangle; along z if it has no area.
Vec3 find_triangle_normal(Vec3 a, Vec3 b, Vec3 c)
{
    auto const difference = [](Vec3 to, Vec3 from) {
        return Point3{static_cast<double>(to.x) - static_cast<double>(from.x),
                      static_cast<double>(to.y) - static_cast<double>(from.y),
                      static_cast<double>(to.z) - static_cast<double>(from.z)};
    };
    Point3 const u = difference(b, a), v = difference(c, a);
    Vec3 const normal = normalise(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
    return normal.x == 0 && normal.y == 0 && normal.z == 0 ? Vec3{0, 0, 1} : normal;
}

/// One triangle's entry: the list begins with the first triangle that has such values.
template <typename Value>
void append_corners(std::vector<std::array<Value, 3>>& list, std::size_t triangle, std::vector<Value> const& values,
                    Value gap, std::uint64_t& gaps)
{
    if (values.empty()) {
        ++gaps;
        if (!list.empty()) list.push_back({gap, gap, gap});
        return;
    }
    if (list.empty()) list.resize(triangle, {gap, gap, gap});
    list.push_back({values[0], values[1], values[2]});
}

template <typename Value>
void pick(std::vector<Value> const& from, std::array<std::uint32_t, 3> const& corners, std::vector<Value>& to)
{
    to.clear();
    if (from.empty()) return;
    for (std::uint32_t const corner : corners) to.push_back(from[corner]);
}

bool are_finite(std::vector<TextureCoordinates> const& coordinates)
{
    return std::ranges::all_of(coordinates,
                               [](TextureCoordinates const& at) { return std::isfinite(at.u) && std::isfinite(at.v); });
}

} // namespace

std::uint32_t MeshBuilder::add_position(Vec3 position_mm)
{
    if (mesh_.positions_mm.size() >= kMaxPositions)
        fail_input("more than 2^32 - 1 vertices", where_, {}, "split the mesh");
    mesh_.positions_mm.push_back(position_mm);
    return static_cast<std::uint32_t>(mesh_.positions_mm.size() - 1);
}

void MeshBuilder::add_triangle(std::array<std::uint32_t, 3> const& corners, CornerValues const& values)
{
    std::size_t const triangle = mesh_.triangles.size();
    if (triangle >= kMaxTriangles) fail_input("more than 2^31 triangles", where_, {}, "split the mesh");
    std::uint64_t ignored = 0;
    append_corners(mesh_.normals, triangle, values.normals, Vec3{}, ignored);
    bool const has_finite = are_finite(values.texture_coordinates);
    if (!has_finite) ++not_finite_;
    append_corners(mesh_.texture_coordinates, triangle,
                   has_finite ? values.texture_coordinates : std::vector<TextureCoordinates>{}, TextureCoordinates{},
                   unplaced_);
    append_corners(mesh_.colours, triangle, values.colours, kWhite, uncoloured_);
    if (values.picture != TriangleMesh::kNoPicture && mesh_.pictures.empty())
        mesh_.pictures.resize(triangle, TriangleMesh::kNoPicture);
    if (values.picture != TriangleMesh::kNoPicture || !mesh_.pictures.empty()) mesh_.pictures.push_back(values.picture);
    mesh_.triangles.push_back(corners);
}

void MeshBuilder::add_polygon(std::span<std::uint32_t const> corners, CornerValues const& values)
{
    if (corners.size() == 3) {
        add_triangle({corners[0], corners[1], corners[2]}, values);
        return;
    }
    polygon_.clear();
    for (std::uint32_t const corner : corners) {
        Vec3 const p = mesh_.positions_mm[corner];
        polygon_.push_back({p.x, p.y, p.z});
    }
    cut_.clear();
    part_.picture = values.picture;
    if (!triangulate_polygon(polygon_, cut_, budget_)) ++not_simple_;
    for (auto const& triangle : cut_) {
        pick(values.normals, triangle, part_.normals);
        pick(values.texture_coordinates, triangle, part_.texture_coordinates);
        pick(values.colours, triangle, part_.colours);
        add_triangle({corners[triangle[0]], corners[triangle[1]], corners[triangle[2]]}, part_);
    }
}

void MeshBuilder::fill_normals(std::vector<std::string>& notices)
{
    std::uint64_t filled = 0;
    for (std::size_t i = 0; i < mesh_.normals.size(); ++i)
        for (Vec3& normal : mesh_.normals[i]) {
            normal = normalise(normal.x, normal.y, normal.z);
            if (normal.x != 0 || normal.y != 0 || normal.z != 0) continue;
            auto const& corners = mesh_.triangles[i];
            normal = find_triangle_normal(mesh_.positions_mm[corners[0]], mesh_.positions_mm[corners[1]],
                                          mesh_.positions_mm[corners[2]]);
            ++filled;
        }
    if (filled > 0) notices.push_back(fmt::format("{} corners without a normal take that of their triangle", filled));
}

MeshFile MeshBuilder::finish(std::vector<std::string> notices)
{
    fill_normals(notices);
    if (not_finite_ > 0)
        notices.push_back(
            fmt::format("texture coordinates of {} triangles are NaN or infinite, and left out", not_finite_));
    if (!mesh_.texture_coordinates.empty() && unplaced_ > 0)
        notices.push_back(fmt::format("{} triangles without texture coordinates lie at 0, 0", unplaced_));
    if (!mesh_.colours.empty() && uncoloured_ > 0)
        notices.push_back(fmt::format("{} triangles without a colour are white", uncoloured_));
    if (not_simple_ > 0)
        notices.push_back(fmt::format("{} polygons cross or touch themselves, are far from plane or have too many "
                                      "notches; their triangles may overlap",
                                      not_simple_));
    return {{}, std::move(mesh_), std::move(notices), {}};
}

std::uint32_t pack_colour(double red, double green, double blue)
{
    std::uint32_t colour = 0;
    for (double const component : {red, green, blue}) {
        double const code = component > 0 ? std::min(component, 1.0) * 255 + 0.5 : 0; // NaN too is 0
        colour = colour << 8 | static_cast<std::uint32_t>(code);
    }
    return colour;
}

} // namespace volpt
