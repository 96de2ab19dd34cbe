// Launching kernels whose lanes stay until the params is done: K::run<M, min_blocks> takes (LaunchParams, GpuShape).
#pragma once

#include "kernels/schedule/launch.cuh"

namespace volpt {

/// Threads of a block of every kernel with paths in registers: small blocks leave few registers unused.
inline constexpr int kBlockThreads = 128;

/// Registers are bounded by 65536 / (128 N): 1 leaves them to the compiler, 8 gives 64. Tighter bounds spill.
inline constexpr int kMinBlocks[] = {1, 6, 8};
inline constexpr int kDefaultMinBlocks = 8;

/// The one bound with long steps: 72 registers, of which nothing spills.
inline constexpr int kStepsMinBlocks = 7;

/// Calls `use` with the instance of K's kernel for scene and shape.
template <class K, class Use>
void with_persistent(SceneView const& scene, GpuShape const& shape, Use&& use)
{
    with_gpu_medium(scene, [&](auto medium) {
        auto const use_bound = [&](auto min_blocks) {
            use(K::template get<decltype(medium), decltype(min_blocks)::value>());
        };
        if constexpr (decltype(medium)::kSteps == Steps::spheres)
            use_bound(std::integral_constant<int, kStepsMinBlocks>{});
        else
            with_constant<kDefaultMinBlocks, kMinBlocks[0], kMinBlocks[1]>(shape.min_blocks, use_bound);
    });
}

template <class K>
void launch_persistent(KernelJob const& job)
{
    with_persistent<K>(job.params.scene, job.shape, [&](auto kernel) {
        unsigned const blocks = count_persistent_blocks(kernel, kBlockThreads, job.params.runs);
        kernel<<<blocks, kBlockThreads, 0, job.stream>>>(job.params, job.shape);
        check_launch(K::kName);
    });
}

template <class K>
GpuKernelFacts inspect_persistent(SceneView const& scene, GpuShape const& shape)
{
    GpuKernelFacts facts;
    with_persistent<K>(scene, shape, [&](auto kernel) { facts = inspect_kernel(kernel, kBlockThreads); });
    return facts;
}

template <class K>
KernelFunctions describe_persistent()
{
    return {launch_persistent<K>, need_no_workspace, inspect_persistent<K>, need_few_paths, kMinBlocks, {}};
}

} // namespace volpt
