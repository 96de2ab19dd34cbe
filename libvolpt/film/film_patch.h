// The mean colour of a rectangle of a film, as instruments measure patches, and its noise.
#pragma once

#include "libvolpt/colour/colour_noise.h"
#include "libvolpt/film/film.h"

#include <cstdint>

namespace volpt {

/// Columns [x_first, x_end) and rows [y_first, y_end).
struct PixelRectangle {
    std::uint32_t x_first, y_first, x_end, y_end;
};

/// The colour of the mean of these pixels' means and its noise: that of the pixels, which are independent, but of mlt
/// at most that, as if all were off together; and that of the banks of long steps, which they share. Errors are
/// infinite if a pixel has fewer than two samples. Error (usage) for a rectangle that is empty or not inside the film,
/// pixels without samples, or a film without colour.
NoisyColour measure_patch(Film const& film, PixelRectangle const& rectangle, Illuminant illuminant);

} // namespace volpt
