// A film for the eye: the means of its pixels without most of their noise.
//
// Not for measuring: what is left of the error is no noise that a test knows, and colour differences are those of the
// film itself.
#pragma once

#include "libvolpt/denoise/denoise_plane.h"
#include "libvolpt/film/film.h"

namespace volpt {

/// By band, planes row by row: linear means, and the expected root mean square error that is left of each.
struct DenoisedFilm {
    std::vector<DenoisedPlane> bands;
};

/// Each band is regressed by itself on the guides, which are of the film's scene; its noise is that of the film's own
/// samples. Pixels with one sample have the noise of those around them; those without are taken
/// for noisy ones. A film without noise stays as it is, within
/// rounding, as do pixels in which neither film nor guides have anything. On up to `threads` threads (sys/parallel.h);
/// no bit depends on their number. Error (usage) if the guides have another size or number of bands.
DenoisedFilm denoise_film(Film const& film, Guides const& guides, int threads);
DenoisedFilm denoise_film(Film const& film, Guides const& guides, int threads, GoesOn const& goes_on);

} // namespace volpt
