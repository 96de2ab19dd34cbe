// From linear radiance to display values.
#pragma once

#include "libvolpt/colour/colour.h"
#include "libvolpt/image/image.h"

namespace volpt {

/// Linear * exposure, clamped to 0..1, with the sRGB transfer function (IEC 61966-2-1:1999). NaN becomes 0. The result
/// has the channels R, G, B, or Y, and the metadata of the image. Where there is a channel A, premultiplied
/// colours are divided by it first (PNG has straight alpha), and A is kept. Error (usage) for an image that is not
/// linear or has none of these channels. On up to `threads` threads (sys/parallel.h).
Image tone_map(Image const& linear, float exposure, int threads = 1);

/// The exposure at which the 99th percentile of pixels, by the largest of R, G and B or by Y, is shown as 0.9, a little
/// below white; transparent pixels do not count. 1 where that is not positive, and at most 1e9. Error as tone_map.
float find_exposure(Image const& linear);

/// Any image for display: sRGB-coded R, G, B, or Y, in 0..1, at exposure 1, over the background (linear sRGB) where it
/// has alpha (display_over). The first band stands for bands without colours; NaN becomes 0.
Image make_displayable(Image const& image, Colour background);

} // namespace volpt
