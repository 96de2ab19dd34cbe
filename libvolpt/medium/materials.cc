// Material tables: JSON in, checked materials with ids, colours, bands and one index of refraction out.
#include "libvolpt/medium/materials.h"

#include "libvolpt/medium/material_entry.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/json.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

using Json = nlohmann::json;

constexpr std::array<std::string_view, 6> kKeys{"$schema", "source", "notes", "bands", "ior", "materials"};

Json parse_table(std::filesystem::path const& path)
{
    Json root = read_json_file(path, kMaterialExample);
    if (!root.is_object() || !root.contains("materials") || !root["materials"].is_array())
        fail_input("there is no list \"materials\"", path.string(), {}, kMaterialExample);
    refuse_unknown_keys(root, kKeys, path.string());
    std::size_t const count = root["materials"].size();
    if (count < 1 || count > static_cast<std::size_t>(kMaxMaterials))
        fail_input(fmt::format("{} materials; a table has 1 to {}", count, kMaxMaterials), path.string());
    return root;
}

void add_entry(MaterialTable& table, MaterialEntry entry, std::string const& where)
{
    Material const& material = entry.material;
    auto const id = entry.id.value_or(static_cast<std::uint8_t>(table.materials.size()));
    if (!table.materials.empty() && material.sigma_t.size() != table.bands())
        fail_input(fmt::format("{} bands, the first material has {}", material.sigma_t.size(), table.bands()), where,
                   "all materials share the bands of the volume");
    for (std::size_t i = 0; i < table.materials.size(); ++i) {
        std::string const& other = table.materials[i].name;
        if (other == material.name)
            fail_input(fmt::format("the name '{}' occurs twice", other), where, "materials are chosen by name");
        if (table.ids[i] == id)
            fail_input(fmt::format("'{}' has the id {} of '{}'", material.name, id, other), where,
                       "an id stands for one material",
                       "give every material an id of its own; without one it is the place in the list, from 0");
        if (entry.colour && table.colours[i] == entry.colour)
            fail_input(
                fmt::format("'{}' has the colour {} of '{}'", material.name, format_colour(*entry.colour), other),
                where, "a colour stands for one material", "give it another");
    }
    if (entry.ior && table.ior && *entry.ior != *table.ior)
        fail_input(fmt::format("'{}' has ior {}, others have {}", material.name, *entry.ior, *table.ior), where,
                   "a volume has one index of refraction: light would be refracted between its materials",
                   "give all materials the same ior, or leave it out");
    if (entry.ior) table.ior = entry.ior;
    table.ids.push_back(id);
    table.colours.push_back(entry.colour);
    table.materials.push_back(std::move(entry.material));
}

void read_bands(Json const& list, MaterialTable& table, std::string const& where)
{
    std::string const example = R"(write "bands": ["R", "G", "B"], or wavelengths in nm: "bands": [450, 550, 650])";
    if (!list.is_array() || list.size() != table.bands())
        fail_input(fmt::format("the list holds {} names or wavelengths, the materials have {} bands",
                               list.is_array() ? list.size() : 0, table.bands()),
                   where, "each names a band", example);
    for (Json const& band : list) {
        if (band.type() != list.front().type() && !(band.is_number() && list.front().is_number()))
            fail_input("names and wavelengths are mixed", where, {}, example);
        if (band.is_string()) {
            table.band_names.push_back(band.get<std::string>());
            if (std::count(table.band_names.begin(), table.band_names.end(), table.band_names.back()) > 1)
                fail_input(fmt::format("the name '{}' occurs twice", table.band_names.back()), where, {}, example);
            continue;
        }
        double const nm = band.is_number() ? band.get<double>() : 0;
        if (!(nm >= 300 && nm <= 1100))
            fail_input(
                fmt::format("{} is neither a name nor a wavelength of 300 to 1100 nm", band.dump().substr(0, 40)),
                where, {}, example);
        if (!table.wavelengths_nm.empty() && !(static_cast<float>(nm) > table.wavelengths_nm.back()))
            fail_input(fmt::format("the wavelength {} does not ascend", nm), where, {},
                       "sort the bands of every material");
        table.wavelengths_nm.push_back(static_cast<float>(nm));
    }
    // Three bands without wavelengths are shown as R, G and B, whatever they are called.
    if (table.band_names.size() == 3 && table.band_names != std::vector<std::string>{"R", "G", "B"})
        fail_input("three named bands are R, G, B, in this order", where, "films show three bands as these colours",
                   example);
}

} // namespace

bool MaterialTable::has_all_colours() const
{
    return std::ranges::all_of(colours, [](auto const& colour) { return colour.has_value(); });
}

MaterialTable read_material_table(std::filesystem::path const& path)
{
    Json const root = parse_table(path);
    MaterialTable table;
    if (root.contains("ior")) table.ior = read_ior(root["ior"], path.string());
    for (Json const& entry : root["materials"]) {
        std::string const where = fmt::format("{}: material {}", path.string(), table.materials.size());
        add_entry(table, read_material_entry(entry, where), where);
    }
    if (root.contains("bands")) read_bands(root["bands"], table, path.string() + ": bands");
    if (root.contains("source")) {
        if (!root["source"].is_string()) fail_input("a text is expected", path.string() + ": source");
        table.source = root["source"].get<std::string>();
    }
    return table;
}

std::size_t find_material(MaterialTable const& table, std::string const& name, std::string const& where)
{
    std::string names;
    for (std::size_t i = 0; i < table.materials.size(); ++i) {
        if (table.materials[i].name == name) return i;
        names += (names.empty() ? "" : ", ") + table.materials[i].name;
    }
    fail_input(fmt::format("there is no material '{}'", name), where, {}, "choose among " + names);
}

std::string format_colour(std::uint32_t colour)
{
    return (colour & 0xffu) == 0xffu ? fmt::format("#{:06x}", colour >> 8) : fmt::format("#{:08x}", colour);
}

} // namespace volpt
