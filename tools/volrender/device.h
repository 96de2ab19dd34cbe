// Where volrender renders, how often, and what it measured.
#pragma once

#include "libvolpt/render/render_film.h"
#include "tools/options/tool.h"
#include "tools/volrender/scene.h"

#include <nlohmann/json.hpp>
#include <vector>

namespace volpt {

/// Which of the processes on this machine this one is.
struct HostShare {
    int index = 0;
    int count = 1;
};

/// The options of a render as the command line has them. Device auto is the first GPU where there is one, or all if the
/// machine's processes are several, unless --kernel names one of the CPU's. Processes share the GPUs in turn. Error
/// (system) if --device cuda has none, saying why; Error (usage) if the kernel is not the device's, or if
/// --devices names a GPU that is not there.
RenderOptions choose_device(DeviceOptions const& device, std::uint32_t width, std::uint32_t height, HostShare share);

/// Whether the kernel that is asked for takes long steps in volumes that a mesh bounds: some kernels of GPUs do not.
bool takes_steps_in_meshes(DeviceOptions const& device);

/// Prints mean, standard deviation, minimum and maximum of the time, rates, efficiencies, the device and the launch
/// shape of `trials`, all of the same film.
void print_trials(std::vector<RenderReport> const& trials, Film const& film, AnswerForm form);

/// An entry a worker: device, kernel, paths, seconds, failure.
nlohmann::ordered_json report_workers(RenderReport const& report);

/// Work and time, and of a GPU memory, registers, occupancy and what the tuning measured, for --verbose.
std::vector<std::string> describe_worker(WorkerReport const& worker);

} // namespace volpt
