// Colours of an image's rows: linear sRGB (D65), CIE XYZ and L*a*b*.
//
// IEC 61966-2-1:1999; CIE 15:2004.
#pragma once

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

/// sRGB primaries, relative to the white D65: white is 1, 1, 1 rather than its X, Y, Z.
[[gnu::always_inline]] inline Colour to_relative_xyz(Colour rgb)
{
    return {0.433895389f * rgb[0] + 0.376242373f * rgb[1] + 0.189862239f * rgb[2],
            0.212636822f * rgb[0] + 0.715182982f * rgb[1] + 0.072180196f * rgb[2],
            0.017752423f * rgb[0] + 0.109465629f * rgb[1] + 0.872781948f * rgb[2]};
}

/// The inverse of to_relative_xyz.
[[gnu::always_inline]] inline Colour to_linear_rgb(Colour xyz)
{
    return {3.080341988f * xyz[0] - 1.537398969f * xyz[1] - 0.542943019f * xyz[2],
            -0.921178396f * xyz[0] + 1.875929984f * xyz[1] + 0.045248412f * xyz[2],
            0.052881293f * xyz[0] - 0.204011206f * xyz[1] + 1.151129913f * xyz[2]};
}

/// CIE 15:2004, equations 8.3 to 8.11, of the relative tristimulus values.
[[gnu::always_inline]] inline Colour to_lab(Colour xyz)
{
    constexpr float kDelta = 6.0f / 29.0f;
    Colour f;
    for (std::size_t i = 0; i < 3; ++i) {
        float const line = xyz[i] * (1 / (3 * kDelta * kDelta)) + 4.0f / 29.0f;
        float const root = fast::cbrt(xyz[i]);
        f[i] = xyz[i] > kDelta * kDelta * kDelta ? root : line;
    }
    return {116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])};
}

} // namespace volpt
