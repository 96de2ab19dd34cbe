// Another size for a picture: each pixel becomes the mean of the area that it covers.
#pragma once

#include "libvolpt/image/image.h"

namespace volpt {

/// Channels R, G, B, Y and A alone, averaged with the share of each source pixel in the new one's area; sRGB-coded
/// colours are averaged in linear light and coded again. Width and height may grow as well as shrink. Error (usage) for
/// a size below 1 x 1 or an image without any of these channels.
Image resample_area(Image const& image, int width, int height);

} // namespace volpt
