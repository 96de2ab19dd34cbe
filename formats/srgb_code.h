// The transfer of sRGB, 0..1 on both sides.
//
// IEC 61966-2-1:1999.
#pragma once

#include <cmath>

namespace volpt {

inline double decode_srgb(double code)
{
    return code <= 0.04045 ? code / 12.92 : std::pow((code + 0.055) / 1.055, 2.4);
}

inline double encode_srgb(double linear)
{
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}

} // namespace volpt
