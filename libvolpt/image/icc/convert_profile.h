// Colours of a picture with an ICC profile become sRGB, by Little CMS.
//
// ICC.1:2022 (profile version 4.4); IEC 61966-2-1 (sRGB).
#pragma once

#include "libvolpt/image/codecs/picture_memory.h"
#include "libvolpt/image/image.h"
#include "libvolpt/image/stored_image.h"

#include <filesystem>
#include <optional>
#include <string>

namespace volpt {

/// Applies image.profile, or without one that of the file `fallback`, and removes it. R G B and C M Y K become R G B, Y
/// stays Y; A is left alone. Values are then sRGB-coded and not clamped: colours outside of sRGB lie beyond 0 to 1. The
/// intent is relative colorimetric: the profile's white becomes 1, other colours keep their place relative to it.
/// Values under a profile of sRGB are left as they are. A profile that cannot be applied is told in `notices` for grey
/// and R G B, which are then taken as sRGB. Error (input) for C M Y K with no profile that can be applied, and for a
/// `fallback` that is no profile. Channels are converted in place if a second copy of them is more than `memory` has
/// room for, in twice the time.
void apply_profile(Image& image, std::string const& where, std::optional<std::filesystem::path> const& fallback = {},
                   PictureMemory const& memory = {});

/// The same: values that are converted become floats, for which `memory` must have room (Error, input); others stay as
/// they are stored.
void apply_profile(StoredImage& image, std::uint64_t file_bytes, std::string const& where,
                   std::optional<std::filesystem::path> const& fallback, PictureMemory const& memory);

} // namespace volpt
