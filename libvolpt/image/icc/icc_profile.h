// What an ICC profile says of itself: its name, and whether its colours are sRGB, so that they may stay as they are.
//
// ICC.1:2022 (profile version 4.4); IEC 61966-2-1 (sRGB).
#pragma once

#include "libvolpt/image/image.h"

#include <cstddef>
#include <span>
#include <string>

namespace volpt {

struct IccSummary {
    std::string description; ///< printable ASCII, at most 80 letters; empty: none that can be read
    bool is_srgb = false;    ///< primaries within 0.003 (XYZ under D50) and tone curves within 0.003 at half code
};

/// Of a whole profile, or of its first part. Never fails: what cannot be read is not sRGB.
IccSummary read_icc_profile(std::span<std::byte const> profile);

/// The data of PNG's chunk iCCP: a name, and a deflated profile, of which at most 4 MiB are inflated (no bytes if it is
/// damaged). Never fails.
ColourProfile read_iccp_chunk(std::span<std::byte const> data);

} // namespace volpt
