// The family of kernels with paths in registers: run_<name><M, min_blocks>(LaunchParams, KernelKnobs) with lanes that
// stay until the launch is done.
#pragma once

#include "kernels/schedule/launch.cuh"

namespace volpt {

/// Threads per block: small blocks leave few registers unused.
inline constexpr int kBlockThreads = 128;

/// The one bound on registers with long steps (kernels.def).
inline constexpr int kStepsMinBlocks = 7;

/// Calls `use` with the instance of K for scene and knobs.
template <class K, class Use>
void with_persistent(SceneView const& scene, KernelKnobs<K::kId> const& knobs, Use&& use)
{
    with_gpu_medium(scene, [&](auto medium) {
        auto const use_bound = [&](auto min_blocks) {
            use(K::template get<decltype(medium), decltype(min_blocks)::value>());
        };
        if constexpr (decltype(medium)::kSteps == Steps::spheres)
            use_bound(std::integral_constant<int, kStepsMinBlocks>{});
        else
            with_constant(typename KernelKnobs<K::kId>::min_blocks_values{}, knobs.min_blocks, use_bound);
    });
}

/// Which blocks are launched.
enum class Grid {
    resident,            ///< as many as fill the device once; their lanes take runs until none are left
    one_thread_per_path, ///< all at once
};

template <class K, Grid grid>
void launch_persistent(KernelJob const& job)
{
    auto const knobs = read_knobs<K::kId>(job.knobs);
    with_persistent<K>(job.params.scene, knobs, [&](auto kernel) {
        unsigned const blocks = grid == Grid::resident ? count_persistent_blocks(kernel, kBlockThreads, job.params.runs)
                                                       : (job.params.paths - 1) / kBlockThreads + 1;
        kernel<<<blocks, kBlockThreads, 0, job.stream>>>(job.params, knobs);
        check_launch(K::kName);
    });
}

template <class K>
KernelFacts inspect_persistent(SceneView const& scene, KnobValues const& knobs)
{
    KernelFacts facts;
    with_persistent<K>(scene, read_knobs<K::kId>(knobs),
                       [&](auto kernel) { facts = inspect_kernel(kernel, kBlockThreads); });
    return facts;
}

template <class K>
KernelFunctions describe_persistent()
{
    return {launch_persistent<K, Grid::resident>, need_no_workspace, inspect_persistent<K>, need_few_paths};
}

template <class K>
KernelFunctions describe_one_path_per_thread()
{
    return {launch_persistent<K, Grid::one_thread_per_path>, need_no_workspace, inspect_persistent<K>, need_few_paths};
}

} // namespace volpt
