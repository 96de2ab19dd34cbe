// Mathematical functions with the same bits on every processor: IEEE operations and polynomials of our own.
//
// The only file of core that may call math functions of the platform: fma and sqrt, which IEEE 754 defines to be
// correctly rounded. Polynomials are minimax fits (Remez exchange, bench/fit_polynomials.py).
#pragma once

#include "libvolpt/core/encoding.hd.h"

#include <cmath>

namespace volpt {

inline constexpr float kInversePi = 0.318309886f;

namespace exact {

VOLPT_HD float fma(float a, float b, float c)
{
#if VOLPT_ON_DEVICE
    return __fmaf_rn(a, b, c);
#else
    return __builtin_fmaf(a, b, c);
#endif
}

/// |magnitude| with the sign bit of `sign`.
VOLPT_HD float copysign(float magnitude, float sign)
{
    return float_from_bits((bits_from_float(magnitude) & 0x7fffffffu) | (bits_from_float(sign) & 0x80000000u));
}

VOLPT_HD float abs(float x)
{
    return float_from_bits(bits_from_float(x) & 0x7fffffffu);
}

// Minimum and maximum as plain selections: for ties and NaN the second argument is returned, on every processor.
VOLPT_HD float min(float a, float b)
{
    return a < b ? a : b;
}
VOLPT_HD float max(float a, float b)
{
    return a > b ? a : b;
}
VOLPT_HD std::int32_t min(std::int32_t a, std::int32_t b)
{
    return a < b ? a : b;
}
VOLPT_HD std::int32_t max(std::int32_t a, std::int32_t b)
{
    return a > b ? a : b;
}

// Of numbers that are neither NaN nor zeros of different sign: one instruction on a GPU, where the functions above take
// two.
VOLPT_HD float ordered_min(float a, float b)
{
#if VOLPT_ON_DEVICE
    return fminf(a, b);
#else
    return min(a, b);
#endif
}
VOLPT_HD float ordered_max(float a, float b)
{
#if VOLPT_ON_DEVICE
    return fmaxf(a, b);
#else
    return max(a, b);
#endif
}

/// The integer part of x, clamped to 0 .. that of `last` >= 0; for NaN that of `last`.
VOLPT_HD std::int32_t to_index(float x, float last)
{
    // Clamped as floats: integer conversions out of range differ between processors. What is left is not negative, so
    // truncation is the floor.
#if VOLPT_ON_DEVICE
    return static_cast<std::int32_t>(fmaxf(0.0f, fminf(x, last)));
#else
    return static_cast<std::int32_t>(max(0.0f, min(x, last)));
#endif
}

#if VOLPT_ON_DEVICE
// CUDA's own correctly rounded functions are these sequences with a test for arguments out of range, a jump, and code
// for them at the place of every call: a third of the instructions, and space in the instruction cache. Checked against
// them over all mantissas (tests/kernels/exact_math.test.cc).
namespace detail {

/// 1 / sqrt(x) with an error of a few units in the last place; x is normal.
__device__ inline float approximate_rsqrt(float x)
{
    float y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

/// 1 / x likewise; x and 1 / x are normal.
__device__ inline float approximate_reciprocal(float x)
{
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

} // namespace detail
#endif

/// Correctly rounded square root of 0, or of x from 2^-100 to 2^100.
VOLPT_HD float sqrt(float x)
{
#if VOLPT_ON_DEVICE
    float const y = detail::approximate_rsqrt(max(x, 0x1p-100f));
    float const root = x * y;
    return fma(fma(-root, root, x), 0.5f * y, root);
#else
    return __builtin_sqrtf(x);
#endif
}

/// Correctly rounded 1 / x; |x| is from 2^-100 to 2^100.
VOLPT_HD float reciprocal(float x)
{
#if VOLPT_ON_DEVICE
    float const y = detail::approximate_reciprocal(x);
    return fma(fma(-x, y, 1.0f), y, y);
#else
    return 1.0f / x;
#endif
}

/// Correctly rounded a / b; |a|, |b| and |a / b| are from 2^-75 to 2^75, or a is +0. P. Markstein, Computation of
/// Elementary Functions on the IBM RISC System/6000 Processor (1990): one step from a correct reciprocal.
VOLPT_HD float divide(float a, float b)
{
#if VOLPT_ON_DEVICE
    float const y = reciprocal(b);
    float const quotient = a * y;
    return fma(fma(-b, quotient, a), y, quotient);
#else
    return a / b;
#endif
}

/// -log(x) for normal x > 0; relative error below 2e-7, exactly 0 at 1.
/// x = 2^e m with m in [sqrt(1/2), sqrt(2)); log m = f + f^2 Q(f), f = m - 1.
VOLPT_HD float neg_log(float x)
{
    // Subtracting the bits of sqrt(1/2) makes the exponent field count from there, so that m is centred on 1.
    std::int32_t const shifted = static_cast<std::int32_t>(bits_from_float(x) - 0x3f3504f3u);
    std::int32_t const exponent = shifted >> 23;
    float const m = float_from_bits(bits_from_float(x) - (static_cast<std::uint32_t>(exponent) << 23));
    float const f = m - 1.0f;
    float q = 0.0873482435904f;
    q = fma(q, f, -0.143075161013f);
    q = fma(q, f, 0.149179776036f);
    q = fma(q, f, -0.16570509266f);
    q = fma(q, f, 0.199620719016f);
    q = fma(q, f, -0.250017551873f);
    q = fma(q, f, 0.333339502237f);
    q = fma(q, f, -0.499999916082f);
    float const log_m = fma(f * f, q, f);
    return fma(static_cast<float>(exponent), -0.693147180560f, -log_m);
}

struct SinCos {
    float sine;
    float cosine;
};

/// Sine and cosine of the angle 2 pi turns / 2^32; absolute error below 2e-7, exact at 0 and at half a turn. The angle
/// is k pi + t pi / 2 with |t| <= 1; the reduction is exact because `turns` is an integer.
VOLPT_HD SinCos sincos_turns(std::uint32_t turns)
{
    std::uint32_t const doubled = turns << 1;
    float const t = static_cast<float>(static_cast<std::int32_t>(doubled)) * 0x1p-31f;
    float const z = t * t;
    float s = 1.50820764e-4f;
    s = fma(s, z, -0.00467222836f);
    s = fma(s, z, 0.0796884820f);
    s = fma(s, z, -0.645963371f);
    s = fma(s, z, 1.57079625f);
    s = s * t;
    float c = 8.59689841e-4f;
    c = fma(c, z, -0.0208139662f);
    c = fma(c, z, 0.253653198f);
    c = fma(c, z, -1.23369884f);
    c = fma(c, z, 1.0f);
    std::uint32_t const sign = (turns ^ doubled) & 0x80000000u; // that of (-1)^k
    return {float_from_bits(bits_from_float(s) ^ sign), float_from_bits(bits_from_float(c) ^ sign)};
}

/// e^-x for x >= 0: relative error below 2.5e-7, exactly 1 at 0; constant (1.6e-38) from x = 87 on.
/// x = k log 2 + r with |r| <= log(2) / 2; e^-r by its Taylor series.
VOLPT_HD float exp_neg(float x)
{
    float const bounded = min(x, 87.0f);
    // Adding 1.5 2^23 rounds to an integer, which is then in the low bits.
    float const shifted = fma(bounded, 1.44269504f, 0x1.8p23f);
    float const k = shifted - 0x1.8p23f;
    float const r = fma(k, 2.12194440e-4f, fma(k, -0.693359375f, bounded)); // log 2 in two parts
    float p = 0.00138888889f;
    p = fma(p, -r, 0.00833333333f);
    p = fma(p, -r, 0.0416666667f);
    p = fma(p, -r, 0.166666667f);
    p = fma(p, -r, 0.5f);
    p = fma(p, -r, 1.0f);
    p = fma(p, -r, 1.0f);
    float const scale = float_from_bits((127u + 0x4b400000u - bits_from_float(shifted)) << 23);
    return p * scale;
}

/// -log(1 - x) for 0 <= x <= 1/2; relative error below 1e-6, exactly 0 at 0. By z = x / (2 - x): 2 artanh z.
VOLPT_HD float neg_log1m(float x)
{
    float const z = x / (2.0f - x);
    float const z2 = z * z;
    float p = 1.0f / 11.0f;
    p = fma(p, z2, 1.0f / 9.0f);
    p = fma(p, z2, 1.0f / 7.0f);
    p = fma(p, z2, 0.2f);
    p = fma(p, z2, 1.0f / 3.0f);
    p = fma(p, z2, 1.0f);
    return 2.0f * z * p;
}

/// The angle of (x, y), not both 0, in units of 2^-32 turns; error below 1e-5 of a radian.
VOLPT_HD std::uint32_t atan2_turns(float x, float y)
{
    bool const steep = abs(y) > abs(x);
    float const t = (steep ? abs(x) : abs(y)) / (steep ? abs(y) : abs(x));
    float const t2 = t * t;
    float p = -0.01172120f;
    p = fma(p, t2, 0.05265332f);
    p = fma(p, t2, -0.11643287f);
    p = fma(p, t2, 0.19354346f);
    p = fma(p, t2, -0.33262347f);
    p = fma(p, t2, 0.99997726f);
    float const octant = t * p * 0.159154943f; // turns, 0 .. 1/8
    float const quadrant = steep ? 0.25f - octant : octant;
    float const half = x < 0.0f ? 0.5f - quadrant : quadrant;
    float const turn = y < 0.0f ? 1.0f - half : half;
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(turn * 0x1p22f)) << 10;
}

} // namespace exact
} // namespace volpt
