// The pixels of a PNG as floats, line by line: nothing but the floats is held for the whole picture.
#pragma once

#include "libvolpt/image/codecs/png/png_check.h"
#include "libvolpt/image/image.h"

#include <string>

namespace volpt {

/// Channels of a picture: those of its colour type, R G B of a palette, and A if it has alpha or a chunk tRNS.
unsigned count_png_channels(PngSummary const& summary);

/// An image of count_png_channels channels, code / largest code, sRGB by assumption. Checks as check_png_scanlines. The
/// caller has bounded the size. Error (input).
Image decode_png_pixels(PngSummary const& summary, std::string const& where);

} // namespace volpt
