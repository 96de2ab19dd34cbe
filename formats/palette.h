// Which colour of a picture stands for which material: the table of a print's inks.
#pragma once

#include "libvolpt/volume/volume.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace volpt {

struct Palette {
    std::vector<Material> materials;
    std::vector<std::uint32_t> colours; ///< 0xrrggbbaa, one a material, all different
};

/// A material table (libvolpt/volume/materials.h) with "colour": "#rrggbb" or "#rrggbbaa" in every material. Error
/// (input) names the material whose colour is missing, malformed or another's.
Palette read_palette(std::filesystem::path const& path);

/// "#00ffff", or "#00ffff80" where alpha is not 255.
std::string format_colour(std::uint32_t colour);

} // namespace volpt
