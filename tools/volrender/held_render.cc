#include "tools/volrender/held_render.h"

#include "libvolpt/sys/json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

void refuse_options_of_program(ToolRun const& run)
{
    static constexpr std::string_view kOfProgram[] = {"output", "resume",   "checkpoint",   "trials",
                                                      "tally",  "detector", "list-kernels", "list-devices",
                                                      "config", "json",     "turntable"};
    for (std::string const& name : run.given_options)
        if (std::ranges::find(kOfProgram, name) != std::end(kOfProgram))
            fail_usage("volpt.render has no option " + name, "save the film, or run the program volrender");
}

HeldRender render_job(ToolRun const& run, VolrenderOptions const& options, HeldInputs held,
                      ProgressSink const& progress)
{
    refuse_options_of_program(run);
    RenderJob job(run, options, std::move(held));
    RenderOptions render = job.render;
    render.notice = run.notice;
    render.progress = progress;
    RenderOutcome const outcome = render_samples(run, options, job, *job.film, render);
    if (auto const change = job.find_change()) throw *change;
    RenderReport const& report = outcome.report;
    if (report.end == RenderEnd::device_failed)
        run.notice(report.failure + "; the film has the samples copied back by then");
    check_light_was_found(*job.film, job.scene(), report.end);
    job.film->provenance = make_render_provenance(run, options, report);
    report_film_limits(job, run.notice);
    return {std::move(job.film), report};
}

} // namespace

HeldRender render_held(std::string const& path, std::vector<std::string> const& words, HeldInputs held,
                       NoticeSink const& notice, ProgressSink const& progress)
{
    std::vector<std::string> command_line{"volrender", path};
    command_line.insert(command_line.end(), words.begin(), words.end());
    VolrenderOptions options;
    HeldRender rendered;
    run_tool_body(command_line, options.list_groups(), notice, [&](ToolRun const& run) {
        rendered = render_job(run, options, std::move(held), progress);
        return ExitStatus::done;
    });
    return rendered;
}

std::string describe_render(RenderReport const& report)
{
    return format_json(nlohmann::ordered_json{{"device", report.device},
                                              {"kernel", report.kernel},
                                              {"seconds_render", report.seconds_render},
                                              {"paths", report.counts.paths},
                                              {"extensions", report.counts.extensions},
                                              {"tentative_collisions", report.counts.tentative_collisions},
                                              {"finished", report.end == RenderEnd::finished}});
}

} // namespace volpt
