// In which bands a grey volume is rendered: in its own, or, where light gives it a colour, in three.
#pragma once

#include "libvolpt/sys/progress.h"
#include "libvolpt/sys/text/enum_words.h"
#include "libvolpt/volume/volume.h"

#include <cstdint>
#include <optional>

namespace volpt {

struct Image;
struct SceneHints;
struct SceneRequest;

/// Of pictures of a volume that is grey (VolumeMeta::is_grey); others have the bands of the volume.
enum class PictureBands {
    of_light, ///< red, green and blue if light or ground has a colour, else the band of the volume
    of_volume ///< its own band, which takes the luminance of coloured light
};
template <>
inline constexpr auto kWords<PictureBands> = list_words<PictureBands>({{PictureBands::of_light, "light"},
                                                                       {PictureBands::of_volume, "volume"}});

/// Of a light image, by its channels R, G and B.
enum class ImageColour { grey, coloured };
ImageColour find_colour(Image const& image);

/// Whether light or ground of the request, or the light of `hints`, has a colour: three values that are not all equal,
/// or an image whose channels differ. `image` is the one that choose_light has chosen; without one, grey. The
/// environment of a probe, which has its own light, does not count.
bool has_coloured_light(SceneRequest const& request, SceneHints const& hints, ImageColour image);

/// The bands of the picture: those of a film that is to be continued, which is `film_bands`, else as the request says.
/// Error (usage) if the request says of_volume and the film has three bands.
std::uint32_t choose_bands(VolumeMeta const& volume, SceneRequest const& request, SceneHints const& hints,
                           ImageColour image, std::optional<std::uint32_t> film_bands);

/// The request with the luminance (Rec. 709) in place of three values, as one grey band takes it from a coloured image.
SceneRequest take_luminance(SceneRequest request);

/// For the user, where a grey volume is rendered in three bands.
void report_widened(NoticeSink const& notice);

} // namespace volpt
