// The film in words: JSON keys that the tools answer with, and text attributes for image files.
#pragma once

#include "libvolpt/film/film.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <utility>
#include <vector>

namespace volpt {

/// scene_hash, film_hash, seed, width, height, bands, samples (those of every pixel: samples_min), samples_min,
/// samples_max, paths, extensions, tentative_collisions, cut_paths, cut_throughput (their summed throughput as a
/// number), mean and standard_error (arrays by band; null where no sample tells). Films whose scene has long steps
/// also: long_steps, stepped_collisions (those that long steps stand for), banks and bank_error (by band: what the
/// banks add to the standard error of the mean, relative to the mean).
nlohmann::ordered_json report_film(Film const& film);

/// illuminant, observer, and de2000_noise_mean and de2000_noise_p95 over the pixels (null if infinite). Error (usage)
/// for a film without colour.
nlohmann::ordered_json report_colour(Film const& film, Illuminant illuminant);

/// report_film, list_shared_variances as one JSON object "shared_variance" unless it is empty, and "scene.<field>" for
/// each field that matters; "provenance" as one JSON object, unless it is left out.
std::vector<std::pair<std::string, std::string>> list_film_attributes(Film const& film, KeepProvenance keep);

} // namespace volpt
