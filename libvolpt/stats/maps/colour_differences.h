// Colour differences of two images, pixel by pixel.
#pragma once

#include "libvolpt/colour/delta_e.h"
#include "libvolpt/image/image.h"

#include <vector>

namespace volpt {

/// The distance of each pixel's colours. White is the illuminant, to which sRGB's D65 is adapted (Bradford); linear 1
/// is white, nothing is clamped and no viewing transfer is applied. The images have the same size and channels R, G, B
/// or Y.
std::vector<float> map_colour_differences(Image const& test, Image const& reference, ColourDistance distance,
                                          Illuminant illuminant, int threads);

} // namespace volpt
