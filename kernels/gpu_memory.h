// How much device memory a render takes, and whether it is there.
#pragma once

#include "kernels/gpu.h"
#include "kernels/kernel.h"

namespace volpt {

/// Launches under way at a time, each with memory of its own for paths.
inline constexpr int kLaunches = 2;

/// What is taken for areas of `most_pixels` pixels with `free_bytes` free; `options.volume_memory` automatic becomes a choice.
GpuMemoryPlan plan_memory(SceneView const& scene, std::uint32_t most_pixels, GpuOptions const& options,
                          KernelFunctions const& kernel, std::size_t free_bytes);

/// Error (system) with the figures and the options that help unless the plan fits.
void check_memory(GpuMemoryPlan const& plan);

} // namespace volpt
