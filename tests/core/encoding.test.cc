// Decoding of stored elements, every code of the small encodings.
#include "libvolpt/core/encoding.hd.h"

#include <gtest/gtest.h>

#include <cmath>

namespace volpt::test {
namespace {

/// A binary16 number from its fields, as IEEE 754 defines it.
float read_half(std::uint32_t half)
{
    int const exponent = static_cast<int>(half >> 10 & 0x1f);
    int const fraction = static_cast<int>(half & 0x3ff);
    float const magnitude = exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                                          : std::ldexp(static_cast<float>(1024 + fraction), exponent - 25);
    return (half & 0x8000) != 0 ? -magnitude : magnitude;
}

TEST(Encoding, EveryFiniteHalfIsExact)
{
    int tested = 0;
    for (std::uint32_t half = 0; half < 0x10000; ++half) {
        if ((half >> 10 & 0x1f) == 0x1f) continue; // infinities and NaN, which no file holds
        ASSERT_EQ(bits_from_float(half_to_float(half)), bits_from_float(read_half(half))) << half;
        ++tested;
    }
    EXPECT_EQ(tested, 63488);
}

TEST(Encoding, IntegerCodesAreScaledWithOneRounding)
{
    float const scale = 1.0f / 255;
    for (std::uint32_t code = 0; code < 0x10000; ++code) {
        float const expected = static_cast<float>(static_cast<double>(code) * static_cast<double>(scale));
        if (code < 256) {
            ASSERT_EQ(decode_element(Encoding::u8, scale, code), expected);
        }
        ASSERT_EQ(decode_element(Encoding::u16, scale, code), expected);
    }
}

TEST(Encoding, FloatsPassUnscaled)
{
    for (float const value : {0.0f, 0.1f, 1e-30f, 3.4e38f})
        EXPECT_EQ(decode_element(Encoding::f32, 0.5f, bits_from_float(value)), value);
    EXPECT_EQ(decode_element(Encoding::f16, 0.5f, 0x3c00), 1.0f);
}

TEST(Encoding, SizesAreThoseOfTheFormat)
{
    EXPECT_EQ(element_log2_bytes(Encoding::u8), 0u);
    EXPECT_EQ(element_log2_bytes(Encoding::u16), 1u);
    EXPECT_EQ(element_log2_bytes(Encoding::f16), 1u);
    EXPECT_EQ(element_log2_bytes(Encoding::f32), 2u);
}

TEST(Encoding, BlendTakesEachBitFromItsSide)
{
    EXPECT_EQ(blend_bits(0xffffffff, 1, 2), 1u);
    EXPECT_EQ(blend_bits(0, 1, 2), 2u);
    EXPECT_EQ(blend_bits(0xffff0000, 0x12345678, 0x9abcdef0), 0x1234def0u);
}

} // namespace
} // namespace volpt::test
