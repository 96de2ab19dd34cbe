// What loops over floats need to become vector code: elementary functions without branches or calls, and functions that
// are compiled for AVX2 as well.
//
// The functions are always inlined: a call that stays in a loop would keep it scalar. Their errors are measured in
// tests/colour/vector_math.test.cc; NaN stays NaN.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

/// Marks a function whose loops are compiled twice, for AVX2 and for any x86-64 processor; the loader chooses at
/// program start. Both give the same bits, as contraction is off. Empty where the loader's choice conflicts with a
/// sanitizer.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&               \
    !defined(__SANITIZE_THREAD__)
#define VOLPT_VECTOR_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define VOLPT_VECTOR_CLONES
#endif

namespace volpt::fast {

/// log2 of a positive normal number, absolute error below 3e-7 near 1 and 1 ulp of the result elsewhere.
[[gnu::always_inline]] inline float log2(float x)
{
    // m in [sqrt(1/2), sqrt(2)): log2 m = 2/ln2 (s + s^3/3 + ..) with s = (m - 1)/(m + 1) (Abramowitz & Stegun 4.1.27).
    constexpr std::uint32_t kSqrtHalf = 0x3f3504f3;
    std::uint32_t const bits = std::bit_cast<std::uint32_t>(x) - kSqrtHalf;
    auto const exponent = static_cast<float>(static_cast<std::int32_t>(bits) >> 23);
    float const m = std::bit_cast<float>((bits & 0x7fffff) + kSqrtHalf);
    float const s = (m - 1) / (m + 1), s2 = s * s;
    float const series = 1 + s2 * (0.333333333f + s2 * (0.2f + s2 * (0.142857143f + s2 * 0.111111111f)));
    return exponent + 2.88539008f * s * series;
}

/// 2^x for -126 <= x <= 127, relative error below 2e-7; x is clamped to that range.
[[gnu::always_inline]] inline float exp2(float x)
{
    float const inside = x < -126.0f ? -126.0f : x > 127.0f ? 127.0f : x;
    // 1.5 * 2^23: the low bits of the sum are the nearest integer. They are taken as bits because NaN cannot be
    // converted.
    float const shifted = inside + 12582912.0f;
    float const whole = shifted - 12582912.0f;
    std::uint32_t const exponent = std::bit_cast<std::uint32_t>(shifted) - 0x4b400000u + 127u;
    float const f = (inside - whole) * 0.693147181f;
    float const series =
        1 +
        f * (1 + f * (0.5f + f * (0.166666667f + f * (4.16666667e-2f + f * (8.33333333e-3f + f * 1.38888889e-3f)))));
    return series * std::bit_cast<float>(exponent << 23);
}

/// x^y for x >= 0 and y > 0, relative error below 3e-6 for results in 1e-6 .. 1e6; 0 for x below the smallest normal
/// number.
[[gnu::always_inline]] inline float pow(float x, float y)
{
    float const power = exp2(y * log2(x));
    return x >= 1.17549435e-38f ? power : x * 0.0f; // keeps NaN
}

/// Cube root of x >= 0, relative error below 1e-6.
[[gnu::always_inline]] inline float cbrt(float x)
{
    return pow(x, 0.333333333f);
}

/// Angle of (x, y) in radians, -pi .. pi, error below 1e-6; 0 at the origin. Abramowitz & Stegun 4.4.49.
[[gnu::always_inline]] inline float atan2(float y, float x)
{
    float const ax = std::abs(x), ay = std::abs(y);
    float const high = ax > ay ? ax : ay, low = ax > ay ? ay : ax;
    float const t = low / (high > 0 ? high : 1.0f), t2 = t * t;
    float const series =
        t * (1 + t2 * (-0.3333314528f +
                       t2 * (0.1999355085f +
                             t2 * (-0.1420889944f +
                                   t2 * (0.1065626393f +
                                         t2 * (-0.0752896400f +
                                               t2 * (0.0429096138f + t2 * (-0.0161657367f + t2 * 0.0028662257f))))))));
    float const first = ay > ax ? 1.57079633f - series : series;
    float const half = x < 0 ? 3.14159265f - first : first;
    return y < 0 ? -half : half;
}

} // namespace volpt::fast
