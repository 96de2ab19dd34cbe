// One GPU as a worker.
#pragma once

#include "libvolpt/drive/worker.h"

namespace volpt {

/// What GPUs of one model share, so that one of them tries kernels for all.
class PilotBoard {
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

/// With the kernel that a worker starts with where none is named.
GpuOptions fill_in_kernel(GpuOptions options);

/// For areas of at most `most_pixels`. Opens the device and copies the scene there, with `bricks` as GpuRenderer has them: Error
/// (system) if that fails, Error (usage) as GpuRenderer's.
std::unique_ptr<Worker> make_gpu_worker(WorkPlace const& place, GpuOptions const& options, std::uint32_t most_pixels, int workers,
                                        PilotBoard& board, std::shared_ptr<BrickStore> bricks);

} // namespace volpt
