// What GPUs of one model share, so that one of them tries kernels for all.
#pragma once

#include "kernels/host/gpu.h"

#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace volpt {

/// All calls from any thread.
class TunedKernels {
public:
    /// True for the first to ask for a model: it is to try kernels and to post the best.
    bool claim(std::string const& model);
    void post(std::string const& model, GpuOptions const& best);
    /// What was posted; nothing before.
    std::optional<GpuOptions> find(std::string const& model) const;

private:
    mutable std::mutex mutex_;
    std::map<std::string, std::optional<GpuOptions>> models_;
};

} // namespace volpt
