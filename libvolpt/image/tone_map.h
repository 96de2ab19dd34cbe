// From linear radiance to display values.
#pragma once

#include "libvolpt/colour/colour.h"
#include "libvolpt/image/image.h"
#include "libvolpt/sys/text/enum_words.h"

namespace volpt {

/// How light after the exposure becomes the values of a display.
enum class Tone {
    srgb,   ///< clamped to 0..1, with the sRGB transfer function (IEC 61966-2-1:1999)
    linear, ///< clamped, without a transfer function
    filmic, ///< through show_filmic, with the sRGB transfer function
};
template <>
inline constexpr auto
    kWords<Tone> = list_words<Tone>({{Tone::srgb, "srgb"}, {Tone::linear, "linear"}, {Tone::filmic, "filmic"}});

/// Displayed light, 0 to 1, of light after the exposure: the curve of K. Narkowicz (ACES Filmic Tone Mapping Curve,
/// 2016), (2.51 x^2 + 0.03 x) / (2.43 x^2 + 0.59 x + 0.14), of x = 0.7232 times the light, so that 0.18 stays 0.18. It
/// rises strictly from 0 to 1, which it has from about 10 on. 0 for NaN and below 0.
double show_filmic(double light);

/// Linear * exposure through the tone. Filmic pictures have their largest channel by show_filmic; the others keep their
/// ratio to it, so that no hue turns, and the colour is mixed with white of that light by 1 - 1 / (0.15 d + 1), where d
/// is by how much the curve has lowered the largest channel (Khronos PBR Neutral Tone Mapper, 2024). NaN becomes 0. The
/// result has the channels R, G, B, or Y, and the metadata of the image. Where there is a channel A, premultiplied
/// colours are divided by it first (PNG has straight alpha), and A is kept. Error (usage) for an image that is not
/// linear or has none of these channels. On up to `threads` threads (sys/parallel.h).
Image tone_map(Image const& linear, float exposure, int threads = 1, Tone tone = Tone::srgb);

/// The exposure at which the 99th percentile of pixels, by the largest of R, G and B or by Y, is shown as 0.9 (linear),
/// a little below white; transparent pixels do not count. 1 where that is not positive, and at most 1e9. Error as
/// tone_map.
float find_exposure(Image const& linear, Tone tone = Tone::srgb);

/// Any image for display: sRGB-coded R, G, B, or Y, in 0..1, at exposure 1, over the background (linear sRGB) where it
/// has alpha (display_over). The first band stands for bands without colours; NaN becomes 0.
Image make_displayable(Image const& image, Colour background);

} // namespace volpt
