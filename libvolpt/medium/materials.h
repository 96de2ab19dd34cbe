// Material tables: inks and other materials by name, their bands and the source of their numbers, read from JSON.
#pragma once

#include "libvolpt/volume/volume.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace volpt {

/// The table that --material takes where none is named.
inline constexpr char kSolidsTable[] = "solids";

/// Where the numbers of one material come from.
struct MaterialOrigin {
    std::string source;        ///< author, year, what was measured
    std::string uncertainty;   ///< a sentence
    bool is_estimated = false; ///< extinction or albedo were measured on no such material
};

/// Vectors that count materials have one entry each, in the order of the file.
struct MaterialTable {
    std::vector<Material> materials;                   ///< 1 .. 256, names all different
    std::vector<std::uint8_t> ids;                     ///< values of a label volume, all different
    std::vector<std::optional<std::uint32_t>> colours; ///< 0xrrggbbaa in pictures; those that are given all differ
    std::vector<std::string> band_names;               ///< all different; empty: not given, or wavelengths are
    std::vector<float> wavelengths_nm;                 ///< ascending, 300 .. 1100; empty: not given, or names are
    std::optional<double> ior;                         ///< of materials without their own, 1 .. 4: the common one
    std::map<std::string, double> iors;                ///< by name, of materials that have their own
    std::map<std::string, double> densities_g_per_cm3; ///< by name, 0.01 .. 25; those that are given
    std::string source;                                ///< where the numbers come from
    std::map<std::string, MaterialOrigin> origins;     ///< by name, of materials that have their own
    std::vector<std::string> support; ///< names of materials that are removed after printing; they are air
    std::vector<std::string> clear;   ///< names of clear resins: solid, and no inks

    std::uint32_t bands() const { return static_cast<std::uint32_t>(materials.front().sigma_t.size()); }
    bool has_all_colours() const;
};

/// The schema of docs/formats/materials.md. Extinction in 1/mm, one number per band; albedo becomes 1 - albedo in
/// double precision, so that .9997 keeps its digits. A material that is air has extinction 0 in every band. Error
/// (input) names file, material and key; for an unknown key it also names the nearest known one.
MaterialTable read_material_table(std::filesystem::path const& path);

/// Reads `elek2017.json` or `elek2017`: the file of that name if there is one, else the table of that name in the
/// folders below. Error (input) lists the installed tables, and the nearest one, if there is neither, or says what is
/// wrong with the table.
MaterialTable open_material_table(std::string const& name_or_path);

/// The names of the tables in the folders below, sorted.
std::vector<std::string> list_material_tables();

/// $VOLPT_DATA_DIR/materials, if set; share/volpt/materials beside the folder of the running program.
std::vector<std::filesystem::path> list_material_folders();

/// Extinction of a material that is clear, in 1/mm, where the table has no number: it bounds the solid, unlike air, and
/// its absorption is not seen.
inline constexpr float kClearExtinction = 1e-6f;

/// A material named `name` without extinction: outside of the solid.
Material make_air_material(std::uint32_t bands, std::string name = "air");
/// The same within the solid: kClearExtinction.
Material make_clear_material(std::uint32_t bands, std::string name = "clear");
/// Whether a material is one of table.clear, or has kClearExtinction in every band.
bool is_clear(MaterialTable const& table, std::size_t index);

/// A material apart from its table.
struct TakenMaterial {
    Material material;
    std::optional<std::uint32_t> colour;
};

/// The table of one of its materials alone, whose index of refraction it then has.
MaterialTable keep_material(MaterialTable table, std::size_t index);

/// Removes the material at an index.
TakenMaterial take_material(MaterialTable& table, std::size_t index);

/// Removes the first material that is_clear, else the one named "clear"; made if there is neither. It has a colour: a
/// free one if the table has none for it.
TakenMaterial take_clear(MaterialTable& table);

/// Removes what is no ink of a print: materials that are air (support among them), or is_clear; but not the one of this
/// name, which is asked for.
void keep_inks(MaterialTable& table, std::string const& asked_for);

/// The first material that is air and no support.
std::optional<std::size_t> find_air(MaterialTable const& table);

/// Appends a material with the lowest free id, '_' added to its name until that is new. Returns its index. Error
/// (input) if the table is full.
std::size_t add_material(MaterialTable& table, Material material, std::optional<std::uint32_t> colour,
                         std::string const& where);

/// The index of a material. Error (input) names `where`, lists the materials of the table and names the nearest one.
std::size_t find_material(MaterialTable const& table, std::string const& name, std::string const& where);

/// "#rrggbb" or "#rrggbbaa" as 0xrrggbbaa; nothing if it is neither.
std::optional<std::uint32_t> parse_hex_colour(std::string_view text);

/// "#00ffff", or "#00ffff80" where alpha is not 255.
std::string format_colour(std::uint32_t colour);

} // namespace volpt
