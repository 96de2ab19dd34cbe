#include "formats/mitsuba/shape.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/sys/file_bytes.h"
#include "libvolpt/volume/element_type.h"

#include <algorithm>
#include <bitset>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <span>
#include <sstream>

namespace volpt {
namespace {

constexpr std::uint64_t kMaxMesh_bytes = std::uint64_t{1} << 30;

/// Size and byte order of .ply's vertex element; vertices are the first element in all known files.
struct PlyHeader {
    std::optional<ByteOrder> binary; ///< absent: text
    std::size_t vertices = 0;
    std::vector<std::pair<std::string, ElementType>> properties;
    std::size_t data_first = 0;
};

std::optional<ElementType> find_ply_type(std::string const& name)
{
    static std::vector<std::pair<std::string_view, ElementType>> const kTypes{
        {"char", ElementType::i8},    {"int8", ElementType::i8},     {"uchar", ElementType::u8},
        {"uint8", ElementType::u8},   {"short", ElementType::i16},   {"int16", ElementType::i16},
        {"ushort", ElementType::u16}, {"uint16", ElementType::u16},  {"int", ElementType::i32},
        {"int32", ElementType::i32},  {"uint", ElementType::u32},    {"uint32", ElementType::u32},
        {"float", ElementType::f32},  {"float32", ElementType::f32}, {"double", ElementType::f64},
        {"float64", ElementType::f64}};
    for (auto const& [known, type] : kTypes)
        if (known == name) return type;
    return std::nullopt;
}

PlyHeader parse_ply_header(std::string const& text, std::string const& where)
{
    std::size_t const end = text.find("end_header");
    if (end == std::string::npos) fail_input("the header does not end", where, "the file is cut short");
    PlyHeader header;
    header.data_first = std::min(text.find('\n', end), text.size() - 1) + 1;
    std::istringstream lines(text.substr(0, end));
    bool in_vertex = false;
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string key;
        std::string second;
        std::string third;
        words >> key >> second >> third;
        if (key == "format" && second == "binary_little_endian") header.binary = ByteOrder::little;
        if (key == "format" && second == "binary_big_endian") header.binary = ByteOrder::big;
        if (key == "element") {
            in_vertex = second == "vertex";
            if (!in_vertex) continue;
            if (third.empty() || third.size() > 9 ||
                !std::all_of(third.begin(), third.end(), [](unsigned char c) { return std::isdigit(c); }))
                fail_input(fmt::format("'{}' is no number of vertices", third), where, "the header is damaged");
            header.vertices = std::stoull(third);
        }
        if (key != "property" || !in_vertex) continue;
        auto const type = find_ply_type(second);
        if (!type) fail_input(fmt::format("vertices have a property of type {}", second), where, "numbers are known");
        header.properties.emplace_back(third, *type);
    }
    return header;
}

std::vector<MitsubaVector> parse_ply(std::string const& text, std::string const& where)
{
    PlyHeader const header = parse_ply_header(text, where);
    std::array<std::size_t, 3> column{SIZE_MAX, SIZE_MAX, SIZE_MAX};
    std::size_t record_bytes = 0;
    for (std::size_t i = 0; i < header.properties.size(); ++i) {
        auto const& [name, type] = header.properties[i];
        if (name == "x" || name == "y" || name == "z") column[static_cast<std::size_t>(name[0] - 'x')] = i;
        record_bytes += element_size_bytes(type);
    }
    if (*std::max_element(column.begin(), column.end()) == SIZE_MAX) fail_input("vertices have no x, y and z", where);
    std::vector<MitsubaVector> vertices;
    std::size_t at = header.data_first;
    std::istringstream words(header.binary ? "" : text.substr(at));
    for (std::size_t v = 0; v < header.vertices; ++v) {
        MitsubaVector vertex{};
        if (header.binary && record_bytes > text.size() - at)
            fail_input("the vertices end early", fmt::format("{} at offset {}", where, at), "the file is cut short");
        for (std::size_t i = 0; i < header.properties.size(); ++i) {
            double value = 0;
            if (header.binary) {
                std::size_t const size = element_size_bytes(header.properties[i].second);
                float number = 0;
                decode_elements({header.properties[i].second, *header.binary},
                                std::as_bytes(std::span(text)).subspan(at, size), std::span(&number, 1));
                value = static_cast<double>(number);
                at += size;
            } else if (!(words >> value)) {
                fail_input(fmt::format("vertex {} is no number", v), where, "the file is cut short or damaged");
            }
            for (std::size_t axis = 0; axis < 3; ++axis)
                if (column[axis] == i) vertex[axis] = value;
        }
        vertices.push_back(vertex);
    }
    return vertices;
}

std::vector<MitsubaVector> parse_obj(std::string const& text, std::string const& where)
{
    std::vector<MitsubaVector> vertices;
    std::istringstream lines(text);
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        if (!line.starts_with("v ") && !line.starts_with("v\t")) continue;
        auto const n = parse_mitsuba_numbers(line.substr(2), 3, 7, fmt::format("{} line {}", where, number));
        vertices.push_back({n[0], n[1], n[2]});
    }
    return vertices;
}

