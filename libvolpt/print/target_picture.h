// The picture that a print is to show, on the printer's grid.
#pragma once

#include "libvolpt/image/image.h"

#include <array>
#include <vector>

namespace volpt {

/// Linear R, G, B, 0..1, of columns * rows texels, top row first. sRGB-coded channels are decoded, alpha blends over
/// white, grey has three equal channels; values are clamped. A texel takes the pixel at its centre, or, where pixels
/// are smaller, their mean light. Error (input) names `where` if there is neither R, G, B nor Y, or a value is no
/// number.
std::vector<std::array<float, 3>> sample_target(Image const& picture, int columns, int rows, std::string const& where);

} // namespace volpt
