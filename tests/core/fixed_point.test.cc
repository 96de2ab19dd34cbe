// Rounding of sample values to the film's integers.
#include "libvolpt/core/fixed_point.hd.h"
#include "libvolpt/core/rng.hd.h"

#include <gtest/gtest.h>

#include <limits>

namespace volpt::test {
namespace {

TEST(FixedPoint, RoundsToNearestAndTiesToEven)
{
    Rng rng = seed_rng(3, 1, 4, 1);
    for (int i = 0; i < 200000; ++i) {
        std::uint32_t const bits = rng.draw();
        int const exponent = static_cast<int>(rng.draw() % 34) - 32;
        float const value = std::ldexp(to_unit(bits), exponent);
        long double const exact = static_cast<long double>(value) * 0x1p31L;
        if (exact > 0x1p31L) continue;
        ASSERT_EQ(to_fixed_point(value, 0x1p31f), static_cast<std::uint32_t>(std::nearbyint(exact))) << value;
    }
}

TEST(FixedPoint, TiesGoToTheEvenNeighbour)
{
    for (std::uint32_t k = 0; k < 1000; ++k) {
        float const half_way = static_cast<float>(k) + 0.5f;
        EXPECT_EQ(to_fixed_point(half_way, 1.0f), k + (k & 1u));
    }
}

TEST(FixedPoint, TheLargestValueIsTwoToThe31)
{
    EXPECT_EQ(to_fixed_point(1.0f, 0x1p31f), 0x80000000u);
    EXPECT_EQ(to_fixed_point(std::nextafter(1.0f, 0.0f), 0x1p31f), 0x80000000u - 128u);
}

TEST(FixedPoint, WhatIsOutOfRangeIsClamped)
{
    EXPECT_EQ(to_fixed_point(1.0001f, 0x1p31f), 0x80000000u);
    EXPECT_EQ(to_fixed_point(std::numeric_limits<float>::infinity(), 0x1p31f), 0x80000000u);
    EXPECT_EQ(to_fixed_point(-1.0f, 0x1p31f), 0u);
    EXPECT_EQ(to_fixed_point(-0.0f, 0x1p31f), 0u);
    EXPECT_EQ(to_fixed_point(std::numeric_limits<float>::quiet_NaN(), 0x1p31f), 0u);
}

TEST(FixedPoint, DitherIsUnbiasedAndKeepsIntegers)
{
    Rng rng = seed_rng(3, 1, 4, 1);
    for (std::uint32_t const integer : {0u, 1u, 5u, 65536u, 8388607u, 8388608u, 0x7fffff80u, 0x80000000u})
        for (std::uint32_t const bits : {0u, 1u, 0x80000000u, 0xffffffffu})
            EXPECT_EQ(dither_to_fixed_point(static_cast<float>(integer), 1.0f, bits), integer);
    for (float const value : {1e-4f, 0.3f, 0.999f, 1.5f, 77.25f, 4096.125f}) {
        constexpr int kDraws = 400000;
        double const low = std::floor(static_cast<double>(value)), rest = static_cast<double>(value) - low;
        double ups = 0;
        for (int i = 0; i < kDraws; ++i) {
            std::uint32_t const fixed = dither_to_fixed_point(value, 1.0f, rng.draw());
            ASSERT_TRUE(fixed == low || fixed == low + 1) << value;
            ups += fixed - low;
        }
        EXPECT_NEAR(ups / kDraws, rest, 4.5 * std::sqrt(rest * (1 - rest) / kDraws)) << value;
    }
}

TEST(FixedPoint, DitherRoundsTheFractionOfThirtyTwoBits)
{
    for (std::uint32_t const bits : {0x3fffffffu, 0x40000000u})
        EXPECT_EQ(dither_to_fixed_point(8.25f, 1.0f, bits), bits < 0x40000000u ? 9u : 8u);
    EXPECT_EQ(dither_to_fixed_point(0x1p-31f, 1.0f, 1), 1u) << "a probability of 2^-31";
    EXPECT_EQ(dither_to_fixed_point(0x1p-31f, 1.0f, 2), 0u);
    EXPECT_EQ(dither_to_fixed_point(std::numeric_limits<float>::quiet_NaN(), 1.0f, 0), 0u);
    EXPECT_EQ(dither_to_fixed_point(std::numeric_limits<float>::infinity(), 1.0f, 0), 0x80000000u);
}

TEST(FixedPoint, SampleIsAFunctionOfThePathAndItsGenerator)
{
    PathState<3> path{};
    path.rng = seed_rng(1, 2, 3, 0);
    for (float& throughput : path.throughput) throughput = 0.5f;
    FixedSample<3> const once = round_sample(path, 1.0f), again = round_sample(path, 1.0f);
    for (int b = 0; b < 3; ++b) EXPECT_EQ(once.value[b], again.value[b]);
    int ups = 0;
    for (std::uint32_t sample = 0; sample < 64; ++sample) {
        path.rng = seed_rng(1, 2, sample, 0);
        FixedSample<3> const fixed = round_sample(path, 1.0f);
        EXPECT_TRUE(fixed.value[0] == fixed.value[1] && fixed.value[1] == fixed.value[2]) << "grey stays grey";
        ups += fixed.value[0] == 1;
    }
    EXPECT_NEAR(ups, 32, 4 * 4);
}

TEST(FixedPoint, HalvesOfSquaresAreExact)
{
    for (std::uint32_t const value : {0u, 1u, 65535u, 65536u, 123456789u, 0x80000000u}) {
        FixedSquare const square = square_of(value);
        EXPECT_EQ((std::uint64_t{square.high} << kSquareHalfLog2) + square.low, std::uint64_t{value} * value);
        EXPECT_LE(square.high, 1u << 30) << "2^32 of them fit 64 bits";
    }
}

TEST(FixedPoint, SumsOfTwoToThe32LargestSamplesFitTheFilm)
{
    EXPECT_LE(std::uint64_t{1} << kSampleLog2, std::numeric_limits<std::uint64_t>::max() >> 32);
}

} // namespace
} // namespace volpt::test
