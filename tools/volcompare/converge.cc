#include "libvolpt/stats/report/convergence_report.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/json.h"
#include "tools/options/output_check.h"
#include "tools/volcompare/commands.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

/// `most` is count, or one more where --reference has its own number.
void check_count(std::string_view option, std::size_t given, std::size_t count, std::size_t most)
{
    if (given == 0 || (given >= count && given <= most)) return;
    fail_usage(fmt::format("{} has {} numbers for {} files", option, given, count),
               "give one for each, in the order of the files");
}

void check_counts(std::size_t count, bool has_reference, CompareOptions const& options)
{
    if (count < (has_reference ? 2u : 3u))
        fail_usage(fmt::format("{} {} given", count, count == 1 ? "file is" : "files are"),
                   has_reference ? "give at least two besides --reference"
                                 : "give at least two, and one of more samples as the reference");
    check_count("--spp", options.samples.size(), count, count + (has_reference ? 1 : 0));
    check_count("--seconds", options.seconds.size(), count, count);
}

void prepare_sides(std::vector<Subject>& subjects, std::optional<Subject>& reference, CompareOptions const& options)
{
    std::vector<Subject*> sides;
    for (Subject& subject : subjects) sides.push_back(&subject);
    if (reference) sides.push_back(&*reference);
    choose_layers(sides, options.layers);
    for (Subject* const side : sides) {
        auto const transfer = reference && side == &*reference ? options.transfers.reference : options.transfers.test;
        prepare_subject(*side, side->film ? std::nullopt : transfer, options.channels);
    }
}

/// The rendering of place `i` among what the options state.
Rendering record_rendering(Subject subject, std::size_t i, CompareOptions const& options,
                           std::vector<std::string>& notices)
{
    RenderRecord stated;
    if (i < options.samples.size()) stated.samples = options.samples[i];
    if (i < options.seconds.size()) stated.seconds = options.seconds[i];
    for (std::string const& notice : subject.notices) notices.push_back(subject.name + ": " + notice);
    RenderRecord const record = find_render_record(subject, options.layers.prefix, stated, notices);
    return {std::move(subject), record};
}

} // namespace

Convergence judge_convergence(std::vector<Subject> subjects, std::optional<Subject> reference,
                              CompareOptions const& options)
{
    std::size_t const count = subjects.size();
    check_counts(count, reference.has_value(), options);
    prepare_sides(subjects, reference, options);
    std::vector<std::string> notices;
    std::vector<Rendering> tests;
    for (std::size_t i = 0; i < count; ++i)
        tests.push_back(record_rendering(std::move(subjects[i]), i, options, notices));
    Rendering longest;
    if (reference) {
        longest = record_rendering(std::move(*reference), count, options, notices);
    } else {
        auto const place = tests.begin() + static_cast<std::ptrdiff_t>(find_longest(tests));
        longest = std::move(*place);
        tests.erase(place);
    }
    Convergence convergence = measure_convergence(std::move(tests), std::move(longest));
    convergence.notices.insert(convergence.notices.begin(), notices.begin(), notices.end());
    return convergence;
}

ExitStatus compare_convergence(ToolRun const& run, CompareOptions const& options)
{
    check_counts(run.arguments.size(), options.convergence_reference.has_value(), options);
    std::vector<std::filesystem::path> inputs(run.arguments.begin(), run.arguments.end());
    if (options.convergence_reference) inputs.push_back(*options.convergence_reference);
    refuse_overwriting(run, inputs, list_reports(options));
    Illuminant const illuminant = options.criteria.settings.illuminant;
    std::vector<Subject> subjects;
    for (std::string const& name : run.arguments) subjects.push_back(read_subject(name, illuminant));
    std::optional<Subject> reference;
    if (options.convergence_reference) reference = read_subject(*options.convergence_reference, illuminant);
    Convergence const convergence = judge_convergence(std::move(subjects), std::move(reference), options);
    for (std::string const& notice : convergence.notices) run.notice(notice);
    if (options.plot) write_text(*options.plot, plot_convergence(convergence));
    if (run.common.wants_json())
        fmt::print("{}\n", format_json(report_convergence(convergence), 2));
    else
        fmt::print("{}", format_convergence(convergence));
    return convergence.as_expected ? ExitStatus::done : ExitStatus::negative;
}

} // namespace volpt
