// Finds the fastest kernel for a scene and a device by rendering samples that the film needs anyway.
//
// All kernels give the same bits, so nothing that is rendered while tuning is thrown away: it costs only what slower
// kernels take longer for their few samples.
#pragma once

#include "libvolpt/backend/kernel_choice.h"

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

namespace volpt {

/// A kernel with its knobs, and the rate that was measured.
struct TuningEntry {
    RendererOptions options;
    double paths_per_second = 0;
};

/// How many paths a launch needs, so that its rate is that of many. From `first` on they are doubled until the rate
/// gains less than a tenth, or a launch takes .3 s. `measure` renders that many with the standard kernel and returns
/// paths per second, or 0 if no samples are left.
struct TuningLaunch {
    std::uint64_t paths = 0;
    double paths_per_second = 0; ///< of the standard, which was measured; 0 if no samples were left
};
TuningLaunch find_tuning_launch(std::uint64_t first, std::function<double(std::uint64_t)> const& measure);

/// Measures candidates with `measure`, which renders with the options given and returns paths per second, or 0 if no
/// samples are left. The first candidate is the standard: another is chosen only if it was faster by 3 % in each of
/// three rounds, and leaves the rounds as soon as it was not. The chosen one first, then by rate.
std::vector<TuningEntry> tune_kernel(std::vector<RendererOptions> const& candidates,
                                     std::function<double(RendererOptions const&)> const& measure);

/// What devices of one model share, so that one of them tries kernels for all. All calls from any thread.
class TunedKernels {
public:
    /// True for the first that asks for a model: it is to try kernels and to post the best.
    bool claim(std::string const& model);
    void post(std::string const& model, RendererOptions const& best);
    /// What was posted; nothing before.
    std::optional<RendererOptions> find(std::string const& model) const;

private:
    mutable std::mutex mutex_;
    std::map<std::string, std::optional<RendererOptions>> models_;
};

} // namespace volpt
