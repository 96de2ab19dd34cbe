// What tests of mesh readers expect of the sample tetrahedron, whatever the order and repetition of its vertices.
#pragma once

#include "formats/mesh/reader.h"
#include "tests/formats/mesh_samples.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>

namespace volpt {

using MeshCorner = std::array<float, 3>;

inline MeshCorner corner_of(TriangleMesh const& mesh, std::size_t triangle, std::size_t corner)
{
    Vec3 const p = mesh.positions_mm[mesh.triangles[triangle][corner]];
    return {p.x, p.y, p.z};
}

/// The triangles are those of the tetrahedron, in order, each corner taken through `place`; with equal winding.
inline void expect_tetrahedron(
    TriangleMesh const& mesh, std::size_t first = 0,
    std::function<MeshCorner(MeshCorner)> const& place = [](MeshCorner p) { return p; }, bool is_mirrored = false)
{
    ASSERT_GE(mesh.triangles.size(), first + 4);
    for (std::size_t i = 0; i < 4; ++i) {
        std::array<MeshCorner, 3> wanted{}, got{};
        for (std::size_t k = 0; k < 3; ++k) {
            wanted[k] = place(kTetraCorners[kTetraFaces[i][is_mirrored ? 2 - k : k]]);
            got[k] = corner_of(mesh, first + i, k);
        }
        // Which corner comes first does not matter.
        std::rotate(wanted.begin(), std::ranges::min_element(wanted), wanted.end());
        std::rotate(got.begin(), std::ranges::min_element(got), got.end());
        EXPECT_EQ(got, wanted) << "triangle " << i;
    }
}

inline void expect_finite_coordinates(TriangleMesh const& mesh)
{
    for (auto const& corners : mesh.texture_coordinates)
        for (TextureCoordinates const& at : corners) EXPECT_TRUE(std::isfinite(at.u) && std::isfinite(at.v));
}

/// Sum over triangles of corner . (corner x corner) / 6; negative if the surface is inside out.
inline double volume_of(TriangleMesh const& mesh)
{
    double volume = 0;
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        MeshCorner const a = corner_of(mesh, i, 0), b = corner_of(mesh, i, 1), c = corner_of(mesh, i, 2);
        volume += static_cast<double>(a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                                      a[2] * (b[0] * c[1] - b[1] * c[0])) /
                  6;
    }
    return volume;
}

} // namespace volpt
