// How much device memory a render takes, and whether it is there.
#pragma once

#include "kernels/host/gpu.h"
#include "kernels/host/kernel.h"
#include "kernels/paging/paged_memory.h"

namespace volpt {

/// Launches under way at a time, each with memory of its own for paths.
inline constexpr int kLaunches = 2;

/// What is taken for areas of `most_pixels` pixels with `free_bytes` free; `options.volume_memory` automatic becomes a
/// choice. Of voxels in a cache this is what they may take: how they are split comes later. Error (system) if a cache
/// is asked for without page support.
GpuMemoryPlan plan_memory(SceneView const& scene, std::uint32_t most_pixels, GpuOptions const& options,
                          KernelFunctions const& kernel, std::size_t free_bytes, PageSupport pages);

/// Error (system) with the figures and the options that help unless the plan fits.
void check_memory(GpuMemoryPlan const& plan);

} // namespace volpt
