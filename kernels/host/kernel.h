// What the host knows of a kernel: how to launch it, what memory it needs, what the compiler made of it.
#pragma once

#include "kernels/host/gpu.h"
#include "kernels/schedule/launch_params.h"

#include <span>

namespace volpt {

/// One launch: a batch, the shape that was asked for, memory of `workspace_bytes` bytes on the device, one word of host
/// memory that the device can write to.
struct KernelJob {
    LaunchParams params;
    GpuShape shape;
    std::byte* workspace = nullptr;
    std::uint32_t volatile* mailbox = nullptr;
    cudaStream_t stream = nullptr;
};

/// What a kernel's file exports. Launches that need no look at the device return at once.
struct KernelFunctions {
    void (*launch)(KernelJob const& job);
    std::size_t (*count_workspace_bytes)(SceneView const& scene, GpuShape const& shape);
    GpuKernelFacts (*inspect)(SceneView const& scene, GpuShape const& shape);
    std::uint32_t (*count_least_paths)(GpuShape const& shape); ///< a launch with fewer mostly waits for its last paths
    std::span<int const> min_blocks;     ///< values of --min-blocks beside 0; the file compiles each
    std::span<int const> paths_per_lane; ///< values of --paths-per-lane beside 0; empty: the kernel has no such choice
};

#define VOLPT_KERNEL(name, description) KernelFunctions describe_##name();
#include "kernels/kernels.def"
#undef VOLPT_KERNEL

} // namespace volpt
