// Reads the keys of one material and says which one is wrong.
#include "libvolpt/medium/material_entry.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/sys/nearest_name.h"

#include <array>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace volpt {

char const* const kMaterialExample =
    R"(write {"materials": [{"name": "C", "sigma_t": [9.0, 4.5, 7.5], "albedo": [0.05, 0.7, 0.98], "g": 0.4}]})";

namespace {

using Json = nlohmann::json;

constexpr std::array<std::string_view, 9> kKeys{"name", "id",  "colour", "sigma_t", "albedo", "one_minus_albedo",
                                                "g",    "ior", "notes"};

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

double read_number(Json const& value, Range range, std::string const& where)
{
    if (!value.is_number()) fail_input("a number is expected", where, {}, kMaterialExample);
    double const number = value.get<double>();
    if (!(number >= range.low && number <= range.high))
        fail_input(fmt::format("{} is out of range; it has to be {}", number, range.spelled), where);
    return number;
}

std::vector<double> read_bands(Json const& value, Range range, std::string const& where)
{
    if (!value.is_array() || value.empty() || value.size() > static_cast<std::size_t>(kMaxBands))
        fail_input(fmt::format("a list of 1 to {} numbers is expected, one a band", kMaxBands), where, {},
                   kMaterialExample);
    std::vector<double> numbers;
    for (Json const& element : value) numbers.push_back(read_number(element, range, where));
    return numbers;
}

std::uint32_t read_colour(Json const& value, std::string const& where)
{
    if (!value.is_string()) fail_input("a text is expected", where, {}, R"(write "colour": "#rrggbb")");
    auto const& text = value.get_ref<std::string const&>();
    std::uint32_t colour = 0;
    bool const is_sized = (text.size() == 7 || text.size() == 9) && text[0] == '#';
    auto const end = text.data() + text.size();
    if (!is_sized || std::from_chars(text.data() + 1, end, colour, 16).ptr != end)
        fail_input(fmt::format("'{}' is no colour", text.substr(0, 40)), where, {},
                   "write #rrggbb or #rrggbbaa in hexadecimal digits");
    return text.size() == 7 ? colour << 8 | 0xffu : colour;
}

std::uint8_t read_id(Json const& value, std::string const& where)
{
    if (!value.is_number_integer() || value < 0 || value > 255)
        fail_input(fmt::format("{} is no id", value.dump().substr(0, 40)), where,
                   "it is a value of a label volume of 8 bits", "write an integer from 0 to 255");
    return value.get<std::uint8_t>();
}

Material read_medium(Json const& entry, std::string const& where)
{
    Material material;
    bool const has_albedo = entry.contains("albedo");
    if (!entry.contains("sigma_t") || has_albedo == entry.contains("one_minus_albedo"))
        fail_input("sigma_t and one of albedo and one_minus_albedo are needed", where, {}, kMaterialExample);
    for (double const v : read_bands(entry["sigma_t"], kExtinction, where + ", sigma_t"))
        material.sigma_t.push_back(static_cast<float>(v));
    char const* const key = has_albedo ? "albedo" : "one_minus_albedo";
    for (double const v : read_bands(entry[key], kFraction, where + ", " + key))
        material.one_minus_albedo.push_back(static_cast<float>(has_albedo ? 1.0 - v : v));
    if (material.sigma_t.size() != material.one_minus_albedo.size())
        fail_input(fmt::format("{} numbers in sigma_t, {} in {}", material.sigma_t.size(),
                               material.one_minus_albedo.size(), key),
                   where, "both count the bands");
    if (entry.contains("g")) material.g = static_cast<float>(read_number(entry["g"], kAnisotropy, where + ", g"));
    return material;
}

} // namespace

void refuse_unknown_keys(Json const& object, std::span<std::string_view const> known, std::string const& where)
{
    for (auto const& [key, value] : object.items()) {
        if (std::ranges::find(known, key) != known.end()) continue;
        std::string_view const nearest = find_nearest_name(key, known);
        fail_input(fmt::format("unknown key '{}'{}", key.substr(0, 40),
                               nearest.empty() ? "" : fmt::format("; nearest is '{}'", nearest)),
                   where, "it would be ignored", fmt::format("use {}", fmt::join(known, ", ")));
    }
}

double read_ior(Json const& value, std::string const& where)
{
    return read_number(value, kRefraction, where + ", ior");
}

MaterialEntry read_material_entry(Json const& entry, std::string const& where)
{
    if (!entry.is_object() || !entry.contains("name") || !entry["name"].is_string())
        fail_input("a material is an object with a name", where, {}, kMaterialExample);
    std::string const name = entry["name"].get<std::string>();
    std::string const named = fmt::format("{} ('{}')", where, name);
    refuse_unknown_keys(entry, kKeys, named);
    MaterialEntry read{read_medium(entry, named), {}, {}, {}};
    read.material.name = name;
    if (entry.contains("id")) read.id = read_id(entry["id"], named + ", id");
    if (entry.contains("colour")) read.colour = read_colour(entry["colour"], named + ", colour");
    if (entry.contains("ior")) read.ior = read_ior(entry["ior"], named);
    return read;
}

} // namespace volpt
