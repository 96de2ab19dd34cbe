// Reports of a film: the JSON that tools print, and text attributes for image files.
#pragma once

#include "libvolpt/colour/colour_space.h"
#include "libvolpt/film/film_io.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <utility>
#include <vector>

namespace volpt {

/// scene_hash, film_hash, seed, width, height, bands, samples (that every pixel has: samples_min), samples_min,
/// samples_max, paths, extensions, tentative_collisions, cut_paths, cut_throughput (sum over the cut paths), mean and
/// standard_error (arrays by band; null where the samples do not suffice), dim_share (FilmSummary). With long steps
/// also long_steps, stepped_collisions (collisions that long steps stand for), banks and bank_error (by band: the
/// banks' part of the standard error of the mean, relative to the mean).
nlohmann::ordered_json report_film(Film const& film);

/// The same with scene (an object of its fields) and provenance: all that a film says of itself.
nlohmann::ordered_json report_film_with_scene(Film const& film);

/// illuminant, observer, de2000_noise_mean and de2000_noise_p95 over the pixels (null if infinite), and
/// de2000_noise_kind: "expected", or "at_most" where ColourNoise is a bound. Error (usage) for a film without colour.
nlohmann::ordered_json report_colour(Film const& film, Illuminant illuminant, int threads = 1);

/// The entries of report_film; find_rounding_variance as "rounding_variance"; list_shared_variances as a JSON object
/// "shared_variance" unless it is empty; a "scene.<field>" for each field that is used; "provenance" as a JSON object,
/// if it is kept.
std::vector<std::pair<std::string, std::string>> list_film_attributes(Film const& film, KeepProvenance keep);

} // namespace volpt
