#include "tools/volrender/run.h"

#include "libvolpt/render/render_progress.h"
#include "libvolpt/sys/stopwatch.h"
#include "tools/options/progress_line.h"
#include "tools/volrender/report.h"
#include "tools/volrender/work_report.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <unistd.h>

namespace volpt {
namespace {

constexpr double kLongRender_s = 10; // whose estimate is told everywhere, as its progress is

/// Replaces the progress line, which reappears below the notice.
void print_estimate(ToolRun const& run, double seconds)
{
    if (isatty(STDERR_FILENO) != 0) std::fputs("\r\033[K", stderr);
    run.notice(fmt::format("about {:.3g} s in all", seconds));
}

void print_estimate_error(ToolRun const& run, RenderOutcome const& outcome)
{
    double const estimated = *outcome.seconds_estimated, real = outcome.seconds_real;
    run.notice(fmt::format("the render took {:.3g} s; the estimate was {:.3g} s ({:+.1f} %)", real, estimated,
                           100 * (estimated / real - 1)));
}

/// What a render with a time limit will have done by then, at its rate so far, is its whole.
Progress limit_progress(Progress progress, double elapsed_s, double limit_s)
{
    if (limit_s > 0 && elapsed_s > 0 && progress.done > 0) {
        double const by_then = static_cast<double>(progress.done) * std::max(limit_s / elapsed_s, 1.0);
        if (progress.total == 0 || by_then < static_cast<double>(progress.total))
            progress.total = static_cast<std::uint64_t>(by_then);
    }
    return progress;
}

/// The progress of a render on stderr. On a terminal, with --verbose or where it is long, the estimated time is printed
/// once it is known, and its error at the end.
class ProgressReport {
public:
    ProgressReport(ToolRun const& run, double limit_s) : run_(run), limit_s_(limit_s)
    {
        watch_interrupts();
        line_.emplace("render", run.common.verbosity);
    }

    /// Refers to this object.
    JobSinks list_sinks()
    {
        return {.notice = run_.notice,
                .detail = run_.detail,
                .progress = [this, sink = line_->sink()](Progress const& progress) { return update(progress, sink); },
                .rendered = [this](RenderOutcome& outcome) { finish(outcome); }};
    }

private:
    bool is_told(std::optional<double> total_s) const
    {
        bool const always = run_.common.verbosity == Verbosity::verbose || isatty(STDERR_FILENO) != 0;
        return total_s && (always || *total_s > kLongRender_s);
    }

    bool update(Progress const& progress, ProgressSink const& sink)
    {
        bool const known = estimate_.total_s().has_value();
        estimate_.update(seconds_since(start_), progress);
        if (!known && is_told(estimate_.total_s())) {
            double const most_s = limit_s_ > 0 ? limit_s_ : INFINITY;
            print_estimate(run_, std::min(*estimate_.total_s(), most_s));
        }
        return sink(limit_progress(progress, seconds_since(start_), limit_s_));
    }

    void finish(RenderOutcome& outcome)
    {
        line_.reset();
        // An estimate of the whole cannot be compared with the time of a part.
        if (outcome.report.end == RenderEnd::finished) outcome.seconds_estimated = estimate_.total_s();
        if (is_told(outcome.seconds_estimated)) print_estimate_error(run_, outcome);
    }

    ToolRun const& run_;
    double limit_s_;
    std::optional<ProgressLine> line_;
    TimeEstimate estimate_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Error (system) unless the render finished or reached its time limit.
void report_end(RenderReport const& report, std::vector<std::filesystem::path> const& outputs, NoticeSink const& notice)
{
    std::string const how = describe_resuming(outputs);
    if (report.end == RenderEnd::time_limit) notice("the time limit ended the render; " + how);
    if (report.end == RenderEnd::device_failed)
        fail_system(report.failure + "; the samples copied back by then are written", "volrender", how);
    if (report.end == RenderEnd::stopped)
        fail_system("interrupted; the samples done so far are written", "volrender", how);
}

} // namespace

void run_trials(ToolRun const& run, RenderJob const& job, int trials)
{
    std::vector<RenderReport> reports;
    for (int i = -1; i < trials; ++i) {
        Film film = *job.film;
        if (job.tally) job.tally->clear();
        ProgressReport progress(run, job.request().samples.time_limit_s);
        RenderReport const report = render_samples(job, film, progress.list_sinks()).report;
        if (report.end != RenderEnd::finished) fail_system("interrupted", "--trials", "let all trials finish");
        if (i >= 0) reports.push_back(report);
        if (i + 1 < trials) continue;
        if (auto const change = job.find_change()) throw *change;
        check_light_was_found(film, job.scene(), report.end);
        film.provenance = make_render_provenance(job, report);
        write_films(film, job);
        write_particle_sums(film, job);
        print_trials(reports, film, run.common.answer);
    }
}

void run_and_report(ToolRun const& run, RenderJob& job, AnswerSink const& take_answer)
{
    ProgressReport progress(run, job.request().samples.time_limit_s);
    RenderOutcome const outcome = run_job(job, progress.list_sinks());
    if (outcome.failure && outcome.failure->status() == ExitStatus::input) throw *outcome.failure;
    if (run.common.verbosity == Verbosity::verbose)
        for (WorkerReport const& worker : outcome.report.workers)
            for (std::string const& line : describe_worker(worker)) run.notice(line);
    take_answer(report_answer(*job.film, outcome, job, run.common));
    if (outcome.detectors && !run.common.wants_json()) fmt::print("{}", describe_detectors(*outcome.detectors));
    report_end(outcome.report, job.outputs, run.notice);
}

} // namespace volpt
