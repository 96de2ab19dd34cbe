// Ear clipping: area, orientation and edges are kept, also of polygons that no rule fits.
#include "formats/mesh/polygon.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <random>

namespace volpt {
namespace {

using Triangles = std::vector<std::array<std::uint32_t, 3>>;

/// Twice the area seen from +z.
double area_of(std::vector<Point3> const& corners, std::array<std::uint32_t, 3> const& t)
{
    auto const &a = corners[t[0]], &b = corners[t[1]], &c = corners[t[2]];
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/// Every edge of the polygon is in one triangle, every other edge of a triangle in two, in opposite directions.
void expect_edges_kept(std::size_t corners, Triangles const& triangles)
{
    EXPECT_EQ(triangles.size(), corners - 2);
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
    for (auto const& t : triangles)
        for (std::size_t k = 0; k < 3; ++k) ++edges[{t[k], t[(k + 1) % 3]}];
    std::size_t outer = 0;
    for (auto const& [edge, count] : edges) {
        EXPECT_EQ(count, 1);
        if (edges.contains({edge.second, edge.first})) continue;
        ++outer;
        EXPECT_EQ(edge.second, (edge.first + 1) % corners);
    }
    EXPECT_EQ(outer, corners);
}

TEST(Polygon, StarsKeepTheirAreaAndNoTriangleIsTurned)
{
    std::mt19937 random(7);
    for (std::size_t count : {4u, 5u, 8u, 33u, 200u}) {
        for (int repeat = 0; repeat < 20; ++repeat) {
            std::vector<Point3> corners;
            double wanted = 0;
            for (std::size_t i = 0; i < count; ++i) {
                double const angle = 2 * 3.141592653589793 * static_cast<double>(i) / static_cast<double>(count);
                double const radius = 0.2 + static_cast<double>(random() % 1000) / 500;
                corners.push_back({radius * std::cos(angle), radius * std::sin(angle), 0});
            }
            for (std::size_t i = 0; i < count; ++i) {
                auto const &a = corners[i], &b = corners[(i + 1) % count];
                wanted += a[0] * b[1] - a[1] * b[0];
            }
            Triangles triangles;
            PolygonBudget budget;
            EXPECT_TRUE(triangulate_polygon(corners, triangles, budget));
            expect_edges_kept(count, triangles);
            double sum = 0;
            for (auto const& t : triangles) {
                EXPECT_GT(area_of(corners, t), 0);
                sum += area_of(corners, t);
            }
            EXPECT_NEAR(sum, wanted, 1e-9);
        }
    }
}

TEST(Polygon, OrientationIsKeptFromEverySide)
{
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (double const sign : {1.0, -1.0}) {
            // An arrowhead in the plane across `axis`; a fan about corner 0 or 1 would leave it.
            std::vector<Point3> corners;
            for (auto const& [u, v] : {std::array{0.0, 0.0}, {4.0, 0.0}, {1.0, 1.0}, {0.0, 4.0}}) {
                Point3 p{};
                p[(axis + 1) % 3] = u;
                p[(axis + 2) % 3] = sign * v;
                corners.push_back(p);
            }
            Triangles triangles;
            PolygonBudget budget;
            EXPECT_TRUE(triangulate_polygon(corners, triangles, budget));
            double sum = 0;
            for (auto const& t : triangles) {
                std::array<std::array<double, 2>, 3> p{};
                for (std::size_t k = 0; k < 3; ++k)
                    p[k] = {corners[t[k]][(axis + 1) % 3], sign * corners[t[k]][(axis + 2) % 3]};
                double const area =
                    (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[1][1] - p[0][1]) * (p[2][0] - p[0][0]);
                EXPECT_GT(area, 0);
                sum += area;
            }
            EXPECT_NEAR(sum, 8, 1e-12);
        }
}

TEST(Polygon, HolesBridgedByADoubledEdgeAreCutOut)
{
    std::vector<Point3> const corners{{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}, {0, 0, 0},
                                      {1, 1, 0}, {1, 3, 0}, {3, 3, 0}, {3, 1, 0}, {1, 1, 0}};
    Triangles triangles;
    PolygonBudget budget;
    EXPECT_TRUE(triangulate_polygon(corners, triangles, budget));
    double sum = 0;
    for (auto const& t : triangles) sum += area_of(corners, t);
    EXPECT_NEAR(sum, 2 * (16 - 4), 1e-12);
    expect_edges_kept(corners.size(), triangles);
}

TEST(Polygon, WhatIsNotSimpleIsToldAndStillKeepsItsEdges)
{
    double const nan = std::nan("");
    for (std::vector<Point3> const& corners : {std::vector<Point3>{{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}},
                                               {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}},
                                               {{nan, 0, 0}, {1, 0, 0}, {2, nan, 0}, {3, 0, 0}},
                                               {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}}) {
        Triangles triangles;
        PolygonBudget budget;
        EXPECT_FALSE(triangulate_polygon(corners, triangles, budget));
        expect_edges_kept(corners.size(), triangles);
    }
}

/// A comb, whose notches every ear is tested against.
std::vector<Point3> make_comb(std::size_t teeth)
{
    std::vector<Point3> corners;
    for (std::size_t i = 0; i < teeth; ++i) {
        corners.push_back({static_cast<double>(2 * i), 1, 0});
        corners.push_back({static_cast<double>(2 * i + 1), 0, 0});
    }
    corners.push_back({static_cast<double>(2 * teeth), 1, 0});
    corners.push_back({static_cast<double>(teeth), 1000, 0});
    return corners;
}

TEST(Polygon, TestsAreBoundedByTheBudgetOfTheMeshBeside100PerCorner)
{
    std::vector<Point3> const comb = make_comb(500);
    Triangles triangles;
    PolygonBudget budget;
    std::uint64_t const before = budget.tests;
    EXPECT_TRUE(triangulate_polygon(comb, triangles, budget));
    std::uint64_t const needed = before - budget.tests;
    EXPECT_GT(needed, 0u);
    EXPECT_LT(needed, 1'000'000u);
    for (std::uint64_t const tests : {needed, needed - 1}) {
        PolygonBudget few{tests};
        Triangles cut;
        EXPECT_EQ(triangulate_polygon(comb, cut, few), tests == needed);
        EXPECT_EQ(few.tests, 0u);
        expect_edges_kept(comb.size(), cut);
    }
    PolygonBudget spent{0};
    Triangles cut;
    EXPECT_TRUE(triangulate_polygon(make_comb(20), cut, spent)); // small ones need none of it
    // As many notches as no budget suffices for: told without a test.
    std::vector<Point3> const large = make_comb(50000);
    PolygonBudget whole;
    cut.clear();
    EXPECT_FALSE(triangulate_polygon(large, cut, whole));
    EXPECT_EQ(whole.tests, PolygonBudget().tests);
    expect_edges_kept(large.size(), cut);
}

} // namespace
} // namespace volpt
