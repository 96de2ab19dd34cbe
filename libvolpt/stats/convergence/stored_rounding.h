// The rounding of values in image files: 8-bit codes, half floats, shared exponents.
#pragma once

#include "libvolpt/image/image.h"

#include <optional>
#include <string_view>

namespace volpt {

struct StoredRounding {
    std::string_view form; ///< "8 bits", "half floats", "8-bit mantissas"
    double variance = 0;   ///< mean of step^2 / 12 over pixels and channels, in linear units
};

/// By the values of the image's picture (the channels of is_picture_channel): codes of 8 bits where it is sRGB-coded,
/// or mantissas of at most 11 bits (half floats) or 8 bits (Radiance: the step is that of the largest channel of the
/// pixel). None if they have more bits: 16-bit codes and floats. The variance of rounding to a step is step^2 / 12
/// (Widrow & Kollar 2008); an sRGB-coded step is taken through the slope of the decoding.
std::optional<StoredRounding> find_stored_rounding(Image const& image);

/// R, G, B, Y, band0, ..: neither alpha, nor the sample count, nor a layer (a name with a dot).
bool is_picture_channel(Channel const& channel);

} // namespace volpt
