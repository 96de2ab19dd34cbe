// Reads a material table (inks by name) from JSON.
#pragma once

#include "libvolpt/volume/volume.h"

#include <filesystem>
#include <vector>

namespace volpt {

/// {"materials": [{"name": "C", "sigma_t": [9.0, 4.5, 7.5], "albedo": [...] or "one_minus_albedo": [...], "g": 0.4}]}
/// sigma_t in 1/mm, one number a band; `g` may be left out (0). Albedo becomes 1 - albedo in double, so that .9997
/// keeps its digits. "colour" ("#rrggbb", how pictures show the material) is allowed and left to others. All materials have the same number of bands. Error (input) names file, material and field.
std::vector<Material> read_material_table(std::filesystem::path const& path);

} // namespace volpt
