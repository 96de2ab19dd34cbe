// The samples of a film in groups, for standard errors of what is not measured by pixel.
#pragma once

#include "libvolpt/film/film.h"

namespace volpt {

/// By g: samples s of all pixels with s % groups = g.
std::vector<std::uint64_t> count_group_samples(Film const& film, std::uint32_t groups);

} // namespace volpt
