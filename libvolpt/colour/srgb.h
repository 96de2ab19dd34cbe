// The sRGB transfer function, IEC 61966-2-1:1999, equations 5 to 7 and their inverse.
#pragma once

#include <cmath>

namespace volpt {

/// Of a linear value; not clamped, linear below 0.
inline double encode_srgb(double linear)
{
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}

inline double decode_srgb(double coded)
{
    return coded <= 0.04045 ? coded / 12.92 : std::pow((coded + 0.055) / 1.055, 2.4);
}

} // namespace volpt
