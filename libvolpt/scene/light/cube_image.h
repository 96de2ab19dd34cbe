// Cube maps as light: six square faces in one picture, taken to the lat-long picture of the same light.
#pragma once

#include "libvolpt/image/image.h"
#include "libvolpt/sys/text/enum_words.h"

#include <string>

namespace volpt {

/// How a picture covers the sphere of directions. `automatic` goes by its size: 6:1 and 1:6 are strips, 4:3 and 3:4
/// crosses if the six squares without a face are each of one value; all others are lat-long.
enum class LightLayout { automatic, latlong, cross, strip };
template <>
inline constexpr auto kWords<LightLayout> = list_words<LightLayout>({{LightLayout::automatic, "auto"},
                                                                     {LightLayout::latlong, "latlong"},
                                                                     {LightLayout::cross, "cross"},
                                                                     {LightLayout::strip, "strip"}});

/// The lat-long picture of a picture's light, with the channels R, G, B or Y; a lat-long picture is returned as it is.
///
/// Faces are seen from within, the sides with up above. The middle of the front face is the middle of the lat-long
/// picture, and right is right in both. A horizontal cross (4:3) has left, front, right and back in its middle row, up
/// above front and down below it; a vertical one (3:4) has back below down instead, turned by 180 degrees. A strip has
/// the order of OpenGL's faces +x -x +y -y +z -z: right, left, up, down, front, back, each turned as in the horizontal
/// cross.
///
/// A texel has one value on its own solid angle; a pixel of the result is the mean over its own, integrated exactly
/// along meridians, 6 or more per pixel. Every texel so keeps its light, those of up and down within 0.5 %. IEEE
/// operations alone: the same bits on every host.
///
/// Error (usage) if the size is not that of `layout`; Error (input, names `where`) for channels that are missing or
/// have values that are no radiance (require_radiance).
Image arrange_as_latlong(Image image, LightLayout layout, std::string const& where);

} // namespace volpt
