#include "libvolpt/surface/exact_predicates.h"

#include "libvolpt/surface/triangle_overlap.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace volpt {
namespace {

__extension__ using Int128 = __int128;

struct IntPoint {
    std::int64_t x, y, z;

    Vec3 scaled(float by) const
    {
        return by * Vec3{static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
    }
};

int find_sign(Int128 value)
{
    return (value > 0) - (value < 0);
}

Int128 find_determinant(IntPoint a, IntPoint b, IntPoint c, IntPoint d)
{
    auto const px = a.x - d.x, py = a.y - d.y, pz = a.z - d.z;
    auto const qx = b.x - d.x, qy = b.y - d.y, qz = b.z - d.z;
    auto const rx = c.x - d.x, ry = c.y - d.y, rz = c.z - d.z;
    return Int128{pz} * (qx * ry - rx * qy) + Int128{qz} * (rx * py - px * ry) + Int128{rz} * (px * qy - qx * py);
}

IntPoint draw_int_point(std::mt19937& random, std::int64_t size)
{
    auto const draw = [&] {
        return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(2 * size + 1)) - size;
    };
    auto const x = draw();
    auto const y = draw();
    return {x, y, draw()};
}

/// Points in or within a few units of the plane of a, b, c.
IntPoint draw_near_plane(std::mt19937& random, IntPoint a, IntPoint b, IntPoint c)
{
    auto const u = static_cast<std::int64_t>(random() % 7) - 3;
    auto const v = static_cast<std::int64_t>(random() % 7) - 3;
    IntPoint d{a.x + u * (b.x - a.x) + v * (c.x - a.x), a.y + u * (b.y - a.y) + v * (c.y - a.y),
               a.z + u * (b.z - a.z) + v * (c.z - a.z)};
    if (random() % 2 == 0) d.z += static_cast<std::int64_t>(random() % 3) - 1;
    return d;
}

TEST(ExactPredicates, SideOfPlaneIsThatOfIntegerArithmetic)
{
    std::mt19937 random(1);
    std::array<int, 3> counts{};
    for (int i = 0; i < 300000; ++i) {
        // Up to 2^24 / 13, so that all points are floats.
        IntPoint const a = draw_int_point(random, 1 << 19);
        IntPoint const b = draw_int_point(random, 1 << 19);
        IntPoint const c = draw_int_point(random, 1 << 19);
        IntPoint const d = draw_near_plane(random, a, b, c);
        int const expected = find_sign(find_determinant(a, b, c, d));
        for (float const scale : {1.0f, 0x1p-30f}) {
            ASSERT_EQ(find_side_of_plane(a.scaled(scale), b.scaled(scale), c.scaled(scale), d.scaled(scale)), expected);
        }
        ++counts[static_cast<std::size_t>(expected + 1)];
    }
    for (int const count : counts) EXPECT_GT(count, 30000);
}

TEST(ExactPredicates, SideOfPlaneIsExactForCoordinatesOfAllMagnitudes)
{
    // A plane through the origin along (1, -1, 0) and z, and a point off it by one part in 2^100.
    Vec3 const a{0x1p60f, 0x1p60f, 0};
    Vec3 const b{0, 0, 1};
    Vec3 const c{-0x1p60f, -0x1p60f, 5};
    EXPECT_EQ(find_side_of_plane(a, b, c, {0x1p-40f, 0x1p-40f, 3}), 0);
    int const side = find_side_of_plane(a, b, c, {0x1.000002p-40f, 0x1p-40f, 3});
    EXPECT_NE(side, 0);
    EXPECT_EQ(find_side_of_plane(a, b, c, {0x1p-40f, 0x1.000002p-40f, 3}), -side);
}

TEST(ExactPredicates, FrontIsNegative)
{
    EXPECT_EQ(find_side_of_plane({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}), -1);
    EXPECT_EQ(find_turn({0, 0, 9}, {1, 0, 8}, {0, 1, 7}, 2), 1);
    EXPECT_EQ(find_turn({9, 0, 0}, {8, 1, 0}, {7, 0, 1}, 0), 1);
}

TEST(ExactPredicates, TurnIsThatOfIntegerArithmetic)
{
    std::mt19937 random(2);
    int on_line = 0;
    for (int i = 0; i < 200000; ++i) {
        IntPoint const a = draw_int_point(random, 1 << 20);
        IntPoint const b = draw_int_point(random, 1 << 20);
        auto const u = static_cast<std::int64_t>(random() % 7) - 3;
        IntPoint const c{a.x + u * (b.x - a.x), a.y + u * (b.y - a.y) + static_cast<std::int64_t>(random() % 3) - 1,
                         a.z};
        std::int64_t const expected = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
        ASSERT_EQ(find_turn(a.scaled(0x1p-7f), b.scaled(0x1p-7f), c.scaled(0x1p-7f), 2), find_sign(expected));
        on_line += expected == 0 ? 1 : 0;
    }
    EXPECT_GT(on_line, 10000);
}

NumberedTriangle number(Vec3 a, Vec3 b, Vec3 c, std::array<std::uint32_t, 3> vertices)
{
    return {{a, b, c}, vertices};
}

/// Both ways, with corners turned.
bool overlap(NumberedTriangle const& a, NumberedTriangle const& b)
{
    bool const found = overlap_triangles(a, b);
    for (std::size_t i = 0; i < 3; ++i) {
        std::size_t const j = (i + 1) % 3;
        std::size_t const k = (i + 2) % 3;
        NumberedTriangle const turned =
            number(a.corners[j], a.corners[i], a.corners[k], {a.vertices[j], a.vertices[i], a.vertices[k]});
        EXPECT_EQ(overlap_triangles(b, turned), found);
        EXPECT_EQ(overlap_triangles(turned, b), found);
    }
    return found;
}

TEST(TriangleOverlap, TrianglesThatShareNothing)
{
    NumberedTriangle const t = number({0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0, 1, 2});
    auto const with = [&](Vec3 a, Vec3 b, Vec3 c) { return overlap(t, number(a, b, c, {3, 4, 5})); };
    EXPECT_TRUE(with({1, 1, -1}, {1, 1, 1}, {9, 9, 0}));   // an edge through the inside
    EXPECT_TRUE(with({1, -1, -1}, {1, 9, -1}, {1, 1, 9})); // edges of the first through the second
    EXPECT_TRUE(with({1, 1, 0}, {1, 1, 5}, {2, 1, 5}));    // touches with a corner
    EXPECT_TRUE(with({1, 1, 0}, {2, 1, 0}, {1, 2, 0}));    // inside, in one plane
    EXPECT_TRUE(with({-9, -9, 0}, {30, -9, 0}, {-9, 30, 0}));
    EXPECT_TRUE(with({2, 2, 0}, {5, 5, 0}, {6, 5, 0})); // touches an edge with a corner, in one plane
    EXPECT_TRUE(with({-1, 1, 0}, {5, 1, 0}, {5, 2, 0}));
    EXPECT_FALSE(with({1, 1, 0x1p-100f}, {1, 1, 5}, {2, 1, 5}));
    EXPECT_FALSE(with({3, 3, -1}, {3, 3, 1}, {9, 9, 0}));
    EXPECT_FALSE(with({2, 2.0000002f, 0}, {5, 5, 0}, {6, 5, 0}));
    EXPECT_FALSE(with({0, 0, 1}, {4, 0, 1}, {0, 4, 1}));
}

TEST(TriangleOverlap, TrianglesThatShareAVertexOrAnEdge)
{
    NumberedTriangle const t = number({0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0, 1, 2});
    auto const at_vertex = [&](Vec3 b, Vec3 c) { return overlap(t, number({0, 0, 0}, b, c, {0, 4, 5})); };
    EXPECT_FALSE(at_vertex({-1, 0, 1}, {-1, 1, 1}));
    EXPECT_FALSE(at_vertex({-1, -1, 0}, {-1, 0, 0}));
    EXPECT_FALSE(at_vertex({1, 1, 1}, {1, 1, 2}));
    EXPECT_TRUE(at_vertex({1, 1, -1}, {1, 1, 1}));
    EXPECT_TRUE(at_vertex({9, 9, -1}, {9, 9, 1}));
    EXPECT_TRUE(at_vertex({9, 1, 0}, {1, 9, 0}));
    EXPECT_TRUE(at_vertex({-1, 9, 0}, {9, 9, 0}));
    auto const at_edge = [&](Vec3 d) { return overlap(t, number({4, 0, 0}, {0, 0, 0}, d, {1, 0, 5})); };
    EXPECT_FALSE(at_edge({1, -1, 0}));
    EXPECT_FALSE(at_edge({1, 1, 0x1p-100f}));
    EXPECT_TRUE(at_edge({1, 1, 0}));
    EXPECT_TRUE(at_edge({-3, 9, 0}));
}

} // namespace
} // namespace volpt
