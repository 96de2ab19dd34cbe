// volinfo: prints what a packed volume, a film or a file that volprep reads contains, and checks the first two for
// damage.
#include "formats/input_format.h"
#include "formats/tiff/picture.h"
#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/sys/json.h"
#include "tools/options/json_lines.h"
#include "tools/options/progress_line.h"
#include "tools/options/suite/suite_tools.h"
#include "tools/volinfo/options.h"
#include "tools/volinfo/text_answer.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string_view>

namespace volpt {
namespace {

void print_json(nlohmann::ordered_json const& report)
{
    // File names may contain bytes that are not UTF-8.
    if (writes_json_lines()) return write_json_line({{"answer", parse_json(format_json(report))}});
    fmt::print("{}\n", format_json(report, 2));
}

bool prints_json(ToolRun const& run)
{
    return run.common.wants_json() || writes_json_lines();
}

/// "#00ffff, 7700 voxels, 0.746 ml"
std::string spell_job_entry(nlohmann::ordered_json const& entry)
{
    std::string text = entry["colour"].get<std::string>();
    if (entry["voxels"].is_null()) return text;
    return fmt::format("{}, {} voxels, {:.3g} ml", text, entry["voxels"].get<std::uint64_t>(),
                       entry["volume_ml"].get<double>());
}

/// Of a print job, what is printed: the numbers of its pixels are no quantities.
nlohmann::ordered_json shorten_job(nlohmann::ordered_json const& report)
{
    nlohmann::ordered_json shown;
    for (char const* const key : {"kind", "file", "format", "dims", "pitch_mm", "size_mm"}) shown[key] = report[key];
    for (auto const& [key, value] : report["job"].items()) {
        auto& entry = shown["job"][key];
        if (key == "materials")
            for (auto const& material : value) entry[material["name"].get<std::string>()] = spell_job_entry(material);
        else if (key == "other_colours")
            for (auto const& other : value) entry.push_back(spell_job_entry(other));
        else
            entry = key == "background" ? nlohmann::ordered_json(spell_job_entry(value)) : value;
    }
    return shown;
}

ExitStatus print_source(ToolRun const& run, VolinfoOptions const& options)
{
    SourceInfo told = info(make_source_request(run, options),
                           {.notice = run.notice, .progress = show_progress_when_asked("count", run.common.verbosity)});
    if (prints_json(run)) {
        print_json(told.report);
        return ExitStatus::done;
    }
    bool const has_bars = told.report.erase("histogram") > 0;
    told.report.erase("notices"); // stderr has them
    if (told.report.contains("job")) told.report = shorten_job(told.report);
    fmt::print("{}{}", format_lines(told.report), has_bars ? format_histograms(told.channels) : "");
    return ExitStatus::done;
}

ExitStatus print_info(ToolRun const& run, VolinfoOptions const& options)
{
    InfoRequest const request = make_request(run, options);
    nlohmann::ordered_json report = info(request);
    if (prints_json(run)) {
        print_json(report);
        return ExitStatus::done;
    }
    if (request.coverage) { // one line per layer would hide the rest
        report["amounts"] = report["coverage"]["amounts"];
        report["coverage"] = nlohmann::ordered_json(report["coverage"]["total"]);
    }
    fmt::print("{}", format_lines(report));
    return ExitStatus::done;
}

ToolDescription describe_tool()
{
    return {
        .name = "volinfo",
        .summary = summarise_tool("volinfo"),
        .usage = {"FILE [--verify quick|full] [--histogram] [--json]",
                  "SOURCE [--histogram] [--header] [--dims X,Y,Z --type TYPE] [--json]",
                  "VOLUME.vpk --slice N OUT.png [--aspect voxel]",
                  "VOLUME.vpk --coverage OUT.svg|OUT.png|OUT.jpg|none"},
        .notes = {"For a damaged file, section and offset are printed, and the exit status is 3.",
                  fmt::format(
                      "volprep reads {}, folders and patterns of slices, and headerless files (--dims, --type).",
                      list_reader_extensions())},
        .examples = {{"volinfo head.vpk", "print size, encodings, quantisation error, majorants, provenance"},
                     {"volinfo head.mha --histogram", "print what a scan holds, and a window that fits it"},
                     {"volinfo job.gcvf", "print a print job's size, layers and materials with their millilitres"},
                     {"volinfo head.vpk --slice 40 head40.png",
                      "draw one layer as an image, white at the largest density"},
                     {"volinfo print.vpk --slice 0 first.png --aspect voxel",
                      "draw the first slice, one pixel per voxel"},
                     {"volinfo print.vpk --coverage inks.svg",
                      "plot the share of each ink by depth, and tell its millilitres or grams"},
                     {"volinfo all.vpf --verify full --json",
                      "print counts, hashes and mean of a film after checking every byte"}},
        .status_0 = "done, and no damage was found",
        .arguments = {{"VOLUME.vpk|FILM.vpf", {.files = list_reader_extensions() + " .raw"}},
                      {"PICTURE", {.files = list_image_extensions(ImageAccess::write)}}},
        .arguments_min = 1,
        .arguments_max = 2,
    };
}

} // namespace
} // namespace volpt

int main(int argc, char** argv)
{
    using namespace volpt;
    add_tiff_pictures();
    if (std::find(argv, argv + argc, std::string_view("--json-lines")) != argv + argc) begin_json_lines();
    VolinfoOptions options;
    return run_tool(argc, argv, describe_tool(), options.list_groups(), [&](ToolRun const& run) {
        return is_of_source(run, options) ? print_source(run, options) : print_info(run, options);
    });
}
