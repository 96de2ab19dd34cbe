#include "libvolpt/medium/printer.h"

#include "libvolpt/medium/materials.h"
#include "libvolpt/medium/presets/preset_names.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/json.h"
#include "libvolpt/sys/units.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <span>

namespace volpt {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr char kPrinterExample[] =
    R"(write {"name": "P", "dpi": [600, 300], "layers_um": [27, 14], "limits": {"materials_max": 6}, "source": "..."})";
constexpr double kMmPerMicrometre = 1e-3;
constexpr double kMostPitchDifference = 0.01;
constexpr std::size_t kMostLayerHeights = 16;
constexpr double kLeast = 1e-3; // of dots per inch, micrometres and millimetres
constexpr double kMost = 1e6;

std::string read_string(Json const& root, char const* key, std::string const& where)
{
    if (!root.contains(key)) return {};
    if (!root[key].is_string()) fail_input("a text is expected", fmt::format("{}: {}", where, key));
    return root[key].get<std::string>();
}

std::optional<int> read_count(Json const& limits, char const* key, std::string const& where)
{
    if (!limits.contains(key)) return std::nullopt;
    if (!limits[key].is_number_integer() || limits[key] < 1 || limits[key] > 65535)
        fail_input("an integer from 1 to 65535 is expected", fmt::format("{}, {}", where, key));
    return limits[key].get<int>();
}

std::vector<fs::path> list_printer_folders()
{
    std::vector<fs::path> folders;
    for (auto const& materials : list_material_folders()) folders.push_back(materials.parent_path() / "printers");
    return folders;
}

bool is_near(double a, double b)
{
    return std::abs(a / b - 1) <= kMostPitchDifference;
}

} // namespace

std::array<double, 3> Printer::pitch_mm() const
{
    return {kMmPerInch / dpi[0], kMmPerInch / dpi[1], layers_mm.front()};
}

Printer read_printer(std::filesystem::path const& path)
{
    std::string const where = path.string();
    Json const root = read_json_file(path, kPrinterExample);
    constexpr std::array<std::string_view, 6> kKeys{"name", "dpi", "layers_um", "limits", "source", "notes"};
    refuse_unknown_keys(root, kKeys, where, kPrinterExample);
    Printer printer;
    printer.name = read_string(root, "name", where);
    if (printer.name.empty()) printer.name = path.stem().string();
    auto const dpi = read_json_numbers(root, "dpi", kLeast, kMost, 2, where);
    printer.dpi = {dpi.front(), dpi.back()};
    for (double const um : read_json_numbers(root, "layers_um", kLeast, kMost, kMostLayerHeights, where))
        printer.layers_mm.push_back(um * kMmPerMicrometre);
    printer.has_source = !read_string(root, "source", where).empty();
    if (!root.contains("limits")) return printer;
    Json const& limits = root["limits"];
    constexpr std::array<std::string_view, 3> kLimits{"materials_max", "slices_min", "tray_mm"};
    refuse_unknown_keys(limits, kLimits, where + ": limits", kPrinterExample);
    printer.materials_max = read_count(limits, "materials_max", where + ": limits");
    printer.slices_min = read_count(limits, "slices_min", where + ": limits");
    if (limits.contains("tray_mm")) {
        auto const tray = read_json_numbers(limits, "tray_mm", kLeast, kMost, 3, where + ": limits");
        if (tray.size() != 3) fail_input("three lengths are expected", where + ": limits, tray_mm");
        printer.tray_mm = {tray[0], tray[1], tray[2]};
    }
    return printer;
}

std::vector<std::string> list_printers()
{
    return list_preset_names(list_printer_folders());
}

Printer open_printer(std::string const& name_or_path)
{
    std::error_code ignored;
    if (fs::is_regular_file(name_or_path, ignored)) return read_printer(name_or_path);
    if (!name_or_path.empty() && name_or_path.find('/') == std::string::npos)
        for (auto const& folder : list_printer_folders())
            if (auto const file = folder / (name_or_path + ".json"); fs::is_regular_file(file, ignored))
                return read_printer(file);
    fail_input("there is no such printer", name_or_path, describe_presets(list_printers(), name_or_path),
               "name a JSON file (docs/formats/jobs.md), or set VOLPT_DATA_DIR");
}

void check_printable(Printer const& printer, PrintJobSize const& job, std::string const& where)
{
    std::vector<std::string> faults;
    if (printer.has_source) {
        auto const pitch = printer.pitch_mm();
        for (std::size_t i = 0; i < 2; ++i)
            if (!is_near(job.pitch_mm[i], pitch[i]))
                faults.push_back(fmt::format("voxels of {:.4g} mm along {}, it prints {:g} dots per inch ({:.4g} mm)",
                                             job.pitch_mm[i], "xy"[i], printer.dpi[i], pitch[i]));
        if (std::ranges::none_of(printer.layers_mm, [&](double mm) { return is_near(job.pitch_mm[2], mm); }))
            faults.push_back(fmt::format("layers of {:.4g} mm, it prints {:g}", job.pitch_mm[2],
                                         fmt::join(printer.layers_mm, " or ")));
    }
    if (printer.materials_max && job.materials > *printer.materials_max)
        faults.push_back(fmt::format("{} materials, it takes {}", job.materials, *printer.materials_max));
    if (printer.slices_min && job.dims[2] < *printer.slices_min)
        faults.push_back(fmt::format("{} slices, it needs {}", job.dims[2], *printer.slices_min));
    for (std::size_t i = 0; printer.tray_mm && i < 3; ++i) {
        double const size_mm = job.dims[i] * job.pitch_mm[i];
        if (size_mm > (*printer.tray_mm)[i])
            faults.push_back(
                fmt::format("{:.4g} mm along {}, its tray has {:g}", size_mm, "xyz"[i], (*printer.tray_mm)[i]));
    }
    if (faults.empty()) return;
    fail_input(fmt::format("{} does not print this job: {}", printer.name, fmt::join(faults, "; ")), where, {},
               "pack the volume anew with what it prints, or export without --printer");
}

} // namespace volpt
