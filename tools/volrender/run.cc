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
#include <exception>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <unistd.h>

namespace volpt {
namespace {

constexpr std::uint64_t kDefaultCeiling = 1 << 20; // of --stop-at-de
constexpr double kLongRender_s = 10;               // whose estimate is told everywhere, as its progress is

NoiseTarget make_target(ToolRun const& run, VolrenderOptions const& options)
{
    NoiseTarget target;
    target.de2000_p95 = *options.samples.stop_at_de;
    target.most_samples = options.samples.samples ? options.samples.samples->count : kDefaultCeiling;
    target.illuminant = options.output.how.illuminant;
    target.on_estimate = [&run](NoiseEstimate const& noise) {
        run.detail(
            fmt::format("{} samples: noise of {}{:.3g} Delta E 2000 (95th percentile); predicted need: {} samples",
                        noise.samples, noise.is_bound ? "at most " : "", noise.de2000_p95, noise.predicted_samples));
    };
    return target;
}

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

/// Renders what `film` lacks on the devices of `job`; SIGINT, SIGTERM and SIGHUP stop it in order, and so does a change
/// of the volume. On a terminal, with --verbose or where it is long, the estimated time is printed once it is known,
/// and its error at the end.
RenderOutcome run_render(ToolRun const& run, VolrenderOptions const& options, RenderJob const& job, Film& film)
{
    watch_interrupts();
    bool const always = run.common.verbosity == Verbosity::verbose || isatty(STDERR_FILENO) != 0;
    auto const is_told = [&](std::optional<double> total_s) { return total_s && (always || *total_s > kLongRender_s); };
    ProgressLine line("render", run.common.verbosity);
    TimeEstimate estimate;
    auto const start = std::chrono::steady_clock::now();
    double const limit_s = options.samples.time_limit_s;
    RenderOptions render = job.render;
    render.notice = run.notice;
    render.progress = [&, sink = line.sink()](Progress const& progress) {
        bool const known = estimate.total_s().has_value();
        estimate.update(seconds_since(start), progress);
        if (!known && is_told(estimate.total_s())) {
            double const most_s = limit_s > 0 ? limit_s : INFINITY;
            print_estimate(run, std::min(*estimate.total_s(), most_s));
        }
        return sink(limit_progress(progress, seconds_since(start), limit_s)) && !job.find_change();
    };
    RenderOutcome outcome = render_samples(run, options, job, film, render);
    // An estimate of the whole cannot be compared with the time of a part.
    if (outcome.report.end == RenderEnd::finished) outcome.seconds_estimated = estimate.total_s();
    if (is_told(outcome.seconds_estimated)) print_estimate_error(run, outcome);
    return outcome;
}

Provenance make_base_provenance(ToolRun const& run, VolrenderOptions const& options)
{
    Provenance provenance = describe_run(run, "volrender", options.output.provenance);
    if (options.output.provenance == ProvenanceDetail::full) provenance.set("volume", run.arguments[0]);
    return provenance;
}

/// Refers to `job`.
FilmOutputOptions choose_output(RenderJob const& job, VolrenderOptions const& options)
{
    FilmOutputOptions how = options.output.how;
    how.threads = job.render.threads;
    how.display_film = job.choose_display_film(options.light.backdrop);
    return how;
}

std::optional<DetectorReport> read_job_detectors(RenderJob const& job, Film const& film)
{
    if (!job.detectors) return std::nullopt;
    return read_detectors(*job.tally, *job.detectors, film);
}

/// Files of tallies and of detectors.
void write_sums(RenderJob const& job, Film const& film, std::optional<DetectorReport> const& detectors)
{
    if (job.tally) write_tallies(*job.tally, film, job.voxels(), job.tally_outputs);
    if (!detectors) return;
    for (std::filesystem::path const& file : job.detector_outputs) write_detectors(*detectors, file);
}

/// Whether it is an mlt film to which nothing was added.
bool lacks_any_light(Film const& film)
{
    return film.scene().integrator == Integrator::mlt &&
           std::ranges::all_of(film.sums, [](std::uint64_t sum) { return sum == 0; });
}

/// Renders the same samples repeatedly, after a warm-up; the film of the last trial is written.
ExitStatus run_trials(ToolRun const& run, VolrenderOptions const& options, RenderJob const& job)
{
    std::vector<RenderReport> trials;
    for (int i = -1; i < options.device.trials; ++i) {
        Film film = *job.film;
        if (job.tally) job.tally->clear();
        RenderReport const report = run_render(run, options, job, film).report;
        if (report.end != RenderEnd::finished) fail_system("interrupted", "--trials", "let all trials finish");
        if (i >= 0) trials.push_back(report);
        if (i + 1 < options.device.trials) continue;
        if (auto const change = job.find_change()) throw *change;
        check_light_was_found(film, job.scene(), report.end);
        film.provenance = make_render_provenance(run, options, report);
        write_film_outputs(film, job.outputs, choose_output(job, options));
        write_sums(job, film, read_job_detectors(job, film));
        print_trials(trials, film, run.common.answer);
    }
    return ExitStatus::done;
}

/// Films among the outputs are written during the render.
void enable_checkpoints(ToolRun const& run, VolrenderOptions const& options, RenderJob& job)
{
    if (options.samples.checkpoint_s > 0) job.render.checkpoint_s = options.samples.checkpoint_s;
    job.render.write_checkpoint = [&run, &options, films = list_films(job.outputs)](Film& film) {
        if (lacks_any_light(film)) return;
        film.provenance = make_base_provenance(run, options);
        for (std::filesystem::path const& path : films) write_film(path, film, options.output.how.keep_provenance);
    };
}

std::string describe_resuming(std::vector<std::filesystem::path> const& outputs)
{
    for (std::filesystem::path const& output : outputs)
        if (output.extension() == ".vpf") return fmt::format("--resume {} --spp N continues it", output.string());
    return "it cannot be continued, because no .vpf was among the outputs";
}

/// When an output cannot be written (disk full, folder removed), the film goes to the folder of temporary files. Error
/// (system) in any case.
[[noreturn]] void rescue_film(Film const& film, KeepProvenance keep, Error const& error)
{
    std::filesystem::path const path =
        std::filesystem::temp_directory_path() / fmt::format("volrender-{}.vpf", to_hex(hash_film(film)));
    try {
        write_film(path, film, keep);
    } catch (Error const&) {
        throw error;
    }
    fail_system(fmt::format("{}; the film was written to {} instead", error.what(), path.string()), "volrender",
                "move it to a disk with free space");
}

void write_outputs(Film const& film, RenderJob const& job, VolrenderOptions const& options)
{
    try {
        write_film_outputs(film, job.outputs, choose_output(job, options));
    } catch (Error const& error) {
        if (error.status() == ExitStatus::system && !list_films(job.outputs).empty())
            rescue_film(film, options.output.how.keep_provenance, error);
        throw;
    }
}

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

/// run_render, where the volume may change meanwhile. Error (input) if it did: all samples in the film are of the
/// volume as it was, and the outputs are written with them.
RenderOutcome run_guarded(ToolRun const& run, VolrenderOptions const& options, RenderJob const& job, Film& film)
{
    RenderOutcome outcome;
    std::exception_ptr failure;
    try {
        outcome = run_render(run, options, job, film);
    } catch (std::exception const&) {
        failure = std::current_exception();
    }
    auto const change = job.find_change();
    if (!change && failure) std::rethrow_exception(failure);
    if (!change) return outcome;
    if (!std::ranges::any_of(film.tile_ranges, [](SampleRanges const& ranges) { return !ranges.empty(); }))
        throw *change;
    film.provenance =
        failure ? make_base_provenance(run, options) : make_render_provenance(run, options, outcome.report);
    write_outputs(film, job, options);
    throw Error(ExitStatus::input, {"the volume changed during the render; the samples done before are written",
                                    change->text().where, "another program wrote to it, or its disk failed",
                                    "put the volume back as it was, then " + describe_resuming(job.outputs)});
}

} // namespace

RenderOutcome render_samples(ToolRun const& run, VolrenderOptions const& options, RenderJob const& job, Film& film,
                             RenderOptions const& render)
{
    auto const start = std::chrono::steady_clock::now();
    RenderOptions limited = render;
    limited.time_limit_s = options.samples.time_limit_s;
    RenderOutcome outcome;
    if (options.samples.stop_at_de) {
        NoiseRender const noise = render_to_noise(job.scene(), film, make_target(run, options), limited);
        outcome.report = noise.report;
        outcome.last_noise = noise.last;
    } else {
        SampleRange const samples = options.samples.samples.value_or(SampleRange{0, job.default_samples});
        outcome.report = render_film(job.scene(), film, samples, limited);
    }
    outcome.seconds_real = seconds_since(start);
    return outcome;
}

Provenance make_render_provenance(ToolRun const& run, VolrenderOptions const& options, RenderReport const& report)
{
    Provenance provenance = make_base_provenance(run, options);
    provenance.set("device", report.device);
    provenance.set("kernel", report.kernel);
    provenance.set("threads", std::to_string(run.common.threads));
    provenance.set("seconds_render", fmt::format("{:.6f}", report.seconds_render));
    return provenance;
}

void check_light_was_found(Film const& film, RenderScene const& scene, RenderEnd end)
{
    bool const is_complete = end == RenderEnd::finished || end == RenderEnd::time_limit;
    if (!is_complete || !lacks_any_light(film)) return;
    SceneView const& view = scene.view();
    std::uint64_t const passes = film.samples_at(0, 0), paths = count_paths_per_sample(view);
    std::uint64_t const candidates = passes * view.metropolis.chains * view.metropolis.bootstrap * paths;
    throw Error(
        ExitStatus::negative,
        {fmt::format("the chains found no path between light and film in {} candidates", candidates),
         "--integrator mlt", "nothing is written, since a black picture would say that there is no light",
         "check that the emitter is not enclosed, or give more --bootstrap or samples, or another --integrator"});
}

void report_film_limits(RenderJob const& job, NoticeSink const& notice)
{
    Film const& film = *job.film;
    report_cut_paths(film, notice);
    report_dim_light(film, notice);
    report_lost_light(film.scene(), notice);
    report_missing_caustics(film.scene(), job.volume(), notice);
}

ExitStatus run_job(ToolRun const& run, VolrenderOptions const& options, RenderJob& job, AnswerSink const& take_answer)
{
    if (options.device.trials > 0) return run_trials(run, options, job);
    enable_checkpoints(run, options, job);
    Film& film = *job.film;
    RenderOutcome const outcome = run_guarded(run, options, job, film);
    if (run.common.verbosity == Verbosity::verbose)
        for (WorkerReport const& worker : outcome.report.workers)
            for (std::string const& line : describe_worker(worker)) run.notice(line);
    check_light_was_found(film, job.scene(), outcome.report.end);
    film.provenance = make_render_provenance(run, options, outcome.report);
    write_outputs(film, job, options);
    std::optional<DetectorReport> const detectors = read_job_detectors(job, film);
    write_sums(job, film, detectors);
    report_film_limits(job, run.notice);
    take_answer(
        report_answer(film, outcome, {job.tally.get(), detectors ? &*detectors : nullptr}, options, run.common));
    if (detectors && !run.common.wants_json()) fmt::print("{}", describe_detectors(*detectors));
    if (job.tally) report_late_light(*job.tally, run.notice);
    report_ceiling(outcome, options, run.notice);
    report_end(outcome.report, job.outputs, run.notice);
    return ExitStatus::done;
}

} // namespace volpt
