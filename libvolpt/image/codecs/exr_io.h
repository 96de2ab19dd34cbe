// Decoding and encoding of OpenEXR files in memory.
#pragma once

#include "libvolpt/image/image.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace volpt {

/// Scanline or tiled parts (level 0), channels of any type as float. Channels of a second part and of those after it
/// are named part.channel, unless their names begin so already; parts of one channel name each are layers. The image
/// has the size of the display window; pixels of it outside the data window are 0; a data window that leaves the
/// display window is refused, because cropping would lose pixels. String attributes become metadata.
Image decode_exr(std::span<std::byte const> file, std::string const& where);

/// Scanlines, every channel as 32-bit float, ZIP; metadata as string attributes. Error (usage) for metadata under a
/// name that the format keeps for itself.
std::vector<std::byte> encode_exr(Image const& image);

} // namespace volpt
