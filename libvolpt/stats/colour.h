// Colours of an image's rows: linear sRGB (D65), CIE XYZ and L*a*b*.
//
// IEC 61966-2-1:1999; CIE 15:2004.
#pragma once

#include "libvolpt/image/colour_space.h"
#include "libvolpt/image/image.h"
#include "libvolpt/stats/fast_float.h"

#include <array>

namespace volpt {

/// One row of three planes; what they hold is said where one is used.
struct ColourRow {
    float* first;
    float* second;
    float* third;
};

/// Channels R, G, B or Y are there.
bool has_colours(Image const& image);
/// Error (usage) unless the image has channels R, G, B or Y; `metric` names who needs them.
void require_colours(Image const& image, std::string_view metric);

/// Linear R, G, B of pixels [x_first, x_end) of row y, from the channels R, G, B, or Y for all three; sRGB-coded values
/// are decoded, nothing is clamped. NaN where a value is NaN or infinite.
void load_linear_rgb(Image const& image, int y, int x_first, int x_end, ColourRow to);

using Colour = std::array<float, 3>;

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
