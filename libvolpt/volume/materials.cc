// Material tables: JSON in, checked materials out.
#include "libvolpt/volume/materials.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/sys/json_error.h"
#include "libvolpt/sys/mapped_file.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

using Json = nlohmann::json;

constexpr char const* kExample =
    R"(write {"materials": [{"name": "C", "sigma_t": [9.0, 4.5, 7.5], "albedo": [0.05, 0.7, 0.98], "g": 0.4}]})";

struct Range {
    double low;
    double high;
    char const* spelled;
};
constexpr Range kExtinction{0.0, std::numeric_limits<float>::max(), "finite and not negative"};
constexpr Range kFraction{0.0, 1.0, "0 to 1"};
constexpr double kAnisotropyMax = 0.99999994; // the largest float below 1
constexpr Range kAnisotropy{-kAnisotropyMax, kAnisotropyMax, "between -1 and 1, both excluded"};

double read_number(Json const& value, Range range, std::string const& where)
{
    if (!value.is_number()) fail_input("a number is expected", where, {}, kExample);
    double const number = value.get<double>();
    if (!(number >= range.low && number <= range.high)) {
        fail_input(fmt::format("{} is out of range; it has to be {}", number, range.spelled), where);
    }
    return number;
}

std::vector<double> read_bands(Json const& value, Range range, std::string const& where)
{
    if (!value.is_array() || value.empty() || value.size() > static_cast<std::size_t>(kMaxBands)) {
        fail_input(fmt::format("a list of 1 to {} numbers is expected, one a band", kMaxBands), where, {}, kExample);
    }
    std::vector<double> numbers;
    for (Json const& element : value) numbers.push_back(read_number(element, range, where));
    return numbers;
}

Material read_material(Json const& entry, std::string const& where)
{
    if (!entry.is_object() || !entry.contains("name") || !entry["name"].is_string()) {
        fail_input("a material is an object with a name", where, {}, kExample);
    }
    for (auto const& [key, value] : entry.items()) {
        if (key != "name" && key != "sigma_t" && key != "albedo" && key != "one_minus_albedo" && key != "g" &&
            key != "colour") {
            fail_input(fmt::format("unknown key '{}'", key), where, "it would be ignored",
                       "use name, sigma_t, albedo or one_minus_albedo, g, colour");
        }
    }
    Material material;
    material.name = entry["name"].get<std::string>();
    std::string const named = fmt::format("{} ('{}')", where, material.name);
    bool const has_albedo = entry.contains("albedo");
    if (!entry.contains("sigma_t") || has_albedo == entry.contains("one_minus_albedo")) {
        fail_input("sigma_t and one of albedo and one_minus_albedo are needed", named, {}, kExample);
    }
    for (double v : read_bands(entry["sigma_t"], kExtinction, named + ", sigma_t")) {
        material.sigma_t.push_back(static_cast<float>(v));
    }
    char const* const key = has_albedo ? "albedo" : "one_minus_albedo";
    for (double v : read_bands(entry[key], kFraction, named + ", " + key)) {
        material.one_minus_albedo.push_back(static_cast<float>(has_albedo ? 1.0 - v : v));
    }
    if (material.sigma_t.size() != material.one_minus_albedo.size()) {
        fail_input(fmt::format("{} numbers in sigma_t, {} in {}", material.sigma_t.size(),
                               material.one_minus_albedo.size(), key),
                   named, "both count the bands");
    }
    if (entry.contains("g")) material.g = static_cast<float>(read_number(entry["g"], kAnisotropy, named + ", g"));
    return material;
}

} // namespace

std::vector<Material> read_material_table(std::filesystem::path const& path)
{
    MappedFile const file(path);
    auto const* const text = reinterpret_cast<char const*>(file.bytes().data());
    Json root;
    try {
        root = Json::parse(text, text + file.bytes().size());
    } catch (Json::exception const& error) { // a number such as 1e999 is no parse error to the library
        fail_input(fmt::format("not valid JSON: {}", describe_json_error(error.what())), path.string(), {}, kExample);
    }
    if (!root.is_object() || !root.contains("materials") || !root["materials"].is_array()) {
        fail_input("there is no list \"materials\"", path.string(), {}, kExample);
    }
    Json const& list = root["materials"];
    if (list.empty() || list.size() > static_cast<std::size_t>(kMaxMaterials)) {
        fail_input(fmt::format("{} materials; a table has 1 to {}", list.size(), kMaxMaterials), path.string());
    }
    std::vector<Material> materials;
    for (Json const& entry : list) {
        std::string const where = fmt::format("{}: material {}", path.string(), materials.size());
        materials.push_back(read_material(entry, where));
        if (materials.back().sigma_t.size() != materials.front().sigma_t.size()) {
            fail_input(fmt::format("{} bands, the first material has {}", materials.back().sigma_t.size(),
                                   materials.front().sigma_t.size()),
                       where, "all materials share the bands of the volume");
        }
        for (std::size_t other = 0; other + 1 < materials.size(); ++other) {
            if (materials[other].name == materials.back().name) {
                fail_input(fmt::format("the name '{}' occurs twice", materials.back().name), where,
                           "materials are chosen by name");
            }
        }
    }
    return materials;
}

} // namespace volpt
