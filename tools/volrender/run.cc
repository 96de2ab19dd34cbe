// Renders with progress.
#include "tools/volrender/run.h"

#include "libvolpt/render/render_progress.h"
#include "tools/options/interrupt.h"
#include "tools/options/progress_line.h"

#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace volpt {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kDefaultCeiling = 1 << 20; // of --stop-at-de

double seconds_since(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

NoiseTarget make_target(ToolRun const& run, RenderGroups const& groups)
{
    NoiseTarget target;
    target.de2000_p95 = *groups.samples.stop_at_de;
    target.most_samples = groups.samples.samples ? groups.samples.samples->count : kDefaultCeiling;
    target.illuminant = groups.output.how.illuminant;
    target.on_estimate = [&run](NoiseEstimate const& look) {
        run.detail(fmt::format("{} samples: noise of {:.3g} Delta E 2000 (95th percentile), {} samples are predicted",
                               look.samples, look.de2000_p95, look.predicted_samples));
    };
    return target;
}

/// A line in place of the progress line, which comes back below it.
void tell_estimate(ToolRun const& run, double seconds)
{
    if (isatty(STDERR_FILENO) != 0) std::fputs("\r\033[K", stderr);
    run.notice(fmt::format("about {:.3g} s in all", seconds));
}

} // namespace

RenderOutcome run_render(ToolRun const& run, RenderGroups const& groups, std::uint64_t default_samples,
                         RenderScene const& scene, Film& film, RenderOptions options)
{
    watch_interrupts();
    bool const tells = run.common.verbosity == Verbosity::verbose || isatty(STDERR_FILENO) != 0;
    ProgressLine line("render", run.common.verbosity);
    TimeEstimate estimate;
    Clock::time_point const start = Clock::now();
    options.time_limit_s = groups.samples.time_limit_s;
    options.notice = run.notice;
    options.progress = [&, sink = line.sink()](Progress const& progress) {
        bool const known = estimate.total_s().has_value();
        estimate.update(seconds_since(start), progress);
        if (tells && !known && estimate.total_s()) tell_estimate(run, *estimate.total_s());
        return sink(progress);
    };
    RenderOutcome outcome;
    if (groups.samples.stop_at_de) {
        NoiseRender const render = render_to_noise(scene, film, make_target(run, groups), options);
        outcome.report = render.report;
        outcome.last_look = render.last;
    } else {
        outcome.report =
            render_film(scene, film, groups.samples.samples.value_or(SampleRange{0, default_samples}), options);
    }
    outcome.seconds_real = seconds_since(start);
    // What was stopped says nothing about an estimate of the whole.
    if (outcome.report.end == RenderEnd::finished) outcome.seconds_estimated = estimate.total_s();
    if (tells && outcome.seconds_estimated)
        run.notice(fmt::format("it took {:.3g} s; the estimate was {:.3g} s ({:+.1f} %)", outcome.seconds_real,
                               *outcome.seconds_estimated,
                               100 * (*outcome.seconds_estimated / outcome.seconds_real - 1)));
    return outcome;
}

} // namespace volpt
