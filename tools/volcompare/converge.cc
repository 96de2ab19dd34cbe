#include "libvolpt/job/compare/compare.h"
#include "libvolpt/job/compare/compare_convergence.h"
#include "libvolpt/stats/report/convergence_report.h"
#include "libvolpt/sys/json.h"
#include "tools/options/output_check.h"
#include "tools/volcompare/commands.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace volpt {

ExitStatus compare_convergence(ToolRun const& run, CompareOptions const& options)
{
    check_counts(run.arguments.size(), options.convergence_reference.has_value(), options.request);
    std::vector<std::filesystem::path> inputs(run.arguments.begin(), run.arguments.end());
    if (options.convergence_reference) inputs.push_back(*options.convergence_reference);
    refuse_overwriting(run, inputs, list_reports(options.reports));
    Illuminant const illuminant = options.request.criteria.settings.illuminant;
    std::vector<Subject> subjects;
    for (std::string const& name : run.arguments) subjects.push_back(read_subject(name, illuminant));
    std::optional<Subject> reference;
    if (options.convergence_reference) reference = read_subject(*options.convergence_reference, illuminant);
    Convergence const convergence = judge_convergence(std::move(subjects), std::move(reference), options.request);
    for (std::string const& notice : convergence.notices) run.notice(notice);
    if (options.reports.plot) write_text(*options.reports.plot, plot_convergence(convergence));
    if (run.common.wants_json())
        fmt::print("{}\n", format_json(report_convergence(convergence), 2));
    else
        fmt::print("{}", format_convergence(convergence));
    return convergence.as_expected ? ExitStatus::done : ExitStatus::negative;
}

} // namespace volpt
