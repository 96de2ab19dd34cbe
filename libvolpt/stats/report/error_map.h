// The error maps of a verdict by name, and numbers as colours.
#pragma once

#include "libvolpt/stats/verdict/verdict.h"

#include <filesystem>
#include <optional>
#include <span>

namespace volpt {

/// magnitude: from black to light yellow; sign: from blue over white to red.
enum class ColourMap { magnitude, sign };

struct ColourScale {
    ColourMap map = ColourMap::magnitude;
    float end = 1; ///< the scale is 0..end, or -end..end
};

/// sRGB-coded R, G, B. Values beyond the scale take its last colour, NaN is grey.
Image paint(std::span<float const> values, int width, int height, ColourScale scale);
/// The scale itself, from its lowest to its highest value, one row.
Image paint_scale(ColourScale scale, int width);

struct NamedMap {
    std::string name;
    std::string title; ///< "FLIP", "z of test - reference", ..
    std::vector<float> values;
    ColourScale scale;
};

/// "difference" (signed, mean over the channels), "z" or "blocks" of a test of expectations, or the map of a metric
/// that the verdict kept; nothing if there is none, because nothing was compared or the metric has no map. flip,
/// hdrflip and de2000_noise_share have fixed scales, z and blocks end at 5; the others end at the 99th percentile of
/// their magnitudes.
std::optional<NamedMap> find_error_map(Verdict const& verdict, std::string_view name);

/// .png, .jpg: colours. .exr: one channel Y of the values.
void write_error_map(std::filesystem::path const& path, NamedMap const& map, int width, int height);

} // namespace volpt
