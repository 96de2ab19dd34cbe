#include "libvolpt/surface/weld_vertices.h"

#include "libvolpt/surface/make_mesh.h"

#include <cmath>
#include <gtest/gtest.h>

namespace volpt {
namespace {

/// As an STL file has it: every triangle with vertices of its own.
TriangleMesh separate_corners(TriangleMesh const& mesh)
{
    TriangleMesh apart;
    for (auto const& t : mesh.triangles) {
        auto const base = static_cast<std::uint32_t>(apart.positions_mm.size());
        for (std::uint32_t const corner : t) apart.positions_mm.push_back(mesh.positions_mm[corner]);
        apart.triangles.push_back({base, base + 1, base + 2});
    }
    return apart;
}

bool have_equal_positions(std::vector<Vec3> const& a, std::vector<Vec3> const& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](Vec3 p, Vec3 q) { return p.x == q.x && p.y == q.y && p.z == q.z; });
}

TEST(WeldVertices, CornersOfAClosedMeshBecomeItsVertices)
{
    TriangleMesh const torus = make_torus(3, 1, 30, 20);
    TriangleMesh mesh = separate_corners(torus);
    EXPECT_EQ(weld_vertices(mesh, 1), 3600u - 600u);
    ASSERT_EQ(mesh.positions_mm.size(), 600u);
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        for (std::size_t corner = 0; corner < 3; ++corner) {
            Vec3 const p = mesh.positions_mm[mesh.triangles[i][corner]];
            Vec3 const q = torus.positions_mm[torus.triangles[i][corner]];
            ASSERT_TRUE(p.x == q.x && p.y == q.y && p.z == q.z);
        }
    }
    EXPECT_EQ(weld_vertices(mesh, 1), 0u);
    EXPECT_EQ(make_icosphere(1, 7).positions_mm.size(), 10u * 7 * 7 + 2);
}

TEST(WeldVertices, FirstOfEqualVerticesStaysAndNegativeZeroIsZero)
{
    TriangleMesh mesh;
    mesh.positions_mm = {{1, 0, 0}, {0, 0, 0}, {0, 1, 0}, {1, -0.0f, 0}, {-0.0f, 0, -0.0f}, {0, 2, 0}};
    mesh.triangles = {{0, 1, 2}, {3, 4, 5}, {5, 4, 9}};
    EXPECT_EQ(weld_vertices(mesh, 1), 2u);
    std::vector<Vec3> const expected = {{1, 0, 0}, {0, 0, 0}, {0, 1, 0}, {0, 2, 0}};
    EXPECT_TRUE(have_equal_positions(mesh.positions_mm, expected));
    EXPECT_EQ(mesh.triangles, (std::vector<std::array<std::uint32_t, 3>>{{0, 1, 2}, {0, 1, 3}, {3, 1, 9}}));
}

TEST(WeldVertices, VerticesThatAreNotFiniteStayApart)
{
    TriangleMesh mesh;
    float const nan = std::nanf("");
    mesh.positions_mm = {{nan, 0, 0}, {nan, 0, 0}, {INFINITY, 0, 0}, {INFINITY, 0, 0}};
    EXPECT_EQ(weld_vertices(mesh, 1), 0u);
}

TEST(WeldVertices, ResultDoesNotDependOnThreads)
{
    TriangleMesh const apart = separate_corners(make_icosphere(2, 130));
    TriangleMesh one = apart;
    weld_vertices(one, 1);
    for (int const threads : {2, 5}) {
        TriangleMesh more = apart;
        weld_vertices(more, threads);
        EXPECT_TRUE(have_equal_positions(one.positions_mm, more.positions_mm));
        EXPECT_EQ(one.triangles, more.triangles);
    }
}

} // namespace
} // namespace volpt
