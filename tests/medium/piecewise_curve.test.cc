// Curves of --opacity: values, refusals, text.
#include "libvolpt/medium/curves/piecewise_curve.h"
#include "tests/support/expect_error.h"

#include <cmath>
#include <limits>

namespace volpt {
namespace {

using test::expect_error;

PiecewiseCurve make_bone_curve()
{
    return PiecewiseCurve({{-1000, 0}, {0, 0.1}, {300, 1.0 / 3}, {301, 0.7}, {1e9, 0}}, "--opacity");
}

TEST(PiecewiseCurve, IsExactAtItsPointsAndConstantOutside)
{
    auto const curve = make_bone_curve();
    for (auto const [x, y] : curve.points()) EXPECT_EQ(curve.evaluate(x), y);
    EXPECT_EQ(curve.evaluate(-1e300), 0);
    EXPECT_EQ(curve.evaluate(std::numeric_limits<double>::infinity()), 0);
    EXPECT_EQ(PiecewiseCurve({{0, 2}, {4, 4}}, "c").evaluate(1), 2.5);
    EXPECT_EQ(curve.largest_y(), 0.7);
}

TEST(PiecewiseCurve, PiecesAreMonotoneBetweenTheirPoints)
{
    auto const curve = make_bone_curve();
    auto const& points = curve.points();
    for (std::size_t piece = 0; piece + 1 < points.size(); ++piece) {
        double const rise = points[piece + 1].y - points[piece].y;
        double before = points[piece].y;
        for (int i = 1; i <= 1000; ++i) {
            double const y = curve.evaluate(points[piece].x + i * (points[piece + 1].x - points[piece].x) / 1000);
            EXPECT_GE((y - before) * rise, 0) << piece << " " << i;
            before = y;
        }
    }
}

TEST(PiecewiseCurve, WhatIsNoCurveIsRefusedWithItsPoint)
{
    double const nan = std::numeric_limits<double>::quiet_NaN();
    using Points = std::vector<PiecewiseCurve::Point>;
    for (auto const& points : {Points{}, Points{{0, 1}}})
        expect_error(ExitStatus::usage, {"--opacity", "two points"}, [&] { PiecewiseCurve(points, "--opacity"); });
    for (auto const& points : {Points{{0, 0}, {0, 1}}, Points{{1, 0}, {0.5, 1}}})
        expect_error(ExitStatus::usage, {"--opacity", "point 2"}, [&] { PiecewiseCurve(points, "--opacity"); });
    for (auto const& point : Points{{nan, 0}, {1, nan}, {1, -0.1}, {INFINITY, 1}, {1, 1e31}})
        expect_error(ExitStatus::usage, {"point 2", "range"}, [&] { PiecewiseCurve({{0, 0}, point}, "--opacity"); });
}

TEST(PiecewiseCurve, ItsTextHasAllDigits)
{
    EXPECT_EQ(to_text(make_bone_curve()), "-1000:0,0:0.1,300:0.3333333333333333,301:0.7,1000000000:0");
}

} // namespace
} // namespace volpt
