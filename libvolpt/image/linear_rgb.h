// Rows of an image as linear sRGB.
#pragma once

#include "libvolpt/colour/colour.h"
#include "libvolpt/image/image.h"

#include <string_view>

namespace volpt {

/// Whether the image has channels R, G, B or Y.
bool has_colours(Image const& image);
/// Error (usage) unless the image has channels R, G, B or Y; `metric` is what needs them.
void require_colours(Image const& image, std::string_view metric);

/// Linear R, G, B of pixels [x_first, x_end) of row y, from the channels R, G, B, or Y for all three; sRGB-coded values
/// are decoded, nothing is clamped. NaN where a value is NaN or infinite.
void load_linear_rgb(Image const& image, int y, int x_first, int x_end, ColourRow to);

} // namespace volpt
