// Exact equality of two films, and in what they differ.
#pragma once

#include "libvolpt/film/film.h"

#include <string>
#include <string_view>
#include <vector>

namespace volpt {

/// What can be expected of two films.
enum class FilmRelation {
    same_samples,  ///< of the same scene: bits must be equal
    other_samples, ///< of the same scene: other seed or sample numbers, statistics alone can agree
    other_scene,
};

struct FilmComparison {
    FilmRelation relation = FilmRelation::same_samples;
    /// Samples of the same scene and seed that both hold: their noise is not independent.
    bool share_samples = false;
    bool equal = false; ///< hash_film of both agrees: scene, seed, scales, samples and sums; not provenance
    std::vector<std::string> differences; ///< one a line, empty if equal
};

/// Names every scene field that differs, then seed, scales and samples; if all those agree, how many sums differ, and
/// the first pixel and band of them.
FilmComparison compare_films(Film const& test, Film const& reference);

/// "same scene, same samples: the bits must be equal", and so on.
std::string_view describe(FilmRelation relation);

} // namespace volpt
