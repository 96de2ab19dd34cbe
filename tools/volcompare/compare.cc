#include "tools/volcompare/commands.h"

#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/image/linear_rgb.h"
#include "libvolpt/stats/report/contact_sheet.h"
#include "libvolpt/stats/report/error_map.h"
#include "libvolpt/stats/report/html_report.h"
#include "libvolpt/stats/report/verdict_report.h"
#include "libvolpt/sys/atomic_file.h"
#include "libvolpt/sys/json.h"
#include "tools/options/output_check.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string_view>

namespace volpt {
namespace {

constexpr std::size_t kSheetPatches = 8;

std::string name_map_metric(std::string const& map)
{
    if (map == "difference") return "bias";
    return map.starts_with("de2000") ? "de2000" : map;
}

/// Adds the metrics whose maps, pages and sheets are wanted.
void add_map_metrics(Criteria& criteria, CompareOptions const& options, Subject const& test)
{
    if (criteria.metrics.empty()) criteria.metrics = list_default_metrics();
    for (MapOutput const& map : options.maps)
        if (map.name != "z" && map.name != "blocks") criteria.metrics.push_back(name_map_metric(map.name));
    if (options.html) add_page_metrics(criteria, test.image);
    if (!options.sheets.empty()) criteria.metrics.push_back("de2000");
    if (!options.maps.empty() || !options.sheets.empty()) criteria.settings.keep_map = KeepMap::yes;
}

void write_sheets(CompareOptions const& options, ReportedPair const& pair, SheetLabels const& labels,
                  ToolRun const& run)
{
    if (options.sheets.empty()) return;
    if (!pair.verdict.image.matched()) {
        run.notice("no sheet is written, because nothing was compared");
        return;
    }
    std::vector<Patch> const patches =
        options.patches.empty() ? choose_patches(pair.reference.image, kSheetPatches) : options.patches;
    for (std::filesystem::path const& path : options.sheets) {
        if (is_display_image(path))
            write_image(path, draw_contact_sheet(pair, patches, labels));
        else
            write_text(path, format_contact_sheet(pair, patches, labels));
    }
}

void write_outputs(CompareOptions const& options, ReportedPair const& pair, SheetLabels const& labels,
                   ToolRun const& run)
{
    for (MapOutput const& output : options.maps) {
        if (auto const map = find_error_map(pair.verdict, output.name))
            write_error_map(output.path, *map, pair.test.image.width, pair.test.image.height);
        else
            run.notice(fmt::format("no map '{}' is written, because the metric has none or nothing was compared",
                                   output.name));
    }
    write_sheets(options, pair, labels, run);
    if (options.junit) {
        NamedVerdict const named{pair.name, pair.verdict, pair.criteria};
        write_text(*options.junit, format_junit("volcompare", {&named, 1}));
    }
    if (options.html) write_text(*options.html, format_html("volcompare: " + pair.name, {&pair, 1}));
}

SheetView read_view(ViewFile const& file, CompareOptions const& options, ToolRun const& run)
{
    Subject subject = read_subject(file.path, options.criteria.settings.illuminant);
    for (std::string const& notice : subject.notices) run.notice(file.path.string() + ": " + notice);
    SheetView view{file.caption, std::move(subject.image), options.view_width_mm};
    if (subject.film && subject.film->scene().camera.kind == CameraKind::orthographic)
        view.width_mm = subject.film->scene().camera.ortho_width_mm;
    return view;
}

/// The labels of the options, and the views.
SheetLabels collect_labels(CompareOptions const& options, ToolRun const& run)
{
    SheetLabels labels = options.labels;
    for (ViewFile const& file : options.views) labels.views.push_back(read_view(file, options, run));
    return labels;
}

void refuse_overwriting_views(CompareOptions const& options, std::vector<std::filesystem::path> inputs,
                              ToolRun const& run)
{
    for (ViewFile const& view : options.views) inputs.push_back(view.path);
    refuse_overwriting(run, inputs, list_reports(options));
}

/// Of a sheet that compares nothing.
ExitStatus write_view_sheets(ToolRun const& run, CompareOptions const& options)
{
    constexpr std::string_view kOfViews[] = {"view",  "view-width", "sheet",  "note",    "illuminant", "threads",
                                             "quiet", "json",       "config", "verbose", "background"};
    for (std::string const& name : run.given_options)
        if (std::ranges::find(kOfViews, name) == std::end(kOfViews))
            fail_usage(fmt::format("a sheet of views alone compares nothing, but --{} is given", name),
                       "give TEST and REFERENCE, or --view, --view-width, --sheet and --note alone");
    refuse_overwriting_views(options, {}, run);
    SheetLabels const labels = collect_labels(options, run);
    for (std::filesystem::path const& path : options.sheets) {
        if (is_display_image(path))
            write_image(path, draw_view_sheet(labels));
        else
            write_text(path, format_view_sheet(path.stem().string(), labels));
    }
    if (run.common.wants_json()) fmt::print("{}\n", format_json(nlohmann::json{{"views", labels.views.size()}}, 2));
    return ExitStatus::done;
}

Subject make_reference(Subject const& test, CompareOptions const& options, ToolRun const& run)
{
    Illuminant const illuminant = options.criteria.settings.illuminant;
    if (!options.volume) return read_subject(run.arguments[1], illuminant);
    if (!test.film)
        fail_input("is an image, not a film", test.name, "an image does not say what to render", "give the .vpf");
    return make_subject("CPU reference", render_cpu_reference(*test.film, *options.volume, options.environment, run),
                        illuminant);
}

} // namespace

std::vector<std::filesystem::path> list_reports(CompareOptions const& options)
{
    std::vector<std::filesystem::path> outputs = options.sheets;
    for (MapOutput const& map : options.maps) outputs.push_back(map.path);
    for (auto const& output : {options.junit, options.html, options.plot})
        if (output) outputs.push_back(*output);
    return outputs;
}

void add_page_metrics(Criteria& criteria, Image const& image)
{
    if (criteria.metrics.empty()) criteria.metrics = list_default_metrics();
    criteria.metrics.emplace_back("bias");
    if (has_colours(image)) criteria.metrics.insert(criteria.metrics.end(), {"flip", "de2000"});
    criteria.settings.keep_map = KeepMap::yes;
}

void write_text(std::filesystem::path const& path, std::string const& text)
{
    write_file_atomically(path, std::as_bytes(std::span(text)));
}

Verdict judge_pair(Subject& test, Subject& reference, CompareOptions const& options, Criteria& criteria, int threads)
{
    choose_layers(test, reference, options.layers);
    prepare_subject(test, options.transfers.test, options.channels);
    prepare_subject(reference, options.transfers.reference, options.channels);
    if (options.resample == Resample::area) resample_subject(reference, test.image.width, test.image.height);
    leave_out_uncovered(test, reference);
    add_map_metrics(criteria, options, test);
    criteria.settings.threads = threads;
    if (criteria.expectation) criteria.expectation->threads = threads;
    return judge(test, reference, criteria);
}

ExitStatus compare_pair(ToolRun const& run, CompareOptions const& options)
{
    if (run.arguments.empty() && !options.volume && !options.views.empty()) return write_view_sheets(run, options);
    if (run.arguments.size() != (options.volume ? 1 : 2))
        fail_usage(fmt::format("{} files are given", run.arguments.size()),
                   options.volume ? "give the film alone with --against-cpu VOLUME.vpk" : "give TEST and REFERENCE");
    std::vector<std::filesystem::path> inputs(run.arguments.begin(), run.arguments.end());
    for (auto const& input : {options.volume, options.environment})
        if (input) inputs.push_back(*input);
    refuse_overwriting_views(options, std::move(inputs), run);
    SheetLabels const labels = collect_labels(options, run);
    Subject test = read_subject(run.arguments[0], options.criteria.settings.illuminant);
    Subject reference = make_reference(test, options, run);
    Criteria criteria = options.criteria;
    Verdict const verdict = judge_pair(test, reference, options, criteria, run.common.threads);
    for (std::string const& notice : verdict.notices) run.notice(notice);
    write_outputs(options, {test.name + " against " + reference.name, test, reference, verdict, criteria}, labels, run);
    if (run.common.wants_json())
        fmt::print("{}\n", format_json(report_verdict(verdict, criteria), 2));
    else
        fmt::print("{}", format_verdict(verdict, criteria));
    return verdict.positive ? ExitStatus::done : ExitStatus::negative;
}

} // namespace volpt
