// Colours in single precision, for vector loops over pixels: linear sRGB (D65), CIE XYZ and L*a*b*.
//
// IEC 61966-2-1:1999; CIE 15:2004. Tables, matrices and noise are in double precision (Triple, colour_space.h).
#pragma once

#include "libvolpt/colour/colour_space.h"
#include "libvolpt/colour/vector_math.h"

#include <array>

namespace volpt {

/// A row of pixels in three planes: R, G, B or L*, a*, b*, as its user states.
struct ColourRow {
    float* first;
    float* second;
    float* third;
};

using Colour = std::array<float, 3>;

[[gnu::always_inline]] inline Colour colour_at(ColourRow row, std::size_t i)
{
    return {row.first[i], row.second[i], row.third[i]};
}

[[gnu::always_inline]] inline Colour apply(Matrix3 const& matrix, Colour colour)
{
    Colour result;
    for (std::size_t i = 0; i < 3; ++i)
        result[i] = static_cast<float>(matrix[i][0]) * colour[0] + static_cast<float>(matrix[i][1]) * colour[1] +
                    static_cast<float>(matrix[i][2]) * colour[2];
    return result;
}

/// Linear sRGB to relative tristimulus values under D65.
[[gnu::always_inline]] inline Colour to_relative_xyz(Colour rgb)
{
    return apply(kRgbToRelativeXyz, rgb);
}

/// The inverse of to_relative_xyz.
[[gnu::always_inline]] inline Colour to_linear_rgb(Colour xyz)
{
    return apply(kRelativeXyzToRgb, xyz);
}

/// to_lab of colour_space.h, for vector loops.
[[gnu::always_inline]] inline Colour to_lab(Colour xyz)
{
    struct FastCbrt {
        [[gnu::always_inline]] float operator()(float value) const { return fast::cbrt(value); }
    };
    return to_lab<float>(xyz, FastCbrt{});
}

} // namespace volpt
