// Reads and writes image files; the codec is found by content, then by extension, from codecs.def.
#pragma once

#include "libvolpt/image/image.h"

#include <filesystem>

namespace volpt {

/// Error (input) names the file, the offset or the chunk, and what to do. Sizes are checked against the file's length
/// before anything is allocated.
Image read_image(std::filesystem::path const& path);

/// Writes to a temporary name and renames. The codec follows the extension; Error (usage) lists the known ones. EXR
/// keeps every channel as float and metadata as string attributes; PNG (8 bit) takes channels R, G, B (A) or Y, already
/// in its transfer; HDR and PFM take linear R, G, B or Y.
void write_image(std::filesystem::path const& path, Image const& image);

/// True if `write_image` knows this extension.
bool is_writable_image(std::filesystem::path const& path);

/// ".exr .png .hdr .pfm", for help texts.
std::string list_image_extensions();

} // namespace volpt
