// Own mathematical functions against the platform's in double precision, within the errors that their comments claim.
#include "libvolpt/core/exact_math.hd.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numbers>

namespace volpt::test {
namespace {

double relative_log_error(float x)
{
    double const truth = -std::log(static_cast<double>(x));
    return std::abs(static_cast<double>(exact::neg_log(x)) - truth) / std::abs(truth);
}

TEST(ExactMath, NegativeLogIsWithinItsClaimFromOneHalfToTwo)
{
    double worst = 0;
    for (std::uint32_t bits = bits_from_float(0.5f); bits < bits_from_float(2.0f); bits += 5)
        if (bits != bits_from_float(1.0f)) worst = std::max(worst, relative_log_error(float_from_bits(bits)));
    EXPECT_LT(worst, 2e-7);
}

TEST(ExactMath, NegativeLogIsWithinItsClaimNextToOne)
{
    std::uint32_t const one = bits_from_float(1.0f);
    double worst = 0;
    for (std::uint32_t ulp = 1; ulp < 1u << 16; ++ulp)
        worst = std::max(
            {worst, relative_log_error(float_from_bits(one - ulp)), relative_log_error(float_from_bits(one + ulp))});
    EXPECT_LT(worst, 2e-7);
}

TEST(ExactMath, NegativeLogIsWithinItsClaimOverAllExponents)
{
    double worst = 0;
    for (int exponent = -126; exponent <= 127; ++exponent)
        for (int i = 0; i < 2048; ++i) {
            float const x = std::ldexp(1.0f + static_cast<float>(i) / 2048, exponent);
            if (x != 1.0f) worst = std::max(worst, relative_log_error(x));
        }
    EXPECT_LT(worst, 2e-7);
    EXPECT_LT(relative_log_error(0x1p-32f), 2e-7) << "the end of to_optical_depth";
}

TEST(ExactMath, NegativeLogOfOneIsExactlyZero)
{
    EXPECT_EQ(exact::neg_log(1.0f), 0.0f);
}

TEST(ExactMath, SineAndCosineAreWithinTheirClaim)
{
    double worst = 0;
    double worst_length = 0;
    for (std::uint64_t phase = 0; phase < std::uint64_t{1} << 32; phase += 1021) {
        exact::SinCos const got = exact::sincos_turns(static_cast<std::uint32_t>(phase));
        double const angle = 2 * std::numbers::pi * std::ldexp(static_cast<double>(phase), -32);
        double const sine = static_cast<double>(got.sine);
        double const cosine = static_cast<double>(got.cosine);
        worst = std::max({worst, std::abs(sine - std::sin(angle)), std::abs(cosine - std::cos(angle))});
        worst_length = std::max(worst_length, std::abs(sine * sine + cosine * cosine - 1));
    }
    EXPECT_LT(worst, 2e-7);
    EXPECT_LT(worst_length, 4e-7);
}

TEST(ExactMath, SineAndCosineAreExactAtHalfTurns)
{
    for (std::uint32_t half = 0; half < 2; ++half) {
        exact::SinCos const got = exact::sincos_turns(half << 31);
        EXPECT_EQ(got.sine, 0.0f) << half;
        EXPECT_EQ(got.cosine, half == 0 ? 1.0f : -1.0f) << half;
    }
}

TEST(ExactMath, SineIsOddAndCosineEvenToTheBit)
{
    for (std::uint32_t phase = 1; phase < 0x80000000u; phase += 0x12345u) {
        exact::SinCos const plus = exact::sincos_turns(phase);
        exact::SinCos const minus = exact::sincos_turns(0u - phase);
        if (phase == 0x40000000u) continue; // a quarter turn belongs to one side
        ASSERT_EQ(plus.sine, -minus.sine) << phase;
        ASSERT_EQ(plus.cosine, minus.cosine) << phase;
    }
}

TEST(ExactMath, ExponentialOfNegativeIsWithinItsClaim)
{
    double worst = 0;
    auto const look_at = [&](float x) {
        double const truth = std::exp(-static_cast<double>(x));
        worst = std::max(worst, std::abs(static_cast<double>(exact::exp_neg(x)) - truth) / truth);
    };
    for (std::uint32_t bits = bits_from_float(0x1p-30f); bits < bits_from_float(87.0f); bits += 97)
        look_at(float_from_bits(bits));
    for (int k = 1; k < 125; ++k) // where one power of two gives way to the next
        for (float const x :
             {static_cast<float>((k - 0.5) * std::numbers::ln2), static_cast<float>(k * std::numbers::ln2)})
            for (float const near : {std::nextafter(x, 0.0f), x, std::nextafter(x, 100.0f)}) look_at(near);
    EXPECT_LT(worst, 2.5e-7);
}

TEST(ExactMath, ExponentialIsOneAtZeroAndStaysSmallAndPositiveFarOut)
{
    EXPECT_EQ(exact::exp_neg(0.0f), 1.0f);
    for (float const x : {87.0f, 88.0f, 1e4f, 3e38f}) {
        EXPECT_EQ(exact::exp_neg(x), exact::exp_neg(87.0f)) << x;
        EXPECT_GT(exact::exp_neg(x), 0x1p-126f) << "a normal number";
        EXPECT_LT(exact::exp_neg(x), 1.7e-38f);
    }
}

TEST(ExactMath, ExponentialNeverGrowsPastOne)
{
    for (std::uint32_t bits = 0; bits < bits_from_float(1.0f); bits += 331)
        ASSERT_LE(exact::exp_neg(float_from_bits(bits)), 1.0f);
}

TEST(ExactMath, NegativeLogOfRestIsWithinItsClaimAndExactAtZero)
{
    EXPECT_EQ(exact::neg_log1m(0.0f), 0.0f);
    double worst = 0;
    auto const look_at = [&](float x) {
        double const truth = -std::log1p(-static_cast<double>(x));
        worst = std::max(worst, std::abs(static_cast<double>(exact::neg_log1m(x)) - truth) / truth);
    };
    for (std::uint32_t bits = bits_from_float(0x1p-60f); bits <= bits_from_float(0.5f); bits += 97)
        look_at(float_from_bits(bits));
    look_at(0.5f);
    look_at(0x1p-126f);
    EXPECT_LT(worst, 1e-6);
}

TEST(ExactMath, PhasesAreTheAnglesOfTheirPoints)
{
    double worst = 0;
    for (std::uint64_t step = 0; step < std::uint64_t{1} << 32; step += 40009) {
        double const angle = 2 * std::numbers::pi * std::ldexp(static_cast<double>(step), -32);
        for (double const length : {1e-3, 1.0, 300.0}) {
            float const x = static_cast<float>(length * std::cos(angle)),
                        y = static_cast<float>(length * std::sin(angle));
            double const got = 2 * std::numbers::pi * std::ldexp(static_cast<double>(exact::atan2_turns(x, y)), -32);
            worst = std::max(worst, std::abs(std::remainder(got - angle, 2 * std::numbers::pi)));
        }
    }
    EXPECT_LT(worst, 1.2e-5) << "1e-5, and the angle's own steps of 2^-22 turns";
}

TEST(ExactMath, PhasesOfTheAxesAreQuadrants)
{
    EXPECT_EQ(exact::atan2_turns(2.0f, 0.0f), 0u);
    EXPECT_EQ(exact::atan2_turns(0.0f, 2.0f), 0x40000000u);
    EXPECT_EQ(exact::atan2_turns(-2.0f, 0.0f), 0x80000000u);
    EXPECT_EQ(exact::atan2_turns(0.0f, -2.0f), 0xc0000000u);
}

TEST(ExactMath, FusedMultiplyAddRoundsOnce)
{
    float const a = 1 + 0x1p-12f;
    EXPECT_EQ(exact::fma(a, a, -(1 + 0x1p-11f)), 0x1p-24f) << "two roundings give 0";
}

TEST(ExactMath, ProductsAndSumsAreNotContracted)
{
    float volatile a = 1 + 0x1p-12f;
    float volatile c = -(1 + 0x1p-11f);
    float const x = a, y = c;
    EXPECT_EQ(x * x + y, 0.0f) << "the compiler fused what core wrote apart: -ffp-contract=off is missing";
}

TEST(ExactMath, SquareRootIsCorrectlyRounded)
{
    for (std::uint32_t bits = bits_from_float(0x1p-120f); bits < bits_from_float(0x1p120f); bits += 99991) {
        float const x = float_from_bits(bits);
        // A double has more than twice the digits of a float, plus two: rounding twice is rounding once.
        ASSERT_EQ(exact::sqrt(x), static_cast<float>(std::sqrt(static_cast<double>(x))));
    }
    EXPECT_EQ(exact::sqrt(0.0f), 0.0f);
}

TEST(ExactMath, SignsAreMovedBitByBit)
{
    EXPECT_EQ(exact::copysign(2.0f, -3.0f), -2.0f);
    EXPECT_EQ(exact::copysign(-2.0f, 3.0f), 2.0f);
    EXPECT_EQ(bits_from_float(exact::copysign(1.0f, -0.0f)), 0xbf800000u);
    EXPECT_EQ(bits_from_float(exact::abs(-0.0f)), 0u);
    EXPECT_EQ(exact::abs(-std::numeric_limits<float>::infinity()), std::numeric_limits<float>::infinity());
}

TEST(ExactMath, SecondArgumentOfSmallerAndLargerWinsTiesAndNan)
{
    float const nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(exact::min(1.0f, 2.0f), 1.0f);
    EXPECT_EQ(exact::max(1.0f, 2.0f), 2.0f);
    EXPECT_EQ(exact::min(nan, 2.0f), 2.0f);
    EXPECT_EQ(exact::max(nan, 2.0f), 2.0f);
    EXPECT_TRUE(std::isnan(exact::min(2.0f, nan)));
    EXPECT_EQ(bits_from_float(exact::min(0.0f, -0.0f)), 0x80000000u);
    EXPECT_EQ(bits_from_float(exact::max(-0.0f, 0.0f)), 0u);
    EXPECT_EQ(exact::min(std::int32_t{-3}, std::int32_t{4}), -3);
    EXPECT_EQ(exact::max(std::int32_t{-3}, std::int32_t{4}), 4);
}

} // namespace
} // namespace volpt::test
