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

TEST(FixedPoint, SumsOfTwoToThe32LargestSamplesFitTheFilm)
{
    EXPECT_LE(std::uint64_t{1} << kSampleLog2, std::numeric_limits<std::uint64_t>::max() >> 32);
}

} // namespace
} // namespace volpt::test
