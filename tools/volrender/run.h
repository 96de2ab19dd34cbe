#pragma once

#include "libvolpt/job/render_run.h"
#include "tools/options/tool.h"
#include "tools/volrender/options.h"

#include <functional>
#include <nlohmann/json_fwd.hpp>

namespace volpt {

/// Takes the answer of a render; what detectors counted is printed after it as text.
using AnswerSink = std::function<void(nlohmann::ordered_json const& answer)>;

/// Runs the job with its progress on stderr; `take_answer` gets the answer. SIGINT, SIGTERM and SIGHUP stop it in
/// order. Error as the library's run_job, (input) if the volume changed, and (system) if the render was interrupted or
/// its device failed; the outputs then hold the samples done so far.
void run_and_report(ToolRun const& run, RenderJob& job, AnswerSink const& take_answer);

/// Renders the same samples `trials` times, after a warm-up, and prints the times; the film of the last trial is
/// written.
void run_trials(ToolRun const& run, RenderJob const& job, int trials);

} // namespace volpt
