#include "libvolpt/medium/materials.h"

#include "libvolpt/medium/presets/preset_names.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/json.h"
#include "libvolpt/sys/text/nearest_name.h"
#include "libvolpt/volume/meta.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// A material to copy, for messages.
constexpr char const* kMaterialExample =
    R"(write {"materials": [{"name": "C", "sigma_t": [9.0, 4.5, 7.5], "albedo": [0.05, 0.7, 0.98], "g": 0.4}]})";
constexpr std::array<std::string_view, 16> kMaterialKeys{
    "name",    "id",    "colour", "sigma_t",           "albedo", "one_minus_albedo", "g",        "ior", "air",
    "support", "clear", "notes",  "density_g_per_cm3", "source", "uncertainty",      "estimated"};
constexpr std::array<std::string_view, 6> kTableKeys{"$schema", "source", "notes", "bands", "ior", "materials"};

struct MaterialEntry {
    Material material;
    std::optional<std::uint8_t> id;
    std::optional<std::uint32_t> colour; ///< 0xrrggbbaa
    std::optional<double> ior;
    std::optional<double> density_g_per_cm3;
    bool is_support = false;
    bool is_clear = false;
    std::optional<MaterialOrigin> origin;
};

struct Range {
    double low;
    double high;
    char const* spelled;
};
constexpr Range kExtinction{0.0, std::numeric_limits<float>::max(), "finite and not negative"};
constexpr Range kFraction{0.0, 1.0, "0 to 1"};
constexpr double kAnisotropyMax = 0.99999994; // the largest float below 1
constexpr Range kAnisotropy{-kAnisotropyMax, kAnisotropyMax, "between -1 and 1, both excluded"};
constexpr Range kRefraction{1.0, 4.0, "1 to 4"};
constexpr Range kMassDensity{0.01, 25.0, "0.01 to 25 g/cm3"};

double read_number(Json const& value, Range range, std::string const& where)
{
    if (!value.is_number()) fail_input("a number is expected", where, {}, kMaterialExample);
    double const number = value.get<double>();
    if (!(number >= range.low && number <= range.high))
        fail_input(fmt::format("{} is out of range; it has to be {}", number, range.spelled), where);
    return number;
}

std::vector<double> read_values(Json const& value, Range range, std::string const& where)
{
    if (!value.is_array() || value.empty() || value.size() > static_cast<std::size_t>(kMaxBands))
        fail_input(fmt::format("a list of 1 to {} numbers is expected, one per band", kMaxBands), where, {},
                   kMaterialExample);
    std::vector<double> numbers;
    for (Json const& element : value) numbers.push_back(read_number(element, range, where));
    return numbers;
}

