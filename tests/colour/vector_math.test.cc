// Branch-free elementary functions against the standard library's, over the ranges that they are promised for.
#include "libvolpt/colour/vector_math.h"

#include <gtest/gtest.h>
#include <random>

namespace volpt::test {
namespace {

TEST(VectorMath, PowersAreWithinTheirRelativeError)
{
    std::mt19937 random(1);
    std::uniform_real_distribution<float> logarithm(-20, 20);
    for (int i = 0; i < 100000; ++i) {
        float const x = std::exp2(logarithm(random));
        for (float const y : {1 / 3.0f, 0.7f, 1.0f, 2.4f}) {
            double const truth = std::pow(static_cast<double>(x), static_cast<double>(y));
            if (truth < 1e-6 || truth > 1e6) continue;
            ASSERT_NEAR(fast::pow(x, y) / truth, 1, 3e-6) << x << "^" << y;
        }
        ASSERT_NEAR(fast::cbrt(x) / std::cbrt(static_cast<double>(x)), 1, 1e-6) << x;
    }
    EXPECT_EQ(fast::pow(0.0f, 0.7f), 0);
    EXPECT_TRUE(std::isnan(fast::pow(std::nanf(""), 0.7f)));
    EXPECT_EQ(fast::pow(1.0f, 0.3f), 1);
}

TEST(VectorMath, AnglesAreRightInEveryQuadrant)
{
    for (int degree = -179; degree <= 180; ++degree) {
        double const angle = degree * 0.017453292519943295;
        auto const x = static_cast<float>(3 * std::cos(angle)), y = static_cast<float>(3 * std::sin(angle));
        EXPECT_NEAR(fast::atan2(y, x), std::atan2(y, x), 1e-6) << degree;
    }
    EXPECT_EQ(fast::atan2(0.0f, 0.0f), 0);
}

} // namespace
} // namespace volpt::test
