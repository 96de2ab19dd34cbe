// Numbers as colours: errors from black to light yellow, signed values from blue over white to red.
#pragma once

#include "libvolpt/image/image.h"

#include <span>

namespace volpt {

enum class ColourMap { magnitude, sign };

struct ColourScale {
    ColourMap map = ColourMap::magnitude;
    float end = 1; ///< of the scale: 0..end, or -end..end
};

/// sRGB-coded R, G, B; values beyond the scale take its last colour, NaN is grey.
Image paint(std::span<float const> values, int width, int height, ColourScale scale);
/// The scale itself, from its lowest to its highest value, one row.
Image paint_scale(ColourScale scale, int width);

} // namespace volpt
