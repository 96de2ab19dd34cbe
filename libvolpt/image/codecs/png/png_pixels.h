// The pixels of a PNG, line by line: nothing but their values is held for the whole picture.
#pragma once

#include "libvolpt/image/codecs/png/png_check.h"
#include "libvolpt/image/stored_image.h"

#include <string>

namespace volpt {

/// Channels of a picture: those of its colour type, R G B of a palette, and A if it has alpha or a chunk tRNS.
unsigned count_png_channels(PngSummary const& summary);

/// Of what is decoded: samples of less than 8 bits are scaled to 8, those of palettes have 8.
CodeDepth find_png_depth(PngHeader const& header);

/// An image of count_png_channels channels, code / largest code, sRGB by assumption. Checks as check_png_scanlines. The
/// caller has bounded the size. Error (input).
StoredImage decode_png_pixels(PngSummary const& summary, std::string const& where, SampleForm form);

} // namespace volpt
