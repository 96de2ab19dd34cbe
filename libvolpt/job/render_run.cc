#include "libvolpt/job/render_run.h"

#include "libvolpt/film/film_stats.h"
#include "libvolpt/job/render_notices.h"
#include "libvolpt/sys/json.h"
#include "libvolpt/sys/stopwatch.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace volpt {
namespace {

constexpr std::uint64_t kDefaultCeiling = 1 << 20; // of a render to a noise

NoiseTarget make_target(RenderRequest const& request, JobSinks const& sinks)
{
    NoiseTarget target;
    target.de2000_p95 = *request.samples.stop_at_de;
    target.most_samples = request.samples.samples ? request.samples.samples->count : kDefaultCeiling;
    target.illuminant = request.output.how.illuminant;
    target.on_estimate = [&sinks](NoiseEstimate const& noise) {
        sinks.detail(
            fmt::format("{} samples: noise of {}{:.3g} Delta E 2000 (95th percentile); predicted need: {} samples",
                        noise.samples, noise.is_bound ? "at most " : "", noise.de2000_p95, noise.predicted_samples));
    };
    return target;
}

Provenance make_base_provenance(RenderJob const& job)
{
    auto const& make = job.request().output.make_provenance;
    return make ? make() : Provenance{};
}

/// Refers to `job`.
FilmOutputOptions choose_output(RenderJob const& job)
{
    FilmOutputOptions how = job.request().output.how;
    how.threads = job.render.threads;
    if (how.exposure_choice == Exposure::of_light)
        how.exposure = static_cast<float>(choose_light_exposure(job.scene().scene(), job.volume().meta()));
    how.display_film = job.choose_display_film(job.request().scene.light.backdrop);
    add_pictures(job.request().pictures, {std::shared_ptr<void>(), &job}, how);
    return how;
}

/// Whether it is an mlt film to which nothing was added.
bool lacks_any_light(Film const& film)
{
    return film.scene().integrator == Integrator::mlt &&
           std::ranges::all_of(film.sums, [](std::uint64_t sum) { return sum == 0; });
}

bool has_samples(Film const& film)
{
    return std::ranges::any_of(film.tile_ranges, [](SampleRanges const& ranges) { return !ranges.empty(); });
}

/// Films among the outputs are written during the render.
void enable_checkpoints(RenderJob& job)
{
    std::vector<std::filesystem::path> films = list_films(job.outputs);
    if (films.empty()) return;
    if (job.request().samples.checkpoint_s > 0) job.render.checkpoint_s = job.request().samples.checkpoint_s;
    job.render.write_checkpoint = [&job, films = std::move(films)](Film& film) {
        if (lacks_any_light(film)) return;
        film.provenance = make_base_provenance(job);
        for (std::filesystem::path const& path : films)
            write_film(path, film, job.request().output.how.keep_provenance);
    };
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

Error describe_change(Error const& change, RenderJob const& job)
{
    bool const has_files = !job.list_outputs().empty();
    return {ExitStatus::input,
            {fmt::format("the volume changed during the render; {} done before{}",
                         has_files ? "the samples" : "the film has the samples", has_files ? " are written" : ""),
             change.text().where, "another program wrote to it, or its disk failed",
             "put the volume back as it was, then " +
                 (has_files ? describe_resuming(job.outputs) : std::string("resume the film"))}};
}

/// render_samples, where the volume may change meanwhile: all samples in the film are of the volume as it was. Whatever
/// else is thrown goes on.
RenderOutcome render_guarded(RenderJob& job, JobSinks const& sinks)
{
    Film& film = *job.film;
    RenderOutcome outcome;
    std::exception_ptr thrown;
    try {
        outcome = render_samples(job, film, sinks);
    } catch (std::exception const&) {
        thrown = std::current_exception();
    }
    auto const change = job.find_change();
    if (!change && thrown) std::rethrow_exception(thrown);
    if (change && !has_samples(film)) throw *change;
    film.provenance = thrown ? make_base_provenance(job) : make_render_provenance(job, outcome.report);
    if (change)
        outcome.failure = describe_change(*change, job);
    else if (outcome.report.end == RenderEnd::device_failed)
        outcome.failure =
            Error(ExitStatus::system, {outcome.report.failure + "; the film has the samples copied back by then",
                                       outcome.report.device,
                                       {},
                                       "resume the film"});
    return outcome;
}

/// The notices on what the film of a render leaves out or shows badly.
void report_film_limits(RenderJob const& job, NoticeSink const& notice)
{
    Film const& film = *job.film;
    report_cut_paths(film, notice);
    report_dim_light(film, notice);
    report_lost_light(film.scene(), notice);
    report_missing_caustics(film.scene(), job.volume(), notice);
}

} // namespace

RenderOutcome render_samples(RenderJob const& job, Film& film, JobSinks const& sinks)
{
    auto const start = std::chrono::steady_clock::now();
    RenderRequest const& request = job.request();
    RenderOptions render = job.render;
    render.time_limit_s = request.samples.time_limit_s;
    render.notice = sinks.notice;
    render.progress = [&](Progress const& done) {
        return (!sinks.progress || sinks.progress(done)) && !job.find_change();
    };
    RenderOutcome outcome;
    if (request.samples.stop_at_de) {
        NoiseRender const noise = render_to_noise(job.scene(), film, make_target(request, sinks), render);
        outcome.report = noise.report;
        outcome.last_noise = noise.last;
    } else {
        SampleRange const samples = request.samples.samples.value_or(SampleRange{0, job.default_samples});
        outcome.report = render_film(job.scene(), film, samples, render);
    }
    outcome.seconds_real = seconds_since(start);
    if (sinks.rendered) sinks.rendered(outcome);
    return outcome;
}

Provenance make_render_provenance(RenderJob const& job, RenderReport const& report)
{
    Provenance provenance = make_base_provenance(job);
    provenance.set("device", report.device);
    provenance.set("kernel", report.kernel);
    provenance.set("threads", std::to_string(job.count_threads()));
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

void write_films(Film const& film, RenderJob const& job)
{
    if (job.outputs.empty()) return;
    try {
        write_film_outputs(film, job.outputs, choose_output(job));
    } catch (Error const& error) {
        if (error.status() == ExitStatus::system && !list_films(job.outputs).empty())
            rescue_film(film, job.request().output.how.keep_provenance, error);
        throw;
    }
}

std::optional<DetectorReport> write_particle_sums(Film const& film, RenderJob const& job)
{
    if (job.tally) write_tallies(*job.tally, film, job.voxels(), job.tally_outputs);
    if (!job.detectors) return std::nullopt;
    DetectorReport report = read_detectors(*job.tally, *job.detectors, film);
    for (std::filesystem::path const& file : job.detector_outputs) write_detectors(report, file);
    return report;
}

RenderOutcome run_job(RenderJob& job, JobSinks const& sinks)
{
    enable_checkpoints(job);
    RenderOutcome outcome = render_guarded(job, sinks);
    Film const& film = *job.film;
    bool const has_changed = outcome.failure && outcome.failure->status() == ExitStatus::input;
    if (!has_changed) check_light_was_found(film, job.scene(), outcome.report.end);
    write_films(film, job);
    if (!has_changed) outcome.detectors = write_particle_sums(film, job);
    report_film_limits(job, sinks.notice);
    if (has_changed) return outcome;
    if (job.tally) report_late_light(*job.tally, sinks.notice);
    report_ceiling(outcome, job.request().samples.stop_at_de, sinks.notice);
    return outcome;
}

std::string describe_resuming(std::vector<std::filesystem::path> const& outputs)
{
    for (std::filesystem::path const& output : outputs)
        if (output.extension() == ".vpf") return fmt::format("--resume {} --spp N continues it", output.string());
    return "it cannot be continued, because no .vpf was among the outputs";
}

namespace {

void take_particle_sums(RenderJob& job, std::optional<DetectorReport> const& detectors, RenderResult& result)
{
    if (result.failure && result.failure->status() == ExitStatus::input) return; // of a volume that has changed
    nlohmann::ordered_json report = report_tally(*job.tally);
    if (detectors) report["detectors"] = report_detectors(*detectors);
    result.particle_report = format_json(report);
    TallyRequest const& wanted = job.request().tally;
    if (!wanted.is_given() || wanted.use != TallyUse::returned) return;
    result.tally = make_tally_volume(*job.tally, count_groups(*result.film));
    job.release_tally();
}

} // namespace

RenderResult render(RenderRequest request, JobSinks const& sinks)
{
    auto const job = std::make_shared<RenderJob>(std::move(request), sinks);
    RenderOutcome outcome = run_job(*job, sinks);
    RenderResult result{std::exchange(job->film, std::nullopt),
                        std::move(outcome.report),
                        std::move(outcome.failure),
                        job,
                        std::nullopt,
                        {}};
    if (job->tally) take_particle_sums(*job, outcome.detectors, result);
    return result;
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

bool is_finished(RenderResult const& rendered)
{
    return rendered.report.end == RenderEnd::finished && !rendered.failure;
}

std::string describe_render(RenderResult const& rendered)
{
    RenderReport const& report = rendered.report;
    nlohmann::ordered_json answer{{"device", report.device},
                                  {"kernel", report.kernel},
                                  {"seconds_render", report.seconds_render},
                                  {"paths", report.counts.paths},
                                  {"extensions", report.counts.extensions},
                                  {"tentative_collisions", report.counts.tentative_collisions},
                                  {"finished", is_finished(rendered)}};
    if (!rendered.particle_report.empty()) answer.update(parse_json(rendered.particle_report));
    return format_json(answer);
}

} // namespace volpt
