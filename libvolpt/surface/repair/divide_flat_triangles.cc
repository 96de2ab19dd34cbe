#include "libvolpt/surface/repair/divide_flat_triangles.h"

#include "libvolpt/surface/exact_predicates.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace volpt {
namespace {

constexpr int kMaxPasses = 32;
constexpr std::uint32_t kNobody = 0xffffffffu;

struct FlatTriangle {
    std::uint32_t triangle;
    std::size_t middle; ///< the corner between the others
};

std::uint64_t make_directed_edge(std::uint32_t from, std::uint32_t to)
{
    return std::uint64_t{from} << 32 | to;
}

bool lies_between(Vec3 p, Vec3 a, Vec3 b)
{
    for (int axis = 0; axis < 3; ++axis) {
        float const x = get_axis(p, axis);
        float const low = exact::min(get_axis(a, axis), get_axis(b, axis));
        float const high = exact::max(get_axis(a, axis), get_axis(b, axis));
        if (x < low || x > high) return false;
    }
    return true;
}

std::vector<FlatTriangle> list_flat_triangles(TriangleMesh const& mesh)
{
    std::vector<FlatTriangle> flat;
    for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
        auto const& t = mesh.triangles[i];
        std::array<Vec3, 3> const p = {mesh.positions_mm[t[0]], mesh.positions_mm[t[1]], mesh.positions_mm[t[2]]};
        if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0] || !are_collinear(p[0], p[1], p[2])) continue;
        for (std::size_t k = 0; k < 3; ++k) {
            if (!lies_between(p[k], p[(k + 1) % 3], p[(k + 2) % 3])) continue;
            flat.push_back({i, k});
            break;
        }
    }
    return flat;
}

/// Where p lies between a and b, from 0 to 1.
float find_share(Vec3 p, Vec3 a, Vec3 b)
{
    Vec3 const way = b - a;
    float const length = dot(way, way);
    return length > 0 ? exact::max(0.0f, exact::min(1.0f, dot(p - a, way) / length)) : 0.5f;
}

/// The neighbour keeps the half at its corner `first`, the flat triangle becomes the other one: corners (first, middle,
/// last) of the one and (middle, second, last) of the other, where the long side leads from `first` to `second`.
template <typename Item, typename Mix>
void divide_items(std::vector<Item>& items, std::uint32_t neighbour, std::uint32_t flat, std::size_t first,
                  Mix const& mix)
{
    if (items.empty()) return;
    Item const old = items[neighbour];
    std::size_t const second = (first + 1) % 3;
    std::size_t const last = (first + 2) % 3;
    auto const middle = mix(old[first], old[second]);
    items[neighbour] = {old[first], middle, old[last]};
    items[flat] = {middle, old[second], old[last]};
}

std::uint32_t mix_colours(std::uint32_t a, std::uint32_t b, float share)
{
    std::uint32_t mixed = 0;
    for (unsigned shift = 0; shift < 24; shift += 8) {
        auto const from = static_cast<float>(a >> shift & 0xffu);
        auto const to = static_cast<float>(b >> shift & 0xffu);
        mixed |= static_cast<std::uint32_t>(from + share * (to - from) + 0.5f) << shift;
    }
    return mixed;
}

void divide(TriangleMesh& mesh, FlatTriangle const& flat, std::uint32_t neighbour)
{
    auto const corners = mesh.triangles[flat.triangle];
    std::uint32_t const middle = corners[flat.middle];
    std::uint32_t const first_vertex = corners[(flat.middle + 2) % 3];
    auto const& old = mesh.triangles[neighbour];
    std::size_t const first = old[0] == first_vertex ? 0 : old[1] == first_vertex ? 1 : 2;
    float const share =
        find_share(mesh.positions_mm[middle], mesh.positions_mm[first_vertex], mesh.positions_mm[old[(first + 1) % 3]]);
    divide_items(mesh.triangles, neighbour, flat.triangle, first, [&](std::uint32_t, std::uint32_t) { return middle; });
    divide_items(mesh.normals, neighbour, flat.triangle, first, [&](Vec3 a, Vec3 b) {
        Vec3 const sum = a + share * (b - a);
        float const length = std::sqrt(dot(sum, sum));
        return length > 0 ? (1.0f / length) * sum : a;
    });
    divide_items(mesh.texture_coordinates, neighbour, flat.triangle, first,
                 [&](TextureCoordinates a, TextureCoordinates b) {
                     return TextureCoordinates{a.u + share * (b.u - a.u), a.v + share * (b.v - a.v)};
                 });
    divide_items(mesh.colours, neighbour, flat.triangle, first,
                 [&](std::uint32_t a, std::uint32_t b) { return mix_colours(a, b, share); });
    if (!mesh.pictures.empty()) mesh.pictures[flat.triangle] = mesh.pictures[neighbour];
}

} // namespace

std::uint64_t divide_flat_triangles(TriangleMesh& mesh)
{
    std::vector<FlatTriangle> flat = list_flat_triangles(mesh);
    std::size_t const before = flat.size();
    for (int pass = 0; pass < kMaxPasses && !flat.empty(); ++pass) {
        // The long side leads from the corner after the middle to the one before it; the neighbour runs against it.
        std::unordered_map<std::uint64_t, std::uint32_t> neighbours;
        auto const find_wanted = [&](FlatTriangle const& item) {
            auto const& t = mesh.triangles[item.triangle];
            return make_directed_edge(t[(item.middle + 2) % 3], t[(item.middle + 1) % 3]);
        };
        for (FlatTriangle const& item : flat) neighbours.emplace(find_wanted(item), kNobody);
        for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
            auto const& t = mesh.triangles[i];
            for (std::size_t side = 0; side < 3; ++side) {
                auto const found = neighbours.find(make_directed_edge(t[side], t[(side + 1) % 3]));
                if (found != neighbours.end() && found->second == kNobody) found->second = i;
            }
        }
        std::vector<bool> is_changed(mesh.triangles.size());
        bool has_changed = false;
        for (FlatTriangle const& item : flat) {
            if (is_changed[item.triangle]) continue;
            std::uint32_t const neighbour = neighbours.at(find_wanted(item));
            if (neighbour == kNobody || is_changed[neighbour]) continue;
            divide(mesh, item, neighbour);
            is_changed[item.triangle] = is_changed[neighbour] = has_changed = true;
        }
        if (!has_changed) break;
        flat = list_flat_triangles(mesh);
    }
    return before - std::min(before, flat.size());
}

} // namespace volpt
