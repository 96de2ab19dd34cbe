// JPEG files (ISO/IEC 10918-1, in JFIF or Exif), decoded by libjpeg-turbo.
#pragma once

#include "libvolpt/image/codecs/picture_memory.h"
#include "libvolpt/image/stored_image.h"

#include <cstddef>
#include <span>
#include <string>

namespace volpt {

/// Channels Y, R G B or C M Y K (1: all of an ink), upright by the orientation that Exif states, sRGB-coded by
/// assumption; the embedded profile is left in `profile`. Error (input) for damaged or truncated data, which libjpeg by
/// itself would fill with grey, and in builds without libjpeg.
StoredImage decode_jpeg(std::span<std::byte const> file, std::string const& where, PictureMemory const& memory,
                        SampleForm form);

} // namespace volpt
