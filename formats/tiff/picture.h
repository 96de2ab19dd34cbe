// TIFF files as pictures: what a camera, a scanner or a layout program writes, for read_image.
//
// TIFF 6.0 (Aldus, 1992) and BigTIFF, read by libtiff in a sandboxed process.
#pragma once

#include "libvolpt/image/codecs/picture_memory.h"
#include "libvolpt/image/stored_image.h"
#include "libvolpt/sys/sandbox.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace volpt {

/// From now on read_image reads TIFF, unless this build has no libtiff. For the start of a program: see add_codec.
void add_tiff_pictures();

/// The first page of full size: grey, R G B (also by palette, or YCbCr within JPEG) or C M Y K of 8 or 16 bits, with or
/// without alpha, upright by the tag Orientation. Colours are as stored, with the profile left in `profile`. `limits`
/// are those of the process that reads; absent: by the length of the file. Error (input) starts with `where`.
StoredImage decode_tiff_picture(std::span<std::byte const> file, std::string const& where,
                                std::optional<SandboxLimits> limits, PictureMemory const& memory = {},
                                SampleForm form = SampleForm::floats);

} // namespace volpt
