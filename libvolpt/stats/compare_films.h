// Exact equality of two films, and in what they differ.
#pragma once

#include "libvolpt/film/film.h"

#include <string>
#include <vector>

namespace volpt {

struct FilmComparison {
    bool equal = false; ///< hash_film of both agrees: scene, seed, scales, samples and sums; not provenance
    std::vector<std::string> differences; ///< one a line, empty if equal
};

/// Names every scene field that differs, then seed, scales and samples; if all those agree, how many sums differ, and
/// the first pixel and band of them.
FilmComparison compare_films(Film const& test, Film const& reference);

} // namespace volpt
