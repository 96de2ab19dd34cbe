// Images of any kind as a page or a sheet shows them.
#pragma once

#include "libvolpt/image/image.h"

namespace volpt {

/// sRGB-coded R, G, B or Y, 0..1, at exposure 1: colours alone; a first band stands for bands without colours, black
/// for what is no number.
Image make_displayable(Image const& image);

} // namespace volpt
