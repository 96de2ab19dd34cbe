#include "libvolpt/job/compare/compare.h"

#include "libvolpt/stats/report/html_report.h"
#include "libvolpt/stats/report/verdict_report.h"
#include "libvolpt/sys/json.h"
#include "tools/options/output_check.h"
#include "tools/volcompare/commands.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string_view>

namespace volpt {
namespace {

void refuse_overwriting_views(CompareOptions const& options, std::vector<std::filesystem::path> inputs,
                              ToolRun const& run)
{
    for (ViewFile const& view : options.reports.views) inputs.push_back(view.path);
    refuse_overwriting(run, inputs, list_reports(options.reports));
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
    SheetLabels const labels =
        collect_labels(options.reports, options.request.criteria.settings.illuminant, run.notice);
    write_view_sheets(options.reports, labels);
    if (run.common.wants_json()) fmt::print("{}\n", format_json(nlohmann::json{{"views", labels.views.size()}}, 2));
    return ExitStatus::done;
}

Subject make_reference(Subject const& test, CompareOptions const& options, ToolRun const& run)
{
    Illuminant const illuminant = options.request.criteria.settings.illuminant;
    if (!options.volume) return read_subject(run.arguments[1], illuminant);
    if (!test.film)
        fail_input("is an image, not a film", test.name, "an image does not say what to render", "give the .vpf");
    return make_subject("CPU reference", render_cpu_reference(*test.film, *options.volume, options.environment, run),
                        illuminant);
}

} // namespace

ExitStatus compare_pair(ToolRun const& run, CompareOptions const& options)
{
    if (run.arguments.empty() && !options.volume && !options.reports.views.empty())
        return write_view_sheets(run, options);
    if (run.arguments.size() != (options.volume ? 1 : 2))
        fail_usage(fmt::format("{} files are given", run.arguments.size()),
                   options.volume ? "give the film alone with --against-cpu VOLUME.vpk" : "give TEST and REFERENCE");
    std::vector<std::filesystem::path> inputs(run.arguments.begin(), run.arguments.end());
    for (auto const& input : {options.volume, options.environment})
        if (input) inputs.push_back(*input);
    refuse_overwriting_views(options, std::move(inputs), run);
    Illuminant const illuminant = options.request.criteria.settings.illuminant;
    SheetLabels const labels = collect_labels(options.reports, illuminant, run.notice);
    Subject test = read_subject(run.arguments[0], illuminant);
    Subject reference = make_reference(test, options, run);
    ComparedPair const pair =
        compare(std::move(test), std::move(reference), options.request, options.reports, run.common.threads);
    for (std::string const& notice : pair.verdict.notices) run.notice(notice);
    write_reports(
        options.reports,
        {pair.test.name + " against " + pair.reference.name, pair.test, pair.reference, pair.verdict, pair.criteria},
        labels, run.notice);
    if (run.common.wants_json())
        fmt::print("{}\n", format_json(report_verdict(pair.verdict, pair.criteria), 2));
    else
        fmt::print("{}", format_verdict(pair.verdict, pair.criteria));
    return pair.verdict.positive ? ExitStatus::done : ExitStatus::negative;
}

} // namespace volpt
