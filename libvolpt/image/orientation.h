// Which way up a picture is stored.
//
// Exif 2.32 (CIPA DC-008), tag Orientation; TIFF 6.0, the same tag.
#pragma once

#include "libvolpt/image/stored_image.h"

#include <cstddef>
#include <span>

namespace volpt {

/// 1 to 8, from the data of a JPEG's segment APP1: "Exif", two zeros and a TIFF header. 1, which is upright, if it has
/// none or cannot be read.
int find_exif_orientation(std::span<std::byte const> segment);

/// Turns and mirrors a picture that is stored in this orientation so that its first row is the top one and its first
/// column the left one. Width and height are exchanged for 5 to 8; numbers outside 1 to 8 change nothing.
void apply_orientation(StoredImage& image, int orientation);

} // namespace volpt
