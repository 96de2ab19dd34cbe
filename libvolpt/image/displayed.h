// Pictures with alpha as they are displayed: composited over a background (Porter & Duff 1984), in linear light.
#pragma once

#include "libvolpt/colour/colour.h"
#include "libvolpt/image/image.h"

#include <string>
#include <string_view>
#include <vector>

namespace volpt {

/// Whether colours are multiplied by alpha, the channel A. Those of OpenEXR are, those of other formats are not.
enum class AlphaForm { premultiplied, straight };

/// Premultiplied if the image is linear and straight if it is sRGB-coded, unless set_alpha_form has said otherwise: of
/// a linear PNG, and where a user states another transfer than the file's.
AlphaForm find_alpha_form(Image const& image);
/// As an attribute in the metadata, if the form is not the usual one of the image's transfer.
void set_alpha_form(Image& image, AlphaForm form);

/// Of an image from an OpenEXR file with values other than 0 outside of its display window: a hash of these values and
/// their places, in its metadata.
inline constexpr char kOverscanAttribute[] = "volpt.overscan_hash";

struct DisplayBackground {
    std::string name; ///< as a user writes it
    Colour colour;    ///< linear sRGB
};

/// "black", "white" or "#rrggbb", which is sRGB-coded. Error (usage) names `option` for another text.
DisplayBackground parse_background(std::string_view option, std::string const& text);

/// Black and white. What is displayed is linear in the background, so that two pixels that are equal over both are
/// equal over any.
std::vector<DisplayBackground> list_default_backgrounds();

/// No alpha below 1.
bool is_opaque(Image const& image);

/// Linear, unclamped R, G, B, or Y if the image has it and the background is grey, without A: colours multiplied by
/// alpha, if they are not yet, plus one minus alpha of the background. Alpha is clamped to 0..1. A pixel of alpha 1
/// keeps its colours (load_linear_rgb) to the bit. NaN where a colour or alpha is NaN or infinite. The image has
/// channels R, G, B or Y. On up to `threads` threads.
Image display_over(Image const& image, Colour background, int threads = 1);

/// Multiplies straight R, G, B and Y by alpha, clamped to 0..1. The image is linear.
void premultiply(Image& image);

} // namespace volpt
