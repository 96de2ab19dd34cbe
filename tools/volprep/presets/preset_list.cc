#include "tools/volprep/presets/preset_list.h"

#include "libvolpt/medium/curves/transfer_table.h"
#include "libvolpt/medium/materials.h"
#include "libvolpt/medium/printer.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/text/one_line.h"

#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kMicrometresPerMm = 1e3;

/// An error in one file leaves the others to be listed.
template <typename Names, typename Describe>
Json describe_each(Names const& names, Describe describe)
{
    Json list = Json::array();
    for (std::string const& name : names) {
        Json entry{{"name", name}};
        try {
            entry.update(describe(name));
        } catch (Error const& error) {
            entry["error"] = error.what();
        }
        list.push_back(std::move(entry));
    }
    return list;
}

/// A number as it is read in decimals: 0.9985, not 0.998499989509583.
double spell_float(double value)
{
    return std::strtod(fmt::format("{:.6g}", value).c_str(), nullptr);
}

/// Of a table whose materials have sources of their own: what each of them is.
Json describe_solids(MaterialTable const& table)
{
    Json list = Json::array();
    for (Material const& material : table.materials) {
        Json sigma_t = Json::array(), albedo = Json::array();
        for (float const value : material.sigma_t) sigma_t.push_back(spell_float(static_cast<double>(value)));
        for (float const value : material.one_minus_albedo)
            albedo.push_back(spell_float(1 - static_cast<double>(value)));
        Json entry{{"name", material.name},
                   {"sigma_t", std::move(sigma_t)},
                   {"albedo", std::move(albedo)},
                   {"g", spell_float(static_cast<double>(material.g))}};
        auto const ior = table.iors.find(material.name);
        if (ior != table.iors.end())
            entry["ior"] = ior->second;
        else if (table.ior)
            entry["ior"] = *table.ior;
        if (auto const origin = table.origins.find(material.name); origin != table.origins.end()) {
            entry["estimated"] = origin->second.is_estimated;
            entry["source"] = origin->second.source;
            entry["uncertainty"] = origin->second.uncertainty;
        }
        list.push_back(std::move(entry));
    }
    return list;
}

Json describe_table(std::string const& name)
{
    MaterialTable const table = open_material_table(name);
    Json materials = Json::array();
    for (Material const& material : table.materials) materials.push_back(material.name);
    Json entry{{"materials", materials}, {"bands", table.bands()}};
    if (!table.wavelengths_nm.empty()) entry["wavelengths_nm"] = table.wavelengths_nm;
    entry["source"] = table.source;
    if (!table.origins.empty()) entry["solids"] = describe_solids(table);
    return entry;
}

Json describe_printer(std::string const& name)
{
    Printer const printer = open_printer(name);
    Json layers_um = Json::array();
    for (double const mm : printer.layers_mm) layers_um.push_back(mm * kMicrometresPerMm);
    return {{"printer", printer.name}, {"dpi", printer.dpi}, {"layers_um", layers_um}};
}

Json describe_transfer(std::string const& name)
{
    TransferTable const table = read_transfer_table(name);
    Json points = Json::array();
    for (auto const& point : table.points()) points.push_back({{"density", point.density}, {"albedo", point.albedo}});
    return {{"points", points}};
}

std::string spell_table(Json const& table)
{
    auto const materials = table["materials"].get<std::vector<std::string>>();
    std::string const bands =
        table.contains("wavelengths_nm")
            ? fmt::format("{} bands from {:g} to {:g} nm", table["bands"].get<int>(),
                          table["wavelengths_nm"].front().get<double>(), table["wavelengths_nm"].back().get<double>())
            : fmt::format("{} bands", table["bands"].get<int>());
    return fmt::format("{}; {}", fmt::join(materials, ", "), bands);
}

std::string spell_solid(Json const& solid)
{
    auto const join = [&](char const* key) {
        return fmt::format("{:g}", fmt::join(solid[key].get<std::vector<double>>(), ","));
    };
    std::string text = fmt::format("{:<14} sigma_t {}/mm, albedo {}, g {:g}", solid["name"].get<std::string>(),
                                   join("sigma_t"), join("albedo"), solid["g"].get<double>());
    if (solid.contains("ior")) text += fmt::format(", n {:g}", solid["ior"].get<double>());
    if (!solid.contains("source")) return text;
    return fmt::format("{}; {}{}; uncertainty: {}", text, solid["estimated"].get<bool>() ? "ESTIMATED: " : "",
                       solid["source"].get<std::string>(), solid["uncertainty"].get<std::string>());
}

/// "--material: ..", a line a material, of tables that describe each.
std::string list_solids(Json const& tables)
{
    std::string text;
    for (Json const& table : tables)
        for (Json const& solid : table.value("solids", Json::array()))
            text += to_one_line("  " + spell_solid(solid)) + "\n";
    return text.empty() ? text : "--material, without --materials (for a mesh, cube or slab):\n" + text;
}

std::string spell_printer(Json const& printer)
{
    return fmt::format("{}: {:g} dots per inch, layers of {:g} um", printer["printer"].get<std::string>(),
                       fmt::join(printer["dpi"].get<std::vector<double>>(), " x "),
                       fmt::join(printer["layers_um"].get<std::vector<double>>(), " or "));
}

std::string spell_transfer(Json const& transfer)
{
    std::vector<std::string> points;
    for (Json const& point : transfer["points"])
        points.push_back(fmt::format("{:g} at density {:g}", fmt::join(point["albedo"].get<std::vector<double>>(), ","),
                                     point["density"].get<double>()));
    return fmt::format("albedo {}", fmt::join(points, ", "));
}

std::string list_lines(Json const& entries, char const* heading, std::string (*spell)(Json const& entry))
{
    std::string text = fmt::format("{}:\n", heading);
    for (Json const& entry : entries) {
        std::string const what = entry.contains("error") ? entry["error"].get<std::string>() : spell(entry);
        text += to_one_line(fmt::format("  {:<14} {}", entry["name"].get<std::string>(), what)) + "\n";
    }
    return text;
}

} // namespace

Json report_presets()
{
    return {{"materials", describe_each(list_material_tables(), describe_table)},
            {"printers", describe_each(list_printers(), describe_printer)},
            {"transfer", describe_each(list_transfer_presets(), describe_transfer)}};
}

std::string format_presets(Json const& presets)
{
    return list_lines(presets["materials"], "--materials", spell_table) +
           list_lines(presets["printers"], "--printer", spell_printer) +
           list_lines(presets["transfer"], "--transfer", spell_transfer) + list_solids(presets["materials"]);
}

} // namespace volpt
