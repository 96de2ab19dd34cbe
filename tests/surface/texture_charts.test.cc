// Texture space: one triangle per point, of several the lowest, and what is told of overlaps.
#include "libvolpt/surface/texture_charts.h"
#include "libvolpt/core/surface/texel_start.hd.h"

#include <gtest/gtest.h>

#include <random>

namespace volpt {
namespace {

using Chart = std::vector<std::array<TextureCoordinates, 3>>;

/// Squares of two triangles over [u, u + size] x [v, v + size]; every other triangle is mirrored.
void add_squares(Chart& chart, float u, float v, float size, int squares)
{
    float const step = size / static_cast<float>(squares);
    for (int y = 0; y < squares; ++y)
        for (int x = 0; x < squares; ++x) {
            float const u0 = u + static_cast<float>(x) * step, u1 = u + static_cast<float>(x + 1) * step;
            float const v0 = v + static_cast<float>(y) * step, v1 = v + static_cast<float>(y + 1) * step;
            chart.push_back({{{u0, v0}, {u1, v0}, {u1, v1}}});
            chart.push_back({{{u0, v0}, {u0, v1}, {u1, v1}}});
        }
}

std::uint32_t find_at(TextureCharts const& charts, float u, float v)
{
    return find_texel_triangle(charts.view(), {u, v, 0}).triangle;
}

TEST(TextureCharts, PointsOnEdgesAndVerticesBelongToOneTriangle)
{
    Chart chart;
    add_squares(chart, 0, 0, 1, 8);
    TextureCharts const charts(chart, 1);
    // Texels of 1/16: every other centre lies on an edge, and every fourth on a vertex or diagonal.
    for (std::uint32_t const width : {8u, 12u, 16u, 20u, 37u}) {
        ChartReport const report = inspect_charts(charts, width, width, 1);
        EXPECT_EQ(report.covered_texels, width * width);
        EXPECT_EQ(report.overlapped_texels, 0u) << width;
        EXPECT_EQ(report.overlapping_triangles, 0u);
    }
    for (int y = 1; y < 8; ++y)
        for (int x = 1; x < 8; ++x)
            EXPECT_NE(find_at(charts, static_cast<float>(x) / 8, static_cast<float>(y) / 8), kNoTriangle);
}

TEST(TextureCharts, WeightsGiveThePoint)
{
    Chart chart;
    add_squares(chart, 0.1f, 0.2f, 0.7f, 5);
    TextureCharts const charts(chart, 1);
    std::mt19937 random(3);
    std::uniform_real_distribution<float> any(0, 1);
    for (int i = 0; i < 1000; ++i) {
        Vec3 const point{any(random), any(random), 0};
        SurfaceHit const hit = find_texel_triangle(charts.view(), point);
        bool const is_within = point.x > 0.1f && point.x < 0.8f && point.y > 0.2f && point.y < 0.9f;
        ASSERT_EQ(hit.triangle != kNoTriangle, is_within);
        if (!is_within) continue;
        auto const& t = chart[hit.triangle];
        float const weight_a = 1 - hit.weight_b - hit.weight_c;
        EXPECT_NEAR(weight_a * t[0].u + hit.weight_b * t[1].u + hit.weight_c * t[2].u, point.x, 1e-6f);
        EXPECT_NEAR(weight_a * t[0].v + hit.weight_b * t[1].v + hit.weight_c * t[2].v, point.y, 1e-6f);
    }
}

TEST(TextureCharts, OfSeveralTrianglesTheLowestIsFound)
{
    std::mt19937 random(5);
    std::uniform_real_distribution<float> any(0, 1);
    Chart chart;
    for (int i = 0; i < 200; ++i)
        chart.push_back({{{any(random), any(random)}, {any(random), any(random)}, {any(random), any(random)}}});
    TextureCharts const charts(chart, 1);
    auto const covers = [&](std::size_t i, float u, float v) {
        auto const& t = chart[i];
        auto const turn = [&](TextureCoordinates a, TextureCoordinates b) {
            return static_cast<double>(b.u - a.u) * (v - a.v) - static_cast<double>(b.v - a.v) * (u - a.u) > 0;
        };
        bool const left = turn(t[0], t[1]);
        return left == turn(t[1], t[2]) && left == turn(t[2], t[0]);
    };
    for (int i = 0; i < 500; ++i) {
        float const u = any(random), v = any(random);
        std::uint32_t lowest = 0;
        while (lowest < chart.size() && !covers(lowest, u, v)) ++lowest;
        EXPECT_EQ(find_at(charts, u, v), lowest < chart.size() ? lowest : kNoTriangle);
    }
}

TEST(TextureCharts, OverlapsAreCounted)
{
    Chart chart;
    add_squares(chart, 0, 0, 0.5f, 1);
    add_squares(chart, 0.25f, 0.25f, 0.5f, 1); // over a quarter of the first, and of itself
    add_squares(chart, 0.75f, 0, 0.25f, 1);
    for (int const threads : {1, 2}) {
        ChartReport const report = inspect_charts(TextureCharts(chart, threads), 40, 40, threads);
        EXPECT_EQ(report.texels, 1600u);
        EXPECT_EQ(report.covered_texels, 700u + 100u);
        EXPECT_EQ(report.overlapped_texels, 100u);
        EXPECT_EQ(report.overlapping_triangles, 4u);
        EXPECT_EQ(report.first_overlap, (std::array<std::uint32_t, 2>{10, 20})); // v 0.5 is row 20
        EXPECT_EQ(report.triangles_outside, 0u);
    }
}

TEST(TextureCharts, TrianglesOutsideAreCountedAndThoseWithoutAreaCoverNothing)
{
    Chart chart;
    add_squares(chart, 1, 0, 1, 2);
    add_squares(chart, -3, -2, 2, 1);
    chart.push_back({{{0, 0}, {1, 1}, {0.5f, 0.5f}}});
    chart.push_back({{{0.5f, 0.5f}, {0.5f, 0.5f}, {0.5f, 0.5f}}});
    ChartReport const report = inspect_charts(TextureCharts(chart, 1), 16, 16, 1);
    EXPECT_EQ(report.covered_texels, 0u);
    EXPECT_EQ(report.triangles_outside, 8u + 2u);
}

} // namespace
} // namespace volpt
