// Closed meshes with texture coordinates, a rectangle of texture space for each flat face.
#pragma once

#include "libvolpt/surface/make_mesh.h"

#include <algorithm>

namespace volpt::test {

/// The part of a chart's cell that it covers, from `kChartMargin` on along each axis.
inline constexpr float kChartMargin = 0.1f;

/// Puts the rectangle of triangles 2 i and 2 i + 1 into cell i of a grid, row by row from v = 0, for i < columns *
/// rows; others lie beyond u = 2. u and v of the first triangle grow along its first two sides that meet at a right
/// angle.
inline TriangleMesh chart_rectangles(TriangleMesh mesh, int columns, int rows)
{
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        int const face = static_cast<int>(i / 2);
        std::array<Vec3, 4> corners{};
        std::size_t count = 0;
        for (std::size_t k = 0; k < 2; ++k)
            for (std::uint32_t const vertex : mesh.triangles[2 * (i / 2) + k]) {
                Vec3 const p = mesh.positions_mm[vertex];
                bool const is_known = std::any_of(corners.begin(), corners.begin() + static_cast<std::ptrdiff_t>(count),
                                                  [&](Vec3 q) { return q.x == p.x && q.y == p.y && q.z == p.z; });
                if (!is_known && count < 4) corners[count++] = p;
            }
        // Of the four corners, the one that is farthest from the first lies opposite.
        auto const distance = [&](Vec3 p) { return dot(p - corners[0], p - corners[0]); };
        std::sort(corners.begin() + 1, corners.end(), [&](Vec3 p, Vec3 q) { return distance(p) < distance(q); });
        Vec3 const side_u = corners[1] - corners[0], side_v = corners[2] - corners[0];
        std::array<TextureCoordinates, 3> at{};
        for (std::size_t c = 0; c < 3; ++c) {
            Vec3 const p = mesh.positions_mm[mesh.triangles[i][c]] - corners[0];
            float const a = dot(p, side_u) / dot(side_u, side_u), b = dot(p, side_v) / dot(side_v, side_v);
            float const size = 1 - 2 * kChartMargin;
            at[c] = {(static_cast<float>(face % columns) + kChartMargin + size * a) / static_cast<float>(columns),
                     (static_cast<float>(face / columns) + kChartMargin + size * b) / static_cast<float>(rows)};
            if (face >= columns * rows) at[c].u += 2;
        }
        mesh.texture_coordinates.push_back(at);
    }
    return mesh;
}

/// A block of 3 x 3 x depth mm with a notch of 1 x 2 mm from above (+y). Its sides are rectangles, in this order:
/// below, right, right tip, right wall of the notch, floor of the notch, left wall, left tip, left; then come both
/// ends.
inline TriangleMesh make_notched_block(float depth_mm)
{
    static constexpr std::array<std::array<float, 2>, 8> kOutline{
        {{0, 0}, {3, 0}, {3, 3}, {2, 3}, {2, 1}, {1, 1}, {1, 3}, {0, 3}}};
    static constexpr std::array<std::array<std::uint32_t, 3>, 6> kEnd{
        {{0, 1, 4}, {0, 4, 5}, {1, 2, 4}, {2, 3, 4}, {0, 5, 7}, {5, 6, 7}}};
    TriangleMesh mesh;
    for (float const z : {0.0f, depth_mm})
        for (auto const& [x, y] : kOutline) mesh.positions_mm.push_back({x, y, z});
    for (std::uint32_t i = 0; i < 8; ++i) {
        std::uint32_t const j = (i + 1) % 8;
        mesh.triangles.push_back({i, j, j + 8});
        mesh.triangles.push_back({i, j + 8, i + 8});
    }
    for (auto const& t : kEnd) {
        mesh.triangles.push_back({t[0] + 8, t[1] + 8, t[2] + 8});
        mesh.triangles.push_back({t[0], t[2], t[1]});
    }
    return mesh;
}

} // namespace volpt::test
