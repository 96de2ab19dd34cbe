#pragma once

#include "libvolpt/render/render_to_noise.h"
#include "tools/options/tool.h"
#include "tools/volrender/job.h"

namespace volpt {

/// What print_answer and report_ceiling need to know of a render.
struct RenderOutcome {
    RenderReport report;
    double seconds_real = 0;                      ///< wall clock, with device start and noise measurements
    std::optional<double> seconds_estimated = {}; ///< printed after the first seconds; none for shorter renders
    std::optional<NoiseEstimate> last_noise = {}; ///< of --stop-at-de
};

/// Renders the job, or its trials, writes the outputs and prints the answer. Error (system) if the render was
/// interrupted, or its device failed; the outputs then hold the samples done so far. Error (negative) if an mlt film
/// has no light at all; nothing is written then.
ExitStatus run_job(ToolRun const& run, VolrenderOptions const& options, RenderJob& job);

} // namespace volpt
