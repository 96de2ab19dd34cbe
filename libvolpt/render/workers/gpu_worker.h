// One GPU as a worker.
#pragma once

#include "libvolpt/render/workers/tuned_kernels.h"
#include "libvolpt/render/workers/worker.h"

namespace volpt {

/// With the kernel that a worker starts with where none is named.
GpuOptions fill_in_kernel(GpuOptions options);

/// For areas of at most `most_pixels`. Opens the device and copies the scene there, with `bricks` as GpuRenderer has
/// them: Error (system) if that fails, Error (usage) as GpuRenderer's.
std::unique_ptr<Worker> make_gpu_worker(WorkerContext const& place, GpuOptions const& options,
                                        std::uint32_t most_pixels, int workers, TunedKernels& tuned_kernels,
                                        std::shared_ptr<BrickStore> bricks);

} // namespace volpt
