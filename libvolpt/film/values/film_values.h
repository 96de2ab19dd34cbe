// What a film says of each pixel, as plain arrays in the order of the picture: row by row, from the top.
#pragma once

#include "libvolpt/colour/colour_space.h"
#include "libvolpt/film/film.h"

namespace volpt {

/// Linear means, [y][x][band]; 0 without samples.
std::vector<float> list_means(Film const& film);

/// Standard errors of the means, [y][x][band], with those of the banks of long steps; infinite below two samples.
std::vector<float> list_standard_errors(Film const& film);

/// Samples per pixel, [y][x].
std::vector<std::uint64_t> list_samples(Film const& film);

/// CIE L*a*b* of the means, [y][x][3], on up to `threads` threads. Error (usage) if its bands define no
/// colour.
std::vector<float> list_lab(Film const& film, Illuminant illuminant, int threads);

} // namespace volpt
