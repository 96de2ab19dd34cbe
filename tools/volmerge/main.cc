// volmerge: adds films of disjoint samples of one scene, exactly.
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/json.h"
#include "libvolpt/sys/text/one_line.h"
#include "tools/options/progress_line.h"
#include "tools/options/suite/suite_tools.h"
#include "tools/volmerge/options.h"

#include <cstdint>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

void print_answer(nlohmann::ordered_json const& answer, AnswerForm form)
{
    if (form == AnswerForm::json)
        fmt::print("{}\n", format_json(answer, 2));
    else
        for (auto const& [key, value] : answer.items())
            if (!value.is_null())
                fmt::print("{}: {}\n", key,
                           to_one_line(value.is_string() ? value.get<std::string>() : format_json(value)));
}

ExitStatus run_merge(ToolRun const& run, VolmergeOptions const& options)
{
    if (options.output.outputs.empty() && !options.merging.expected)
        fail_usage("there is nothing to do", "give -o OUT.vpf or --expect FIRST:COUNT");
    MergeRequest const request = make_request(run, options);
    MergeResult const result =
        merge(request, {.notice = run.notice, .progress = show_progress_when_asked("merge", run.common.verbosity)});
    print_answer(report_merge(request, result), run.common.answer);
    return result.is_whole() ? ExitStatus::done : ExitStatus::negative;
}

ToolDescription describe_tool()
{
    return {
        .name = "volmerge",
        .summary = summarise_tool("volmerge"),
        .usage = {"FILM.vpf|FOLDER... -o OUT.vpf [-o OUT.exr] [--expect FIRST:COUNT]",
                  "FOLDER --expect FIRST:COUNT --chunk N --heads-only"},
        .notes =
            {"A folder means the .vpf files in it. Scene and seed must be equal and no sample may be in two films; "
             "otherwise nothing is written. A film given twice counts once. An output may be one of the inputs."},
        .examples = {{"volmerge node*.vpf -o all.vpf -o all.png --expect 0:4096",
                      "merge the films of a cluster, if none is missing"},
                     {"volmerge parts --expect 0:4096 --chunk 64 --heads-only",
                      "print the missing tasks of a job array"},
                     {"volmerge all.vpf -o all.exr", "make an image of a film"}},
        .status_1 = "the samples differ from --expect; nothing was written (except with --partial)",
        .arguments = {{"FILM.vpf|FOLDER"}},
        .arguments_min = 0,
        .arguments_max = SIZE_MAX,
    };
}

} // namespace
} // namespace volpt

int main(int argc, char** argv)
{
    using namespace volpt;
    VolmergeOptions options;
    return run_tool(argc, argv, describe_tool(), options.list_groups(),
                    [&](ToolRun const& run) { return run_merge(run, options); });
}
