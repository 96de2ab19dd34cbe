// Exact equality of two films, their differences, and what their noise has in common.
#pragma once

#include "libvolpt/film/film.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace volpt {

struct Subject;

/// How two films are related, hence what of them can be equal.
enum class FilmRelation {
    same_samples,  ///< of the same scene: the bits must be equal
    other_samples, ///< same scene, other seed or sample numbers: only the statistics can agree
    other_scene,
};

/// What the noise of both has in common: without it, it is independent.
enum class SharedNoise {
    none,
    random_numbers, ///< some samples of both are drawn by the same numbers, as the seed is the same, in different
                    ///< scenes
    samples,        ///< some samples are in both
};

struct FilmComparison {
    FilmRelation relation = FilmRelation::same_samples;
    SharedNoise shared_noise = SharedNoise::none;
    bool equal = false;                   ///< hash_film agrees: scene, seed, scales, samples and sums; not provenance
    std::vector<std::string> differences; ///< one per line, empty if equal
};

/// Names every scene field that differs, then seed, scales and samples; if all of these agree, the number of sums that
/// differ and the first pixel and band where they do.
FilmComparison compare_films(Film const& test, Film const& reference);

/// Of two sides that are not both films. An image made from a film names its seed and scene, not its sample numbers:
/// these are taken to be shared, as nearly all films begin at sample 0. None if a side does not tell its scene.
std::optional<SharedNoise> find_shared_noise(Subject const& test, Subject const& reference);

/// "same scene, same samples: the bits must be equal", and so on.
std::string_view describe(FilmRelation relation);

} // namespace volpt
