// How a film is shown, and the pictures that browsers get of it.
#pragma once

#include "libvolpt/colour/colour_space.h"
#include "libvolpt/denoise/denoised_image.h"
#include "libvolpt/film/film.h"
#include "libvolpt/image/tone_map.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace volpt {

struct DenoisedPicture;

using DisplayTone = Tone;

struct DisplaySettings {
    double exposure_stops = 0; ///< the factor's base-2 logarithm
    DisplayTone tone = DisplayTone::srgb;
    Illuminant illuminant = Illuminant::d65; ///< of bands with wavelengths
    int band = -1;                           ///< shown as grey; -1: the colour, or the first band of a film without one
    Denoise denoise = Denoise::on;

    /// 2 to the power of the stops.
    float exposure() const;
    bool operator==(DisplaySettings const&) const = default;
};

/// R, G, B or Y, and A where the film has it, in 0..1 as 8-bit files hold them.
Image make_display_picture(Film const& film, DisplaySettings const& settings, int threads);
/// The same of a film that was denoised, which its metadata say (kDenoisedAttribute).
Image make_display_picture(DenoisedPicture const& picture, DisplaySettings const& settings, int threads);

/// A picture as a file in memory.
struct EncodedPicture {
    std::string_view type; ///< "image/png" or "image/jpeg"
    std::vector<std::byte> bytes;
};
EncodedPicture encode_png(Image const& picture, int threads);
/// JPEG where it is large and has no channel A, for transfers that have to be fast; else PNG.
EncodedPicture encode_for_stream(Image const& picture, int threads);

} // namespace volpt
