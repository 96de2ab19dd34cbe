#include "formats/mitsuba/values.h"

#include "libvolpt/sys/error.h"

#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <numbers>

namespace volpt {
namespace {

constexpr double kLargest = 1e12; ///< keeps products of a few values finite

double dot(MitsubaVector const& a, MitsubaVector const& b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

MitsubaVector cross(MitsubaVector const& a, MitsubaVector const& b)
{
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

MitsubaVector unit(MitsubaVector const& a, std::string const& where)
{
    double const length = std::sqrt(dot(a, a));
    if (!(length > 1e-12)) fail_input("a direction has no length", where, {}, "correct the transform");
    return {a[0] / length, a[1] / length, a[2] / length};
}

std::string const* find_attribute(MitsubaNode const& node, char const* key)
{
    auto const found = node.attributes.find(key);
    return found == node.attributes.end() ? nullptr : &found->second;
}

std::string need_attribute(MitsubaNode const& node, char const* key)
{
    auto const* text = find_attribute(node, key);
    if (text == nullptr) fail_input(fmt::format("<{}> has no {}", node.tag, key), node.where, {}, "add it");
    return *text;
}

double parse_one(std::string const& text, std::string const& where)
{
    return parse_mitsuba_numbers(text, 1, 1, where)[0];
}

MitsubaVector to_triple(std::string const& text, std::string const& where)
{
    auto const numbers = parse_mitsuba_numbers(text, 1, 3, where);
    if (numbers.size() == 2) fail_input(fmt::format("'{}' has two numbers, not one or three", text), where);
    return numbers.size() == 1 ? MitsubaVector{numbers[0], numbers[0], numbers[0]}
                               : MitsubaVector{numbers[0], numbers[1], numbers[2]};
}

/// x, y, z, or all of them by `value`; axes that are absent take `fallback`.
MitsubaVector read_triple(MitsubaNode const& node, double fallback)
{
    if (auto const* value = find_attribute(node, "value")) return to_triple(*value, node.where);
    MitsubaVector triple{fallback, fallback, fallback};
    constexpr char const* kNames[] = {"x", "y", "z"};
    for (std::size_t i = 0; i < 3; ++i)
        if (auto const* text = find_attribute(node, kNames[i])) triple[i] = parse_one(*text, node.where);
    return triple;
}

Matrix4 make_rotation(MitsubaNode const& node)
{
    MitsubaVector const u = unit(read_triple(node, 0), node.where);
    double const angle = parse_one(need_attribute(node, "angle"), node.where) * std::numbers::pi / 180;
    double const c = std::cos(angle);
    double const s = std::sin(angle);
    auto const element = [&](std::size_t i, std::size_t j) { return u[i] * u[j] * (1 - c); };
    return {element(0, 0) + c,
            element(0, 1) - s * u[2],
            element(0, 2) + s * u[1],
            0,
            element(1, 0) + s * u[2],
            element(1, 1) + c,
            element(1, 2) - s * u[0],
            0,
            element(2, 0) - s * u[1],
            element(2, 1) + s * u[0],
            element(2, 2) + c,
            0,
            0,
            0,
            0,
            1};
}

Matrix4 make_look_at(MitsubaNode const& node)
{
    auto const triple = [&](char const* key) { return to_triple(need_attribute(node, key), node.where); };
    MitsubaVector const origin = triple("origin");
    MitsubaVector const target = triple("target");
    MitsubaVector const up = find_attribute(node, "up") != nullptr ? triple("up") : MitsubaVector{0, 1, 0};
    MitsubaVector const forward =
        unit({target[0] - origin[0], target[1] - origin[1], target[2] - origin[2]}, node.where);
    MitsubaVector const left = unit(cross(up, forward), node.where);
    MitsubaVector const true_up = cross(forward, left);
    return {left[0], true_up[0], forward[0], origin[0], left[1], true_up[1], forward[1], origin[1],
            left[2], true_up[2], forward[2], origin[2], 0,       0,          0,          1};
}

Matrix4 make_matrix(MitsubaNode const& node)
{
    auto const n = parse_mitsuba_numbers(need_attribute(node, "value"), 9, 16, node.where);
    if (n.size() == 9) return {n[0], n[1], n[2], 0, n[3], n[4], n[5], 0, n[6], n[7], n[8], 0, 0, 0, 0, 1};
    if (n.size() != 16) fail_input(fmt::format("a matrix of {} numbers", n.size()), node.where, "9 or 16 are known");
    Matrix4 matrix{};
    std::copy(n.begin(), n.end(), matrix.begin());
    if (n[12] != 0 || n[13] != 0 || n[14] != 0 || n[15] != 1)
        fail_input("the matrix is a projection", node.where, "its last row is not 0 0 0 1", "give an affine one");
    return matrix;
}

Matrix4 make_step(MitsubaNode const& node)
{
    if (node.tag == "translate") {
        MitsubaVector const t = read_triple(node, 0);
        return {1, 0, 0, t[0], 0, 1, 0, t[1], 0, 0, 1, t[2], 0, 0, 0, 1};
    }
    if (node.tag == "scale") {
        MitsubaVector const s = read_triple(node, 1);
        return {s[0], 0, 0, 0, 0, s[1], 0, 0, 0, 0, s[2], 0, 0, 0, 0, 1};
    }
    if (node.tag == "rotate") return make_rotation(node);
    if (node.tag == "lookat" || node.tag == "look_at") return make_look_at(node);
    if (node.tag == "matrix") return make_matrix(node);
    fail_input(fmt::format("<{}> is no transform that is known", node.tag), node.where,
               "translate, scale, rotate, lookat and matrix are");
}

std::vector<double> parse_hex_colour(std::string const& text, std::string const& where)
{
    char* end = nullptr;
    unsigned long const code = std::strtoul(text.c_str() + 1, &end, 16);
    if (text.size() != 7 || *end != '\0') fail_input(fmt::format("'{}' is no colour", text), where);
    return {static_cast<double>(code >> 16) / 255, static_cast<double>(code >> 8 & 255) / 255,
            static_cast<double>(code & 255) / 255};
}

double decode_srgb(double value)
{
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

} // namespace

Matrix4 multiply(Matrix4 const& left, Matrix4 const& right)
{
    Matrix4 product{};
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 4; ++j)
            for (std::size_t k = 0; k < 4; ++k) product[4 * i + j] += left[4 * i + k] * right[4 * k + j];
    return product;
}

MitsubaVector transform_vector(Matrix4 const& m, MitsubaVector const& v)
{
    return {m[0] * v[0] + m[1] * v[1] + m[2] * v[2], m[4] * v[0] + m[5] * v[1] + m[6] * v[2],
            m[8] * v[0] + m[9] * v[1] + m[10] * v[2]};
}

MitsubaVector transform_point(Matrix4 const& m, MitsubaVector const& p)
{
    MitsubaVector const v = transform_vector(m, p);
    return {v[0] + m[3], v[1] + m[7], v[2] + m[11]};
}

double find_cofactor(Matrix4 const& m, std::size_t i, std::size_t j)
{
    auto const at = [&](std::size_t row, std::size_t column) { return m[4 * ((i + row) % 3) + (j + column) % 3]; };
    return at(1, 1) * at(2, 2) - at(1, 2) * at(2, 1);
}

double find_determinant(Matrix4 const& m)
{
    return m[0] * find_cofactor(m, 0, 0) + m[1] * find_cofactor(m, 0, 1) + m[2] * find_cofactor(m, 0, 2);
}

Matrix4 invert_affine(Matrix4 const& m, std::string const& where)
{
    MitsubaVector const a{m[0], m[4], m[8]};
    MitsubaVector const b{m[1], m[5], m[9]};
    MitsubaVector const c{m[2], m[6], m[10]};
    double const determinant = dot(a, cross(b, c));
    if (!(std::abs(determinant) > 1e-30))
        fail_input("the transform has no inverse", where, "a volume without volume", "correct it");
    MitsubaVector const rows[] = {cross(b, c), cross(c, a), cross(a, b)};
    MitsubaVector const origin{m[3], m[7], m[11]};
    Matrix4 inverse{};
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) inverse[4 * i + j] = rows[i][j] / determinant;
        inverse[4 * i + 3] = -dot(rows[i], origin) / determinant;
    }
    inverse[15] = 1;
    return inverse;
}

std::vector<double> parse_mitsuba_numbers(std::string const& text, std::size_t low, std::size_t high,
                                          std::string const& where)
{
    std::vector<double> numbers;
    char const* at = text.c_str();
    for (;;) {
        while (*at == ' ' || *at == ',' || *at == '\t' || *at == '\n' || *at == '\r') ++at;
        if (*at == '\0') break;
        char* end = nullptr;
        double const number = std::strtod(at, &end);
        if (end == at || !(std::abs(number) <= kLargest))
            fail_input(fmt::format("'{}' holds something else than numbers", text.substr(0, 60)), where, {},
                       "correct it");
        numbers.push_back(number);
        at = end;
        if (numbers.size() > high) break;
    }
    if (numbers.size() < low || numbers.size() > high)
        fail_input(fmt::format("'{}' has not the numbers that belong here, {}", text.substr(0, 60),
                               low == high ? fmt::format("{}", low) : fmt::format("{} to {}", low, high)),
                   where, {}, "correct it");
    return numbers;
}

double read_number(MitsubaNode const& object, std::string_view name, double fallback)
{
    auto const* node = object.find(name);
    if (node == nullptr) return fallback;
    if (node->tag != "float" && node->tag != "integer")
        fail_input(fmt::format("{} is a <{}>, not a number", name, node->tag), node->where, {}, "give a number");
    return parse_one(need_attribute(*node, "value"), node->where);
}

std::string read_string(MitsubaNode const& object, std::string_view name, std::string fallback)
{
    auto const* node = object.find(name);
    return node == nullptr ? fallback : need_attribute(*node, "value");
}

bool read_boolean(MitsubaNode const& object, std::string_view name, bool fallback)
{
    auto const* node = object.find(name);
    if (node == nullptr) return fallback;
    std::string const text = node->tag == "boolean" ? need_attribute(*node, "value") : "";
    if (text != "true" && text != "false")
        fail_input(fmt::format("{} is neither true nor false", name), node->where, {}, "give it as <boolean>");
    return text == "true";
}

MitsubaVector read_point(MitsubaNode const& object, std::string_view name, MitsubaVector const& fallback)
{
    auto const* node = object.find(name);
    if (node == nullptr) return fallback;
    MitsubaVector point = fallback;
    if (auto const* value = find_attribute(*node, "value")) {
        auto const numbers = parse_mitsuba_numbers(*value, 3, 3, node->where);
        std::copy(numbers.begin(), numbers.end(), point.begin());
    }
    constexpr char const* kNames[] = {"x", "y", "z"};
    for (std::size_t i = 0; i < 3; ++i)
        if (auto const* text = find_attribute(*node, kNames[i])) point[i] = parse_one(*text, node->where);
    return point;
}

std::vector<double> parse_colour(MitsubaNode const& node)
{
    bool const known = node.tag == "float" || node.tag == "integer" || node.tag == "rgb" || node.tag == "srgb" ||
                       node.tag == "spectrum" || node.tag == "color";
    std::string const text = known ? need_attribute(node, "value") : "";
    if (!known || text.find(':') != std::string::npos)
        fail_input(fmt::format("<{}> {} is no colour that is known", node.tag, node.name), node.where,
                   "volumes carry red, green and blue", "give it as <rgb>");
    bool const hex = text.starts_with('#');
    auto colour = hex ? parse_hex_colour(text, node.where) : parse_mitsuba_numbers(text, 1, 3, node.where);
    if (colour.size() == 2) fail_input(fmt::format("'{}' has two numbers, not one or three", text), node.where);
    if (hex || node.tag == "srgb")
        for (double& value : colour) value = decode_srgb(value);
    return colour;
}

Matrix4 read_transform(MitsubaNode const& object, std::string_view name)
{
    Matrix4 matrix = kIdentity;
    auto const* node = object.find(name);
    if (node == nullptr) return matrix;
    node->mark_all_used();
    for (auto const& step : node->children) {
        matrix = multiply(make_step(*step), matrix);
        for (double const element : matrix)
            if (!(std::abs(element) <= kLargest)) fail_input("the transform grows beyond 1e12", step->where);
    }
    return matrix;
}

double find_axis_length(MitsubaNode const& rotation)
{
    auto const [x, y, z] = read_triple(rotation, 0);
    return std::hypot(x, y, z);
}

std::optional<BoxFrame> find_box_frame(Matrix4 const& matrix)
{
    BoxFrame frame;
    MitsubaVector directions[3];
    for (std::size_t j = 0; j < 3; ++j) {
        MitsubaVector const edge{matrix[j], matrix[4 + j], matrix[8 + j]};
        frame.edges[j] = std::sqrt(dot(edge, edge));
        if (!(frame.edges[j] > 1e-12)) return std::nullopt;
        for (std::size_t i = 0; i < 3; ++i) directions[j][i] = edge[i] / frame.edges[j];
    }
    for (std::size_t j = 0; j < 3; ++j)
        if (std::abs(dot(directions[j], directions[(j + 1) % 3])) > 1e-4) return std::nullopt;
    // Made exactly orthonormal; the third axis keeps its orientation.
    MitsubaVector const x = directions[0];
    double const lean = dot(directions[1], x);
    MitsubaVector y{directions[1][0] - lean * x[0], directions[1][1] - lean * x[1], directions[1][2] - lean * x[2]};
    double const length = std::sqrt(dot(y, y));
    for (double& value : y) value /= length;
    MitsubaVector z = cross(x, y);
    if (dot(z, directions[2]) < 0)
        for (double& value : z) value = -value;
    for (std::size_t i = 0; i < 3; ++i) {
        frame.rotation[3 * i] = x[i];
        frame.rotation[3 * i + 1] = y[i];
        frame.rotation[3 * i + 2] = z[i];
    }
    frame.corner = {matrix[3], matrix[7], matrix[11]};
    return frame;
}

} // namespace volpt
