#include "libvolpt/surface/winding/winding_number.h"

#include "libvolpt/surface/make_mesh.h"
#include "libvolpt/surface/mesh_topology.h"
#include "libvolpt/surface/winding/hole_caps.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

namespace volpt {
namespace {

using Point = WindingNumber::Point;

constexpr Point kUnscaled{1, 1, 1};

/// Without the triangles whose corners all lie below z_mm.
TriangleMesh cut_below(TriangleMesh mesh, float z_mm)
{
    std::erase_if(mesh.triangles, [&](auto const& t) {
        return std::max({mesh.positions_mm[t[0]].z, mesh.positions_mm[t[1]].z, mesh.positions_mm[t[2]].z}) < z_mm;
    });
    return mesh;
}

double sum_one_by_one(TriangleMesh const& mesh, Point const& point)
{
    double sum = 0;
    for (auto const& triangle : mesh.triangles) {
        auto const widen = [&](std::size_t corner) {
            Vec3 const p = mesh.positions_mm[triangle[corner]];
            return Point{static_cast<double>(p.x) - point[0], static_cast<double>(p.y) - point[1],
                         static_cast<double>(p.z) - point[2]};
        };
        Point const a = widen(0), b = widen(1), c = widen(2);
        auto const dot3 = [](Point const& p, Point const& q) { return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]; };
        double const volume = a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                              a[2] * (b[0] * c[1] - b[1] * c[0]);
        double const la = std::sqrt(dot3(a, a)), lb = std::sqrt(dot3(b, b)), lc = std::sqrt(dot3(c, c));
        sum += std::atan2(volume, la * lb * lc + dot3(a, b) * lc + dot3(b, c) * la + dot3(c, a) * lb);
    }
    return sum / (2 * std::numbers::pi);
}

template <typename Visit>
void visit_points(double half, int steps, Visit const& visit)
{
    for (int z = 0; z < steps; ++z)
        for (int y = 0; y < steps; ++y)
            for (int x = 0; x < steps; ++x)
                visit(Point{half * (2 * (x + 0.31) / steps - 1), half * (2 * (y + 0.57) / steps - 1),
                            half * (2 * (z + 0.43) / steps - 1)});
}

TEST(WindingNumber, IsOneInsideAndZeroOutsideOfAClosedMesh)
{
    WindingNumber const winding(make_bumpy_sphere(2, 12, 0.3f), kUnscaled, 2);
    EXPECT_NEAR(winding.evaluate({0.1, 0.2, -0.3}), 1, 0.01);
    EXPECT_NEAR(winding.evaluate({3, 0.2, -0.3}), 0, 0.01);
    EXPECT_NEAR(winding.evaluate({300, 200, 0}), 0, 1e-6);
    WindingNumber const inverted(invert_mesh(make_icosphere(2, 8)), kUnscaled, 2);
    EXPECT_NEAR(inverted.evaluate({0.1, 0.2, -0.3}), -1, 0.01);
}

TEST(WindingNumber, IsTheSumOfSolidAnglesWithinAHundredth)
{
    for (TriangleMesh const& mesh : {cut_below(make_icosphere(2, 16), -0.4f), cut_below(make_torus(2, 0.7f, 48, 24), 0),
                                     make_bumpy_sphere(2, 12, 0.4f)}) {
        WindingNumber const winding(mesh, kUnscaled, 2);
        double largest = 0;
        visit_points(3.5, 9, [&](Point const& p) {
            largest = std::max(largest, std::abs(winding.evaluate(p) - sum_one_by_one(mesh, p)));
        });
        EXPECT_LT(largest, 0.01);
        EXPECT_GT(largest, 0); // groups are taken together
    }
}

/// What is left out is of the third order: a dipole falls with the square of the distance.
TEST(WindingNumber, ErrorOfAGroupFallsWithTheFifthPowerOfItsDistance)
{
    TriangleMesh const mesh = cut_below(make_bumpy_sphere(1, 6, 0.3f), 0.1f);
    WindingNumber const winding(mesh, kUnscaled, 1);
    auto const find_error = [&](double distance) {
        Point const p{0.6 * distance, 0.48 * distance, 0.64 * distance};
        return std::abs(winding.evaluate(p) - sum_one_by_one(mesh, p));
    };
    double const near = find_error(4), far = find_error(8);
    EXPECT_LT(far, near / 20); // 1/r^5 has 1/32, 1/r^4 would have 1/16
}

TEST(HoleCaps, CloseEveryEdge)
{
    for (TriangleMesh mesh : {cut_below(make_icosphere(2, 10), -0.4f), cut_below(make_torus(2, 0.7f, 24, 12), 0)}) {
        HoleCaps const caps = cap_holes(mesh, 2);
        EXPECT_FALSE(caps.triangles.empty());
        EXPECT_EQ(caps.edges.size(), caps.triangles.size());
        mesh.positions_mm.insert(mesh.positions_mm.end(), caps.apexes.begin(), caps.apexes.end());
        mesh.triangles.insert(mesh.triangles.end(), caps.triangles.begin(), caps.triangles.end());
        for (OddEdge const& edge : find_topology(mesh, 1).odd_edges) EXPECT_EQ(edge.balance, 0);
    }
    EXPECT_TRUE(cap_holes(make_icosphere(1, 4), 1).triangles.empty());
}

} // namespace
} // namespace volpt
