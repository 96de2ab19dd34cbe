// Resampling: each new pixel is the mean of the area that it covers.
#pragma once

#include "libvolpt/image/image.h"

namespace volpt {

/// Only channels R, G, B, Y and A; source pixels are weighted with their share of the new pixel's area. sRGB-coded
/// colours are averaged in linear light and coded again. Width and height may increase or decrease. Error (usage) for
/// a size below 1 x 1 or an image without any of these channels.
Image resample_area(Image const& image, int width, int height);

} // namespace volpt