std::uint32_t read_colour(Json const& value, std::string const& where)
{
    if (!value.is_string()) fail_input("a text is expected", where, {}, R"(write "colour": "#rrggbb")");
    auto const& text = value.get_ref<std::string const&>();
    auto const colour = parse_hex_colour(text);
    if (!colour)
        fail_input(fmt::format("'{}' is no colour", text.substr(0, 40)), where, {},
                   "write #rrggbb or #rrggbbaa in hexadecimal digits");
    return *colour;
}

std::uint8_t read_id(Json const& value, std::string const& where)
{
    if (!value.is_number_integer() || value < 0 || value > 255)
        fail_input(fmt::format("{} is no id", value.dump().substr(0, 40)), where,
                   "it is a value of a label volume of 8 bits", "write an integer from 0 to 255");
    return value.get<std::uint8_t>();
}

bool read_flag(Json const& entry, char const* key, std::string const& where)
{
    if (!entry.contains(key)) return false;
    if (!entry[key].is_boolean()) fail_input("true or false is expected", fmt::format("{}, {}", where, key));
    return entry[key].get<bool>();
}

/// Air has no numbers of its own; the bands are those of the other materials. Support becomes air.
bool read_air(Json const& entry, std::string const& where)
{
    bool const is_air = read_flag(entry, "air", where);
    bool const is_support = read_flag(entry, "support", where);
    if (!is_air && !is_support) return false;
    std::string const kind = is_air ? "air" : "support";
    for (char const* const key : {"sigma_t", "albedo", "one_minus_albedo", "g", "ior", "density_g_per_cm3"})
        if (entry.contains(key))
            fail_input(fmt::format("it is {} and has {}", kind, key), where,
                       is_air ? "air has no extinction, the index of refraction of the whole box, and is not paid for"
                              : "support is removed after printing: what remains is air",
                       fmt::format("leave out {} or {}", kind, key));
    return true;
}

Material read_medium(Json const& entry, std::string const& where)
{
    Material material;
    bool const is_clear = read_flag(entry, "clear", where);
    if (read_air(entry, where)) {
        if (is_clear) fail_input("it is clear, and air or support as well", where, "a clear resin is solid");
        return material;
    }
    bool const has_numbers =
        entry.contains("sigma_t") || entry.contains("albedo") || entry.contains("one_minus_albedo");
    if (entry.contains("g")) material.g = static_cast<float>(read_number(entry["g"], kAnisotropy, where + ", g"));
    if (is_clear && !has_numbers) {
        material.sigma_t.assign(1, kClearExtinction); // fill_air knows the bands
        return material;
    }
    bool const has_albedo = entry.contains("albedo");
    if (!entry.contains("sigma_t") || has_albedo == entry.contains("one_minus_albedo"))
        fail_input("sigma_t and one of albedo and one_minus_albedo are needed", where, {}, kMaterialExample);
    for (double const v : read_values(entry["sigma_t"], kExtinction, where + ", sigma_t"))
        material.sigma_t.push_back(static_cast<float>(v));
    char const* const key = has_albedo ? "albedo" : "one_minus_albedo";
    for (double const v : read_values(entry[key], kFraction, where + ", " + key))
        material.one_minus_albedo.push_back(static_cast<float>(has_albedo ? 1.0 - v : v));
    if (material.sigma_t.size() != material.one_minus_albedo.size())
        fail_input(fmt::format("{} numbers in sigma_t, {} in {}", material.sigma_t.size(),
                               material.one_minus_albedo.size(), key),
                   where, "both count the bands");
    return material;
}

double read_ior(Json const& value, std::string const& where)
{
    return read_number(value, kRefraction, where + ", ior");
}

std::string read_sentence(Json const& entry, char const* key, std::string const& where)
{
    if (!entry.contains(key)) return {};
    if (!entry[key].is_string()) fail_input("a text is expected", fmt::format("{}, {}", where, key));
    return entry[key].get<std::string>();
}

std::optional<MaterialOrigin> read_origin(Json const& entry, std::string const& where)
{
    MaterialOrigin origin{read_sentence(entry, "source", where), read_sentence(entry, "uncertainty", where),
                          read_flag(entry, "estimated", where)};
    bool const is_empty = origin.source.empty() && origin.uncertainty.empty() && !origin.is_estimated;
    return is_empty ? std::nullopt : std::optional(std::move(origin));
}

MaterialEntry read_material_entry(Json const& entry, std::string const& where)
{
    if (!entry.is_object() || !entry.contains("name") || !entry["name"].is_string())
        fail_input("a material is an object with a name", where, {}, kMaterialExample);
    std::string const name = entry["name"].get<std::string>();
    std::string const named = fmt::format("{} ('{}')", where, name);
    refuse_unknown_keys(entry, kMaterialKeys, named);
    MaterialEntry read{
        read_medium(entry, named), {}, {}, {}, {}, read_flag(entry, "support", named), read_flag(entry, "clear", named),
        read_origin(entry, named)};
    read.material.name = name;
    if (entry.contains("id")) read.id = read_id(entry["id"], named + ", id");
    if (entry.contains("colour")) read.colour = read_colour(entry["colour"], named + ", colour");
    if (entry.contains("ior")) read.ior = read_ior(entry["ior"], named);
    char const* const density = "density_g_per_cm3";
    if (entry.contains(density))
        read.density_g_per_cm3 = read_number(entry[density], kMassDensity, fmt::format("{}, {}", named, density));
    return read;
}

Json parse_table(std::filesystem::path const& path)
{
    Json root = read_json_file(path, kMaterialExample);
    if (!root.is_object() || !root.contains("materials") || !root["materials"].is_array())
        fail_input("there is no list \"materials\"", path.string(), {}, kMaterialExample);
    refuse_unknown_keys(root, kTableKeys, path.string());
    std::size_t const count = root["materials"].size();
    if (count < 1 || count > static_cast<std::size_t>(kMaxMaterials))
        fail_input(fmt::format("{} materials; a table has 1 to {}", count, kMaxMaterials), path.string());
    return root;
}

/// Neither air nor clear without numbers.
bool has_bands(Material const& material)
{
    return !material.one_minus_albedo.empty();
}

void add_entry(MaterialTable& table, MaterialEntry entry, std::string const& where)
{
    Material const& material = entry.material;
    auto const id = entry.id.value_or(static_cast<std::uint8_t>(table.materials.size()));
    for (Material const& other : table.materials)
        if (has_bands(material) && has_bands(other) && material.sigma_t.size() != other.sigma_t.size())
            fail_input(fmt::format("{} bands, '{}' has {}", material.sigma_t.size(), other.name, other.sigma_t.size()),
                       where, "all materials share the bands of the volume");
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
    if (entry.ior) table.iors[material.name] = *entry.ior;
    table.ids.push_back(id);
    table.colours.push_back(entry.colour);
    if (entry.density_g_per_cm3) table.densities_g_per_cm3[entry.material.name] = *entry.density_g_per_cm3;
    if (entry.origin) table.origins[material.name] = *entry.origin;
    if (entry.is_support) table.support.push_back(material.name);
    if (entry.is_clear) table.clear.push_back(material.name);
    table.materials.push_back(std::move(entry.material));
}

/// Air and clear materials get the bands of the others.
void fill_air(MaterialTable& table, std::string const& where)
{
    auto const medium = std::ranges::find_if(table.materials, has_bands);
    if (medium == table.materials.end())
        fail_input("all materials are air or clear", where, "there is nothing to render",
                   "add the material of the object");
    auto const bands = static_cast<std::uint32_t>(medium->sigma_t.size());
    for (Material& material : table.materials) {
        if (has_bands(material)) continue;
        Material const filled = material.sigma_t.empty() ? make_air_material(bands) : make_clear_material(bands);
        material.sigma_t = filled.sigma_t;
        material.one_minus_albedo = filled.one_minus_albedo;
    }
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

bool is_file(fs::path const& path)
{
    std::error_code ignored;
    return fs::exists(path, ignored) && !fs::is_directory(path, ignored);
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
    fill_air(table, path.string());
    auto const is_first = [&](auto const& own) { return own.second == table.iors.begin()->second; };
    if (!table.ior && !table.iors.empty() && std::ranges::all_of(table.iors, is_first))
        table.ior = table.iors.begin()->second;
    if (root.contains("bands")) read_bands(root["bands"], table, path.string() + ": bands");
    if (root.contains("source")) {
        if (!root["source"].is_string()) fail_input("a text is expected", path.string() + ": source");
        table.source = root["source"].get<std::string>();
    }
    return table;
}

Material make_air_material(std::uint32_t bands, std::string name)
{
    return {std::move(name), std::vector<float>(bands, 0.0f), std::vector<float>(bands, 0.0f), 0.0f};
}

Material make_clear_material(std::uint32_t bands, std::string name)
{
    return {std::move(name), std::vector<float>(bands, kClearExtinction), std::vector<float>(bands, 1.0f), 0.0f};
}

bool is_clear(MaterialTable const& table, std::size_t index)
{
    Material const& material = table.materials[index];
    return std::ranges::find(table.clear, material.name) != table.clear.end() ||
           std::ranges::all_of(material.sigma_t, [](float sigma_t) { return sigma_t == kClearExtinction; });
}

MaterialTable keep_material(MaterialTable table, std::size_t index)
{
    std::string const name = table.materials[index].name;
    if (auto const own = table.iors.find(name); own != table.iors.end()) table.ior = own->second;
    while (table.materials.size() > 1)
        take_material(table, table.materials.back().name == name ? 0 : table.materials.size() - 1);
    return table;
}

TakenMaterial take_material(MaterialTable& table, std::size_t index)
{
    auto const at = static_cast<std::ptrdiff_t>(index);
    TakenMaterial taken{std::move(table.materials[index]), table.colours[index]};
    table.materials.erase(table.materials.begin() + at);
    table.ids.erase(table.ids.begin() + at);
    table.colours.erase(table.colours.begin() + at);
    return taken;
}

TakenMaterial take_clear(MaterialTable& table)
{
    std::size_t found = 0;
    while (found < table.materials.size() && !is_clear(table, found)) ++found;
    if (found == table.materials.size()) {
        auto const named = std::ranges::find(table.materials, "clear", &Material::name);
        found = static_cast<std::size_t>(named - table.materials.begin());
    }
    TakenMaterial taken{make_clear_material(table.bands()), {}};
    if (found < table.materials.size()) taken = take_material(table, found);
    std::uint32_t free_colour = 0xd0e8ffff; // light blue, then its neighbours
    while (std::ranges::find(table.colours, std::optional(free_colour)) != table.colours.end()) free_colour -= 0x100;
    if (!taken.colour) taken.colour = free_colour;
    return taken;
}

void keep_inks(MaterialTable& table, std::string const& asked_for)
{
    for (std::size_t i = table.materials.size(); i-- > 0;)
        if (table.materials[i].name != asked_for && (is_air(table.materials[i]) || is_clear(table, i)))
            take_material(table, i);
    table.support.clear();
}

std::optional<std::size_t> find_air(MaterialTable const& table)
{
    for (std::size_t i = 0; i < table.materials.size(); ++i)
        if (is_air(table.materials[i]) &&
            std::ranges::find(table.support, table.materials[i].name) == table.support.end())
            return i;
    return std::nullopt;
}

std::size_t add_material(MaterialTable& table, Material material, std::optional<std::uint32_t> colour,
                         std::string const& where)
{
    int id = 0;
    while (std::ranges::count(table.ids, id) > 0) ++id;
    if (table.materials.size() >= static_cast<std::size_t>(kMaxMaterials) || id > 255)
        fail_input(fmt::format("{} materials and '{}' are one too many", table.materials.size(), material.name), where);
    while (std::ranges::find(table.materials, material.name, &Material::name) != table.materials.end())
        material.name += '_';
    table.materials.push_back(std::move(material));
    table.ids.push_back(static_cast<std::uint8_t>(id));
    table.colours.push_back(colour);
    return table.materials.size() - 1;
}

std::size_t find_material(MaterialTable const& table, std::string const& name, std::string const& where)
{
    std::string names;
    std::vector<std::string_view> known;
    for (std::size_t i = 0; i < table.materials.size(); ++i) {
        if (table.materials[i].name == name) return i;
        names += (names.empty() ? "" : ", ") + table.materials[i].name;
        known.push_back(table.materials[i].name);
    }
    auto const nearest = find_nearest_name(name, known);
    fail_input(
        fmt::format("there is no material '{}'", name), where, {},
        fmt::format("{}choose among {}", nearest.empty() ? "" : fmt::format("did you mean '{}'? ", nearest), names));
}

std::optional<std::uint32_t> parse_hex_colour(std::string_view text)
{
    std::uint32_t colour = 0;
    bool const is_sized = (text.size() == 7 || text.size() == 9) && text[0] == '#';
    auto const end = text.data() + text.size();
    if (!is_sized || std::from_chars(text.data() + 1, end, colour, 16).ptr != end) return std::nullopt;
    return text.size() == 7 ? colour << 8 | 0xffu : colour;
}

std::string format_colour(std::uint32_t colour)
{
    return (colour & 0xffu) == 0xffu ? fmt::format("#{:06x}", colour >> 8) : fmt::format("#{:08x}", colour);
}

std::vector<fs::path> list_material_folders()
{
    std::vector<fs::path> folders;
    if (char const* const named = std::getenv("VOLPT_DATA_DIR")) folders.push_back(fs::path(named) / "materials");
    std::error_code error;
    fs::path const program = fs::read_symlink("/proc/self/exe", error);
    if (!error) folders.push_back(program.parent_path().parent_path() / "share" / "volpt" / "materials");
    return folders;
}

std::vector<std::string> list_material_tables()
{
    return list_preset_names(list_material_folders());
}

MaterialTable open_material_table(std::string const& name_or_path)
{
    if (is_file(name_or_path)) return read_material_table(name_or_path);
    if (name_or_path.find('/') == std::string::npos && !name_or_path.empty())
        for (auto const& folder : list_material_folders())
            for (char const* const ending : {"", ".json"})
                if (is_file(folder / (name_or_path + ending)))
                    return read_material_table(folder / (name_or_path + ending));
    fail_input("there is no such material table", name_or_path, describe_presets(list_material_tables(), name_or_path),
               "name a JSON file (docs/formats/materials.md), or set VOLPT_DATA_DIR");
}

} // namespace volpt