struct Bounds {
    MitsubaVector low{1e300, 1e300, 1e300};
    MitsubaVector high{-1e300, -1e300, -1e300};
};

Bounds find_bounds(std::vector<MitsubaVector> const& points)
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
bool is_box(std::vector<MitsubaVector> const& vertices, Bounds const& bounds)
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
std::vector<MitsubaVector> find_points(MitsubaTree const& tree, MitsubaNode const& shape)
{
    if (shape.type == "obj" || shape.type == "ply")
        return read_mesh_vertices(tree.find_file(read_string(shape, "filename", "")));
    if (shape.type != "sphere")
        fail_input(fmt::format("the medium is bounded by a {}, whose extent is not known", shape.describe()),
                   shape.where, "the renderer's domain is a box", "bound the medium by a cube");
    double const radius = read_number(shape, "radius", 1);
    MitsubaVector const centre = read_point(shape, "center", {0, 0, 0});
    MitsubaVector const low{centre[0] - radius, centre[1] - radius, centre[2] - radius};
    return {low, {centre[0] + radius, centre[1] + radius, centre[2] + radius}};
}

} // namespace

std::vector<MitsubaVector> read_mesh_vertices(std::filesystem::path const& path)
{
    FileBytes const file(path);
    if (file.size_bytes() > kMaxMesh_bytes)
        fail_input(fmt::format("{} bytes are too many for a box", file.size_bytes()), path.string());
    std::string text(static_cast<std::size_t>(file.size_bytes()), '\0');
    file.read_at(0, std::as_writable_bytes(std::span(text)));
    auto vertices = text.starts_with("ply") ? parse_ply(text, path.string()) : parse_obj(text, path.string());
    for (auto const& vertex : vertices)
        for (double const value : vertex)
            if (!(value >= -1e12 && value <= 1e12)) fail_input(fmt::format("a vertex at {}", value), path.string());
    return vertices;
}

std::optional<Matrix4> find_shape_box(MitsubaTree const& tree, MitsubaNode const& shape, ShapeUse use,
                                      std::vector<std::string>& notices)
{
    bool const is_mesh = shape.type == "obj" || shape.type == "ply";
    if (use == ShapeUse::exact && !is_mesh && shape.type != "cube") return std::nullopt;
    Matrix4 const to_world = read_to_world(shape);
    if (shape.type == "cube") {
        Matrix4 const box = multiply(to_world, make_box({{-1, -1, -1}, {1, 1, 1}}));
        return use == ShapeUse::bounding_box || find_box_frame(box) ? std::optional(box) : std::nullopt;
    }
    auto const points = find_points(tree, shape);
    if (points.empty())
        fail_input(fmt::format("the {} has no vertices", shape.describe()), shape.where, "it bounds the medium");
    Bounds const bounds = find_bounds(points);
    Matrix4 const box = multiply(to_world, make_box(bounds));
    bool const is_right_angled = find_box_frame(box).has_value();
    if (is_box(points, bounds) && (is_right_angled || use == ShapeUse::bounding_box)) return box;
    if (use == ShapeUse::exact) return std::nullopt;
    notices.push_back(fmt::format("the bounding box of the {} stands for it", shape.describe()));
    return box;
}

} // namespace volpt
