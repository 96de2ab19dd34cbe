#include "tools/volrender/held_render.h"

#include "libvolpt/sys/json.h"
#include "tools/volrender/report.h"

#include <algorithm>
#include <exception>
#include <nlohmann/json.hpp>
#include <utility>

namespace volpt {
namespace {

bool has_samples(Film const& film)
{
    return std::ranges::any_of(film.tile_ranges, [](SampleRanges const& ranges) { return !ranges.empty(); });
}

/// Renders what the film of the job lacks; the failure is that of the device or the file. Error for any other, and for
/// a file that changed before the first sample.
HeldRender render_until_failure(ToolRun const& run, VolrenderOptions const& options, RenderJob& job,
                                ProgressSink const& progress)
{
    RenderOptions render = job.render;
    render.notice = run.notice;
    render.progress = [&](Progress const& done) { return (!progress || progress(done)) && !job.find_change(); };
    RenderOutcome outcome;
    std::exception_ptr thrown;
    try {
        outcome = render_samples(run, options, job, *job.film, render);
    } catch (std::exception const&) {
        thrown = std::current_exception();
    }
    HeldRender rendered{{}, outcome.report, {}, {}};
    if (auto const change = job.find_change()) {
        if (!has_samples(*job.film)) throw *change;
        rendered.failure =
            Error(ExitStatus::input, {"the volume changed during the render; the film has the samples done before",
                                      change->text().where, "another program wrote to it, or its disk failed",
                                      "put the volume back as it was, then resume the film"});
        return rendered;
    }
    if (thrown) std::rethrow_exception(thrown);
    if (outcome.report.end == RenderEnd::device_failed)
        rendered.failure =
            Error(ExitStatus::system, {outcome.report.failure + "; the film has the samples copied back by then",
                                       outcome.report.device,
                                       {},
                                       "resume the film"});
    else
        check_light_was_found(*job.film, job.scene(), outcome.report.end);
    report_ceiling(outcome, options, run.notice);
    return rendered;
}

HeldRender render_job(ToolRun const& run, VolrenderOptions const& options, HeldInputs held,
                      ProgressSink const& progress)
{
    auto const job = std::make_shared<RenderJob>(run, options, std::move(held));
    HeldRender rendered = render_until_failure(run, options, *job, progress);
    job->film->provenance = make_render_provenance(run, options, rendered.report);
    report_film_limits(*job, run.notice);
    rendered.film = std::exchange(job->film, std::nullopt);
    rendered.job = job;
    return rendered;
}

} // namespace

HeldRender render_held(std::string const& path, std::vector<std::string> const& words, HeldInputs held,
                       NoticeSink const& notice, ProgressSink const& progress)
{
    std::vector<std::string> command_line{"volrender"};
    command_line.insert(command_line.end(), words.begin(), words.end());
    command_line.insert(command_line.end(), {"--", path}); // the path may begin with a dash
    VolrenderOptions options;
    HeldRender rendered;
    run_tool_body(command_line, options.list_groups(), notice, [&](ToolRun const& run) {
        rendered = render_job(run, options, std::move(held), progress);
        return ExitStatus::done;
    });
    return rendered;
}

DisplayFilm choose_display_film(std::shared_ptr<RenderJob const> const& job, std::optional<double> backdrop)
{
    if (job == nullptr && backdrop)
        fail_usage("a film that was read does not have its volume, so that its background is not known",
                   "leave backdrop out, or render with --transparent");
    if (job == nullptr) return {};
    DisplayFilm display = job->choose_display_film(backdrop);
    if (display.make) display.make = [job, make = display.make](Film const& film) { return make(film); };
    return display;
}

bool is_finished(HeldRender const& rendered)
{
    return rendered.report.end == RenderEnd::finished && !rendered.failure;
}

std::string describe_render(HeldRender const& rendered)
{
    RenderReport const& report = rendered.report;
    return format_json(nlohmann::ordered_json{{"device", report.device},
                                              {"kernel", report.kernel},
                                              {"seconds_render", report.seconds_render},
                                              {"paths", report.counts.paths},
                                              {"extensions", report.counts.extensions},
                                              {"tentative_collisions", report.counts.tentative_collisions},
                                              {"finished", is_finished(rendered)}});
}

} // namespace volpt
