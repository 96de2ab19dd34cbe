// Runs what a request asks for: samples until the request, a stop or a failure ends them, then the outputs.
#pragma once

#include "libvolpt/job/particles/particle_report.h"
#include "libvolpt/job/render_job.h"
#include "libvolpt/render/render_to_noise.h"
#include "libvolpt/scene/light/tally_volume.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace volpt {

struct RenderOutcome {
    RenderReport report;
    double seconds_real = 0;                      ///< wall clock, with device start and noise measurements
    std::optional<double> seconds_estimated = {}; ///< for JobSinks::rendered to set: what was told during the render
    std::optional<NoiseEstimate> last_noise = {}; ///< of stop_at_de
    std::optional<DetectorReport> detectors = {};
    /// Of the volume's file, which another program changed (input), or of a device (system): the film then has the
    /// samples done before, and can be resumed.
    std::optional<Error> failure = {};
};

/// Renders what `film` lacks, by the number of samples or the noise that the request asks for. A change of the volume
/// ends it, as `sinks.progress` does.
RenderOutcome render_samples(RenderJob const& job, Film& film, JobSinks const& sinks);

/// What a film of this render says about its making.
Provenance make_render_provenance(RenderJob const& job, RenderReport const& report);

/// Error (negative) if the chains of an mlt film added nothing: their picture would be black, and so would that of a
/// scene whose light they have not found.
void check_light_was_found(Film const& film, RenderScene const& scene, RenderEnd end);

/// Writes films and pictures; a film that cannot be written goes to the folder of temporary files. Error (system) then.
void write_films(Film const& film, RenderJob const& job);

/// Writes tallies and tables of detectors; these are returned.
std::optional<DetectorReport> write_particle_sums(Film const& film, RenderJob const& job);

/// Renders the film of the job, with checkpoints, and writes its outputs, also those of a render that stopped or
/// failed. Error for a failure before the first sample, (negative) as check_light_was_found, and (system) for an output
/// that cannot be written.
RenderOutcome run_job(RenderJob& job, JobSinks const& sinks);

/// How a render with these outputs is continued.
std::string describe_resuming(std::vector<std::filesystem::path> const& outputs);

struct RenderResult {
    std::optional<Film> film; ///< absent only before a render
    RenderReport report;
    std::optional<Error> failure; ///< RenderOutcome::failure
    /// What the film is of, for its pictures; holds the volume.
    std::shared_ptr<RenderJob const> job;
    std::optional<TallyVolume> tally; ///< TallyUse::returned; none if the volume has changed
    std::string particle_report;      ///< JSON of report_tally, and "detectors"; empty without particles
};

/// The whole of it; a tally that is returned is that of the film's samples, and its sums are freed. A stop that
/// `sinks.progress` asks for leaves a valid film. Error as RenderJob's and run_job's.
RenderResult render(RenderRequest request, JobSinks const& sinks);

/// RenderJob::choose_display_film, holding the job, which is null if the film was read from a file: Error (usage) if
/// there is a factor then.
DisplayFilm choose_display_film(std::shared_ptr<RenderJob const> const& job, std::optional<double> backdrop);

/// Whether all samples that were asked for are in the film.
bool is_finished(RenderResult const& rendered);

/// What the report says, as JSON: device, kernel, seconds_render, counts, whether the render was finished, and of
/// particles what particle_report has.
std::string describe_render(RenderResult const& rendered);

} // namespace volpt
