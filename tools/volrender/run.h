#pragma once

#include "libvolpt/render/render_to_noise.h"
#include "tools/options/tool.h"
#include "tools/volrender/job.h"

#include <functional>
#include <nlohmann/json_fwd.hpp>

namespace volpt {

/// What print_answer and report_ceiling need to know of a render.
struct RenderOutcome {
    RenderReport report;
    double seconds_real = 0;                      ///< wall clock, with device start and noise measurements
    std::optional<double> seconds_estimated = {}; ///< printed after the first seconds; none for shorter renders
    std::optional<NoiseEstimate> last_noise = {}; ///< of --stop-at-de
};

/// Renders what `film` lacks, by the number of samples or the noise that the options ask for; `render` is that of the
/// job with its sinks. No estimate of time is made, and nothing is printed but by `run.detail`.
RenderOutcome render_samples(ToolRun const& run, VolrenderOptions const& options, RenderJob const& job, Film& film,
                             RenderOptions const& render);

/// What a film of this render says about its making.
Provenance make_render_provenance(ToolRun const& run, VolrenderOptions const& options, RenderReport const& report);

/// Error (negative) if the chains of an mlt film added nothing: their picture would be black, and so would that of a
/// scene whose light they have not found.
void check_light_was_found(Film const& film, RenderScene const& scene, RenderEnd end);

/// The notices on what the film of a render leaves out or shows badly.
void report_film_limits(RenderJob const& job, NoticeSink const& notice);

/// Takes the answer of a render; what detectors counted is printed after it as text.
using AnswerSink = std::function<void(nlohmann::ordered_json const& answer)>;

/// Renders the job, or its trials, and writes the outputs; `take_answer` gets the answer, trials print theirs. Error
/// (system) if the render was interrupted, or its device failed; the outputs then hold the samples done so far. Error
/// (negative) if an mlt film has no light at all; nothing is written then.
ExitStatus run_job(ToolRun const& run, VolrenderOptions const& options, RenderJob& job, AnswerSink const& take_answer);

} // namespace volpt
