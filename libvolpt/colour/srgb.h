// The sRGB transfer function, IEC 61966-2-1:1999, equations 5 to 7 and their inverse.
#pragma once

#include "libvolpt/colour/vector_math.h"

#include <cmath>

namespace volpt {

/// Not clamped; the straight part of the curve goes on below 0.
inline double encode_srgb(double linear)
{
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}

/// The inverse of encode_srgb.
inline double decode_srgb(double coded)
{
    return coded <= 0.04045 ? coded / 12.92 : std::pow((coded + 0.055) / 1.055, 2.4);
}

namespace fast {

/// decode_srgb for vector loops over pixels, with the relative error of fast::pow.
[[gnu::always_inline]] inline float decode_srgb(float coded)
{
    float const curve = pow((coded + 0.055f) / 1.055f, 2.4f);
    return coded > 0.04045f ? curve : coded / 12.92f;
}

} // namespace fast
} // namespace volpt
