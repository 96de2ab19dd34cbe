// Finds the fastest kernel for a scene and a device by running samples that the film needs anyway.
//
// All kernels give the same bits, so nothing that the pilot renders is thrown away: it costs what slower kernels take
// longer for its few samples.
#pragma once

#include "kernels/host/gpu.h"

#include <functional>
#include <string>

namespace volpt {

/// One kernel and launch shape, and what it was measured at.
struct PilotEntry {
    GpuOptions options;
    double paths_per_second = 0;
};

/// Kernels and shapes worth trying, the likeliest first.
std::vector<GpuOptions> list_pilot_candidates();

/// The entry in use and all that were measured, fastest first.
struct PilotResult {
    std::vector<PilotEntry> entries;
    GpuOptions const& best() const { return entries.front().options; }
};

/// Measures every candidate with `measure`, which renders with the options given and returns paths per second, or 0 if
/// no samples are left; those near the best are measured again.
PilotResult run_pilot(std::vector<GpuOptions> const& candidates,
                      std::function<double(GpuOptions const&)> const& measure);

/// "regen_vote --min-blocks 8 --start-votes 8", for reports and provenance.
std::string describe_choice(GpuOptions const& options);

} // namespace volpt
