// What a render measured: its trials, its workers.
#pragma once

#include "libvolpt/render/render_film.h"
#include "tools/options/tool.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace volpt {

/// Prints mean, standard deviation, minimum and maximum of the time, rates, efficiencies, the device and the launch
/// shape of `trials`, all of the same film.
void print_trials(std::vector<RenderReport> const& trials, Film const& film, AnswerForm form);

/// An entry a worker: device, kernel, paths, seconds, failure.
nlohmann::ordered_json report_workers(RenderReport const& report);

/// Work and time, and of a GPU memory, registers, occupancy and what the tuning measured, for --verbose.
std::vector<std::string> describe_worker(WorkerReport const& worker);

} // namespace volpt
