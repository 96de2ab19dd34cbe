#include "libvolpt/core/surface/triangle.hd.h"

#include "libvolpt/surface/make_mesh.h"
#include "tests/surface/random_points.h"

#include <gtest/gtest.h>

namespace volpt {
namespace {

using test::draw_number;
using test::draw_point;

struct Crossings {
    int fronts = 0, backs = 0;
};

/// All crossings of the mesh from the origin of the ray on.
Crossings count_crossings(TriangleMesh const& mesh, Vec3 origin, Vec3 direction)
{
    TriangleRay const ray = make_triangle_ray(origin, direction);
    Crossings crossings;
    for (auto const& t : mesh.triangles) {
        Vec3 const a = mesh.positions_mm[t[0]];
        Vec3 const b = mesh.positions_mm[t[1]];
        Vec3 const c = mesh.positions_mm[t[2]];
        if (TriangleHit const hit = intersect_triangle(ray, a, b, c, Facing::front); hit.met && hit.t > 0)
            ++crossings.fronts;
        if (TriangleHit const hit = intersect_triangle(ray, a, b, c, Facing::back); hit.met && hit.t > 0)
            ++crossings.backs;
    }
    return crossings;
}

/// Points where closed meshes leak: vertices and midpoints of edges.
std::vector<Vec3> list_targets(TriangleMesh const& mesh)
{
    std::vector<Vec3> targets = mesh.positions_mm;
    for (auto const& t : mesh.triangles) {
        targets.push_back(0.5f * (mesh.positions_mm[t[0]] + mesh.positions_mm[t[1]]));
    }
    return targets;
}

TEST(Triangle, DifferenceOfProductsHasTheExactSign)
{
    std::mt19937 random(1);
    int equal = 0;
    for (int i = 0; i < 2000000; ++i) {
        // Mantissas near each other, so that products agree in their leading bits, or all.
        auto const base = 0x800000u + (random() & 0x7ffff0u);
        std::array<std::int64_t, 4> m{};
        for (auto& value : m) value = static_cast<std::int64_t>(base + (random() & 3u));
        if (i % 4 == 0) {
            auto const factor = static_cast<std::int64_t>(1 + (random() & 0xffu));
            m = {(m[0] >> 9) * factor, m[1] >> 9, m[0] >> 9, (m[1] >> 9) * factor};
        }
        std::int64_t const exact = m[0] * m[1] - m[2] * m[3];
        float const found = difference_of_products(static_cast<float>(m[0]), static_cast<float>(m[1]),
                                                   static_cast<float>(m[2]), static_cast<float>(m[3]));
        ASSERT_EQ((found > 0) - (found < 0), (exact > 0) - (exact < 0))
            << m[0] << " " << m[1] << " " << m[2] << " " << m[3];
        ASSERT_NEAR(found, static_cast<double>(exact), 0x1p-23 * std::abs(static_cast<double>(exact)));
        equal += exact == 0 ? 1 : 0;
    }
    EXPECT_GT(equal, 100000);
}

TEST(Triangle, FrontIsWhereCornersGoCounterClockwise)
{
    Vec3 const a{0, 0, 0};
    Vec3 const b{1, 0, 0};
    Vec3 const c{0, 1, 0};
    for (float const slant : {0.0f, 0.3f, -0.2f}) {
        TriangleRay const down = make_triangle_ray({0.2f - slant, 0.3f, 1}, {slant, 0, -1});
        TriangleRay const up = make_triangle_ray({0.2f - slant, 0.3f, -1}, {slant, 0, 1});
        EXPECT_TRUE(intersect_triangle(down, a, b, c, Facing::front).met);
        EXPECT_FALSE(intersect_triangle(down, a, b, c, Facing::back).met);
        EXPECT_FALSE(intersect_triangle(up, a, b, c, Facing::front).met);
        EXPECT_TRUE(intersect_triangle(up, a, b, c, Facing::back).met);
    }
    // The same seen along the other axes, by turning all of it.
    for (int turns = 1; turns < 3; ++turns) {
        auto const turn = [&](Vec3 v) { return turn_to_axis(v, turns - 1); };
        TriangleRay const ray = make_triangle_ray(turn({0.2f, 0.3f, 1}), turn({0, 0, -1}));
        EXPECT_TRUE(intersect_triangle(ray, turn(a), turn(b), turn(c), Facing::front).met);
        EXPECT_FALSE(intersect_triangle(ray, turn(a), turn(b), turn(c), Facing::back).met);
    }
}

TEST(Triangle, DistanceAndWeightsAreThoseOfThePoint)
{
    std::mt19937 random(2);
    for (int i = 0; i < 20000; ++i) {
        Vec3 const a = draw_point(random, 10);
        Vec3 const b = draw_point(random, 10);
        Vec3 const c = draw_point(random, 10);
        Vec3 const origin = draw_point(random, 20);
        float const v = draw_number(random, 0.05f, 0.45f);
        float const w = draw_number(random, 0.05f, 0.45f);
        Vec3 const point = (1 - v - w) * a + v * b + w * c;
        Vec3 const way = point - origin;
        Vec3 const normal = cross(b - a, c - a);
        if (std::abs(dot(normal, way)) < 0.1f * std::sqrt(dot(normal, normal) * dot(way, way)) ||
            dot(normal, normal) < 10)
            continue;
        TriangleHit const hit = intersect_triangle(make_triangle_ray(origin, way), a, b, c, Facing::any);
        ASSERT_TRUE(hit.met);
        EXPECT_NEAR(hit.t, 1, 1e-4);
        EXPECT_NEAR(hit.weight_b, v, 2e-4);
        EXPECT_NEAR(hit.weight_c, w, 2e-4);
    }
}

TEST(Triangle, RaysAtEdgesAndVerticesCrossClosedMeshesAsOftenInAsOut)
{
    std::mt19937 random(3);
    for (TriangleMesh const& mesh : {make_icosphere(1, 5), make_torus(2, 0.7f, 24, 14), make_bumpy_sphere(3, 5, 0.5f),
                                     make_box({-1, -1, -1}, {1, 1, 1})}) {
        std::vector<Vec3> const targets = list_targets(mesh);
        for (int i = 0; i < 8000; ++i) {
            Vec3 const target = targets[random() % targets.size()];
            Vec3 origin = draw_point(random, 8);
            // Along axes and through other vertices, where shears are 0 or edges are seen from their ends.
            if (i % 4 == 1) origin = with_axis(target, i / 4 % 3, 9.0f);
            if (i % 4 == 2)
                origin = targets[random() % targets.size()] + 16.0f * (target - targets[random() % targets.size()]);
            if (dot(origin, origin) < 25 || dot(target - origin, target - origin) == 0) continue;
            Crossings const crossings = count_crossings(mesh, origin, target - origin);
            ASSERT_EQ(crossings.fronts, crossings.backs) << i;
        }
    }
}

TEST(Triangle, RaysFromInsideLeaveOnceMoreThanTheyEnter)
{
    std::mt19937 random(4);
    TriangleMesh const mesh = make_bumpy_sphere(3, 6, 0.5f);
    std::vector<Vec3> const targets = list_targets(mesh);
    for (Vec3 const& target : targets) {
        Vec3 const origin = draw_point(random, 0.5f);
        Crossings const crossings = count_crossings(mesh, origin, target - origin);
        ASSERT_EQ(crossings.backs, crossings.fronts + 1);
    }
}

TEST(Triangle, EdgeOnAndDegenerateTrianglesAreNotMet)
{
    TriangleRay const ray = make_triangle_ray({0, 0, 5}, {0, 0, -1});
    EXPECT_FALSE(intersect_triangle(ray, {0, 0, 0}, {0, 0, 1}, {0, 1, 0}, Facing::any).met);
    EXPECT_FALSE(intersect_triangle(ray, {-1, 0, 0}, {0, 0, 0}, {1, 0, 0}, Facing::any).met);
    EXPECT_FALSE(intersect_triangle(ray, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, Facing::any).met);
    EXPECT_FALSE(intersect_triangle(ray, {-1, -1, 0}, {-1, -1, 0}, {1, 1, 0}, Facing::any).met);
}

} // namespace
} // namespace volpt
