// The host's own trigonometry against the platform's.
#include "libvolpt/scene/exact_trig.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace volpt::test {
namespace {

TEST(ExactTrig, SineAndCosineAreWithinTheirClaim)
{
    double worst = 0;
    for (int i = -400000; i <= 400000; ++i) {
        double const degrees = i * 0.001234567;
        SineCosineDouble const got = sine_cosine_of_degrees(degrees);
        // The platform's argument is rounded at up to 500 degrees, its reduction is not: long double hides both.
        long double const angle = static_cast<long double>(degrees) / 180 * std::numbers::pi_v<long double>;
        worst = std::max({worst, static_cast<double>(std::abs(got.sine - std::sin(angle))),
                          static_cast<double>(std::abs(got.cosine - std::cos(angle)))});
    }
    EXPECT_LT(worst, 1e-15);
}

TEST(ExactTrig, LargeAnglesAreReducedExactly)
{
    SineCosineDouble const small = sine_cosine_of_degrees(37.5);
    for (double const turns : {1.0, -1.0, 1000.0, -2000000.0}) {
        SineCosineDouble const large = sine_cosine_of_degrees(37.5 + 360 * turns);
        EXPECT_EQ(large.sine, small.sine) << turns;
        EXPECT_EQ(large.cosine, small.cosine) << turns;
    }
}

TEST(ExactTrig, MultiplesOf90AreExact)
{
    double const sines[] = {0, 1, 0, -1};
    for (int quarter = -8; quarter <= 8; ++quarter) {
        SineCosineDouble const got = sine_cosine_of_degrees(90.0 * quarter);
        EXPECT_EQ(got.sine, sines[(quarter + 8) % 4]) << quarter;
        EXPECT_EQ(got.cosine, sines[(quarter + 9) % 4]) << quarter;
    }
}

TEST(ExactTrig, ArcTangentIsWithinItsClaimAllAround)
{
    double worst = 0;
    for (int i = 0; i < 1000000; ++i) {
        double const angle = (i - 499999.5) * (2 * std::numbers::pi / 1000000);
        double const radius = i % 3 == 0 ? 1 : i % 3 == 1 ? 1e-12 : 1e7;
        double const x = radius * std::cos(angle), y = radius * std::sin(angle);
        worst = std::max(worst,
                         static_cast<double>(std::abs(arc_tangent2(y, x) - std::atan2(static_cast<long double>(y),
                                                                                      static_cast<long double>(x)))));
    }
    EXPECT_LT(worst, 1e-15);
}

TEST(ExactTrig, ArcTangentOnTheAxes)
{
    EXPECT_EQ(arc_tangent2(0, 1), 0);
    EXPECT_EQ(arc_tangent2(0, 0), 0);
    EXPECT_DOUBLE_EQ(arc_tangent2(1, 0), std::numbers::pi / 2);
    EXPECT_DOUBLE_EQ(arc_tangent2(-1, 0), -std::numbers::pi / 2);
    EXPECT_DOUBLE_EQ(arc_tangent2(0, -1), std::numbers::pi);
    EXPECT_DOUBLE_EQ(arc_tangent2(1, 1), std::numbers::pi / 4);
}

} // namespace
} // namespace volpt::test
