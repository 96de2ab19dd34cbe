// Image-based light: a lat-long picture, resampled into the two hemisphere squares that core looks up.
#pragma once

#include "libvolpt/image/image.h"
#include "libvolpt/sys/checksum.h"
#include "libvolpt/volume/volume.h"

#include <cstdint>
#include <span>
#include <vector>

namespace volpt {

/// Texels as EnvironmentView reads them; z of the light's frame is the picture's up.
struct LightImage {
    std::uint32_t edge = 0;
    std::uint32_t bands = 0;
    std::vector<float> texels; ///< [hemisphere][row][column][band]
    float largest = 0; ///< of all channels, so that the film's scale does not depend on which bands are rendered
    Hash128 checksum;  ///< of the decoded pixels; the scene records it
    /// How far lookups at the centres of pixels are from these pixels, over the latter, on average over the sphere:
    /// what is seen where the light is looked at directly. Integrals over the sphere do not differ.
    float blur = 0;
};

/// The channel of this name. Error (input, names `where`) if there is none, or if a value is NaN or not in 0 .. 1e9.
Channel const& require_radiance(Image const& image, std::string_view name, std::string const& where);

/// Checksum of an image's size, channels and values; independent of the file's format and of its name.
Hash128 hash_image(Image const& image);

/// Resamples `image` (lat-long, linear, rows from up to down, columns as in Mitsuba 3's envmap: the direction of (u, v)
/// is (sin 2 pi u sin pi v, cos pi v, -cos 2 pi u sin pi v) with y up): the light of every pixel is kept
/// (light_resample.h).
/// Bands by number: a volume with R, G and B takes those channels; one grey band takes the luminance (Rec. 709) of a
/// colour image; a channel Y serves all bands. Error (input, names `where`) on a channel that is missing, NaN, infinite
/// or negative.
LightImage make_light_image(Image const& image, std::span<std::uint32_t const> band_numbers, std::string const& where);
/// The same for the bands of a volume. A band that `volprep --bands` took from a coloured volume keeps its channel, so
/// that its picture equals that band of the whole picture.
LightImage make_light_image(Image const& image, VolumeMeta const& volume, std::string const& where);

} // namespace volpt
