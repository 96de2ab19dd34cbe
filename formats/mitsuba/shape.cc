// Finds the box of a shape.
#include "formats/mitsuba/shape.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <bitset>
#include <cmath>
#include <fmt/format.h>

namespace volpt {
namespace {

using Triple = std::array<double, 3>;

struct Bounds {
    Triple low{1e300, 1e300, 1e300};
    Triple high{-1e300, -1e300, -1e300};
};

Bounds find_bounds(std::vector<Triple> const& points)
{
    Bounds bounds;
    for (auto const& point : points)
        for (std::size_t i = 0; i < 3; ++i) {
            bounds.low[i] = std::min(bounds.low[i], point[i]);
            bounds.high[i] = std::max(bounds.high[i], point[i]);
        }
    return bounds;
}

Matrix4 make_box(Bounds const& b)
{
    return {b.high[0] - b.low[0],
            0,
            0,
            b.low[0],
            0,
            b.high[1] - b.low[1],
            0,
            b.low[1],
            0,
            0,
            b.high[2] - b.low[2],
            b.low[2],
            0,
            0,
            0,
            1};
}

/// Every vertex is a corner of the bounds, and every corner a vertex.
bool is_box(std::vector<Triple> const& vertices, Bounds const& bounds)
{
    std::bitset<8> corners;
    for (auto const& vertex : vertices) {
        std::size_t corner = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            double const size = bounds.high[i] - bounds.low[i];
            double const along = (vertex[i] - bounds.low[i]) / size;
            if (!(size > 0) || (along > 1e-4 && along < 1 - 1e-4)) return false;
            if (along > 0.5) corner |= std::size_t{1} << i;
        }
        corners.set(corner);
    }
    return corners.all();
}

/// Meshes keep their file's coordinates; a sphere's box follows from its centre and radius.
std::vector<Triple> find_points(MitsubaTree const& tree, MitsubaNode const& shape)
{
    if (shape.type == "obj" || shape.type == "ply")
        return read_mesh_vertices(tree.find_file(read_string(shape, "filename", "")));
    if (shape.type != "sphere")
        fail_input(fmt::format("the medium is bounded by a {}, whose extent is not known", shape.describe()),
                   shape.where, "the renderer's domain is a box", "bound the medium by a cube");
    double const radius = read_number(shape, "radius", 1);
    Triple centre{0, 0, 0};
    if (auto const* node = shape.find("center")) {
        constexpr char const* kNames[] = {"x", "y", "z"};
        auto const value = node->attributes.find("value");
        if (value != node->attributes.end()) {
            auto const numbers = parse_mitsuba_numbers(value->second, 3, 3, node->where);
            std::copy(numbers.begin(), numbers.end(), centre.begin());
        }
        for (std::size_t i = 0; i < 3; ++i)
            if (auto const found = node->attributes.find(kNames[i]); found != node->attributes.end())
                centre[i] = parse_mitsuba_numbers(found->second, 1, 1, node->where)[0];
    }
    Triple const low{centre[0] - radius, centre[1] - radius, centre[2] - radius};
    return {low, {centre[0] + radius, centre[1] + radius, centre[2] + radius}};
}

} // namespace

Matrix4 find_shape_box(MitsubaTree const& tree, MitsubaNode const& shape, ShapeUse use,
                       std::vector<std::string>& notices)
{
    Matrix4 const to_world = read_to_world(shape);
    if (shape.type == "cube") return multiply(to_world, make_box({{-1, -1, -1}, {1, 1, 1}}));
    auto const points = find_points(tree, shape);
    if (points.empty())
        fail_input(fmt::format("the {} has no vertices", shape.describe()), shape.where, "it bounds the medium");
    Bounds const bounds = find_bounds(points);
    if (is_box(points, bounds)) return multiply(to_world, make_box(bounds));
    if (use == ShapeUse::exact)
        fail_input(fmt::format("the medium is bounded by a {}{}, which is no box", shape.describe(),
                               shape.type == "sphere" ? "" : " " + read_string(shape, "filename", "")),
                   shape.where, "the renderer's domain is a box",
                   "give --approximate-shape to take its bounding box instead");
    notices.push_back(fmt::format("the bounding box of the {} stands for it", shape.describe()));
    return multiply(to_world, make_box(bounds));
}

} // namespace volpt
