// The error maps of a verdict by name, with the scale that suits each.
#pragma once

#include "libvolpt/stats/report/colour_map.h"
#include "libvolpt/stats/verdict/verdict.h"

#include <filesystem>

namespace volpt {

struct NamedMap {
    std::string name;
    std::string title; ///< "FLIP", "z, test - reference", ..
    std::vector<float> values;
    ColourScale scale;
};

/// "difference" (signed, mean over the channels), "z" of a test of expectations, or the map of a metric that the
/// verdict kept; nothing if there is none, because nothing was compared or the metric has no map. flip, hdrflip,
/// de2000_noise_share and ssim have fixed scales, z ends at 5; the others end at the 99th percentile of their size.
std::optional<NamedMap> find_error_map(Verdict const& verdict, std::string_view name);

/// .png: colours. .exr: one channel Y of the values.
void write_error_map(std::filesystem::path const& path, NamedMap const& map, int width, int height);

} // namespace volpt
