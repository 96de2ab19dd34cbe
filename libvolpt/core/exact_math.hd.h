// Mathematical functions with the same bits on every processor: IEEE operations and polynomials of our own.
//
// The only file of core that may call math functions of the platform: fma and sqrt, which IEEE 754 defines to be
// correctly rounded. Polynomials are minimax fits (Remez exchange, bench/fit_polynomials.py).
#pragma once

#include "libvolpt/core/encoding.hd.h"

#include <cmath>

namespace volpt::exact {

VOLPT_HD float fma(float a, float b, float c)
{
#if VOLPT_ON_DEVICE
    return __fmaf_rn(a, b, c);
#else
    return __builtin_fmaf(a, b, c);
#endif
}

/// Correctly rounded square root of x >= 0.
VOLPT_HD float sqrt(float x)
{
#if VOLPT_ON_DEVICE
    return __fsqrt_rn(x);
#else
    return __builtin_sqrtf(x);
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

/// -log(x) for normal x > 0; relative error below 2e-7, exactly 0 at 1.
/// x = 2^e m with m in [sqrt(1/2), sqrt(2)); log m = f + f^2 Q(f), f = m - 1.
VOLPT_HD float neg_log(float x)
{
    // Subtracting the bits of sqrt(1/2) makes the exponent field count from there, so that m is centred on 1.
    std::int32_t const shifted = static_cast<std::int32_t>(bits_from_float(x) - 0x3f3504f3u);
    std::int32_t const exponent = shifted >> 23;
    float const m = float_from_bits((static_cast<std::uint32_t>(shifted) & 0x007fffffu) + 0x3f3504f3u);
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

/// Sine and cosine of the angle 2 pi turns / 2^32; absolute error below 1.1e-7. The reduction to an octant pair is
/// exact because `turns` is an integer.
VOLPT_HD SinCos sincos_turns(std::uint32_t turns)
{
    std::uint32_t const quadrant = (turns + 0x20000000u) >> 30;
    float const t = static_cast<float>(static_cast<std::int32_t>(turns - (quadrant << 30))) * 0x1p-30f;
    float const z = t * t; // angle = t pi / 2, |t| <= 1/2
    float s = -0.00460165784774f;
    s = fma(s, z, 0.0796800327557f);
    s = fma(s, z, -0.645963460232f);
    s = fma(s, z, 1.57079632171f);
    s = s * t;
    float c = -0.0204172827971f;
    c = fma(c, z, 0.253603211038f);
    c = fma(c, z, -1.23369770635f);
    c = fma(c, z, 1.0f);
    bool const swapped = (quadrant & 1u) != 0u;
    float const sine = swapped ? c : s;
    float const cosine = swapped ? s : c;
    std::uint32_t const sine_sign = (quadrant & 2u) << 30;
    std::uint32_t const cosine_sign = ((quadrant + 1u) & 2u) << 30;
    return {float_from_bits(bits_from_float(sine) ^ sine_sign), float_from_bits(bits_from_float(cosine) ^ cosine_sign)};
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

} // namespace volpt::exact
