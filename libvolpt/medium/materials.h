// Reads a material table (inks by name, their bands and where the numbers come from) from JSON.
#pragma once

#include "libvolpt/volume/volume.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace volpt {

/// Vectors that count materials have one entry each, in the order of the file.
struct MaterialTable {
    std::vector<Material> materials;                   ///< 1 .. 256, names all different
    std::vector<std::uint8_t> ids;                     ///< values of a label volume, all different
    std::vector<std::optional<std::uint32_t>> colours; ///< 0xrrggbbaa, how pictures show it; those given all differ
    std::vector<std::string> band_names;               ///< of the bands, all different; empty: not said, or wavelengths
    std::vector<float> wavelengths_nm; ///< of the bands, ascending, 300 .. 1100; empty: not said, or names
    std::optional<double> ior;         ///< of all materials alike, 1 .. 4
    std::string source;                ///< where the numbers come from

    std::uint32_t bands() const { return static_cast<std::uint32_t>(materials.front().sigma_t.size()); }
    bool has_all_colours() const;
};

/// The schema of docs/formats/materials.md. Extinction in 1/mm, one number a band; albedo becomes 1 - albedo in double,
/// so that .9997 keeps its digits. Error (input) names file, material and key; an unknown key, the nearest known one.
MaterialTable read_material_table(std::filesystem::path const& path);

/// The index of a material. Error (input) names `where` and lists the names there are.
std::size_t find_material(MaterialTable const& table, std::string const& name, std::string const& where);

/// "#00ffff", or "#00ffff80" where alpha is not 255.
std::string format_colour(std::uint32_t colour);

} // namespace volpt
