// The answers of volrender.
#pragma once

#include "libvolpt/job/render_run.h"
#include "tools/options/tool.h"

#include <nlohmann/json_fwd.hpp>

namespace volpt {

ExitStatus list_kernels(AnswerForm form);
ExitStatus list_devices(AnswerForm form);

/// The film's figures, with paths, extensions, tentative collisions, long steps, times and rates of this render alone;
/// those of report_colour for films that show a material's colour and with --stop-at-de; those of particles. Detectors
/// and workers in JSON alone.
nlohmann::ordered_json report_answer(Film const& film, RenderOutcome const& outcome, RenderJob const& job,
                                     CommonOptions const& common);

/// One JSON object, or a line for each key; on a terminal, without --verbose, six lines on `outputs`, size, samples,
/// mean, noise and time.
void print_answer(nlohmann::ordered_json const& answer, std::vector<std::filesystem::path> const& outputs,
                  CommonOptions const& common);

} // namespace volpt
