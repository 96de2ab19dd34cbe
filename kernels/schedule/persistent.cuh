// The family of kernels with paths in registers: run_<name><M, min_blocks>(LaunchParams, KernelKnobs) with lanes that
// stay until the launch is done.
#pragma once

#include "kernels/schedule/launch.cuh"
#include "kernels/schedule/warp_pool.cuh"

namespace volpt {

/// Threads per block: small blocks leave few registers unused.
inline constexpr int kBlockThreads = 128;
/// The same of kernels whose warps share nothing: when its paths have ended, a block makes room for one of the next
/// launch while the last paths of others go on (cube +3 %, cgg-logo +4 %). In blocks of one warp, the KiB of shared
/// memory that is reserved for each would be taken from the cache of voxels (chest CT -10 %).
inline constexpr int kSmallBlockThreads = 64;

/// In FluenceMedium a multiprocessor has one block, as large as registers and shared memory allow; elsewhere
/// kSmallBlockThreads.
template <class M>
inline constexpr int kMostThreads = kIsFluenceTally<M> ? 640 : kSmallBlockThreads;

/// The blocks of an instance: `threads`, unless it asks for shared memory at its launch.
template <class M, class Kernel>
BlockShape choose_block(Kernel kernel, int threads)
{
    if constexpr (kIsFluenceTally<M>) {
        int device = 0, most_bytes = 0;
        check_cuda(cudaGetDevice(&device), "asking for the device");
        check_cuda(cudaDeviceGetAttribute(&most_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
                   "asking for the device");
        constexpr int kWarpBytes = sizeof(WarpPoolStorage<M>);
        // What a block has besides: flush_counts.
        int const warps = std::max(1, std::min(kMostThreads<M> / 32, (most_bytes - 1024) / kWarpBytes));
        check_cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, warps * kWarpBytes),
                   "asking for shared memory");
        return {warps * 32, static_cast<std::size_t>(warps * kWarpBytes)};
    }
    return {threads, 0};
}

/// The one bound on registers with long steps (kernels.def).
inline constexpr int kStepsMinBlocks = 7;
/// The one bound where a mesh bounds the volume: 128 registers, and 96 in regen_pool for one homogeneous solid with
/// nothing around it, without long steps (+8 %); others would spill.
template <KernelId kernel, class M>
constexpr int get_mesh_min_blocks()
{
    bool const is_simple = M::kSurfaces == Surfaces::triangles && M::kSteps == Steps::plain;
    return kernel == KernelId::regen_pool && is_simple ? 5 : 4;
}

/// The one bound in scenes with emitters: 255 registers, since the state of such paths is two to three times as large;
/// fewer for particles without a film, as long as they do not spill.
template <class M>
inline constexpr int kEmittersMinBlocks = kIsBareTally<M>                       ? (M::kBands > 1 ? 4 : 5)
                                          : kIsFluenceTally<M>                  ? 5
                                          : M::kTransport == Transport::tallies ? 3
                                                                                : 2;

/// Calls `use` with the medium of the scene and the instance of K for scene and knobs.
template <class K, class Use>
void with_persistent(SceneView const& scene, KernelKnobs<K::kId> const& knobs, Use&& use)
{
    with_gpu_medium<K::kId>(scene, [&](auto medium) {
        auto const use_bound = [&](auto min_blocks) {
            use(medium, K::template get<decltype(medium), decltype(min_blocks)::value>());
        };
        if constexpr (decltype(medium)::kTransport != Transport::escape)
            use_bound(std::integral_constant<int, kEmittersMinBlocks<decltype(medium)>>{});
        else if constexpr (decltype(medium)::kSurfaces != Surfaces::box)
            use_bound(std::integral_constant<int, get_mesh_min_blocks<K::kId, decltype(medium)>()>{});
        else if constexpr (decltype(medium)::kSteps != Steps::plain)
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

/// Memory for the paths of all lanes that the device holds at once.
template <class K, int threads>
std::size_t count_lane_memory(SceneView const& scene, KnobValues const& knobs)
{
    std::size_t bytes = 0;
    with_persistent<K>(scene, read_knobs<K::kId>(knobs), [&](auto medium, auto kernel) {
        using Path = PathOf<decltype(medium)>;
        if constexpr (HasMemory<Path>) {
            BlockShape const block = choose_block<decltype(medium)>(kernel, threads);
            bytes = static_cast<std::size_t>(count_multiprocessors() * count_resident_blocks(kernel, block)) *
                    static_cast<std::size_t>(block.threads) * sizeof(PathMemory<Path>);
        }
    });
    return bytes;
}

template <class K, Grid grid, int threads>
void launch_persistent(KernelJob const& job)
{
    auto const knobs = read_knobs<K::kId>(job.knobs);
    with_persistent<K>(job.params.scene, knobs, [&](auto medium, auto kernel) {
        BlockShape const block = choose_block<decltype(medium)>(kernel, threads);
        unsigned const blocks = grid == Grid::resident ? count_persistent_blocks(kernel, block, job.params.runs)
                                                       : (job.params.paths - 1) / threads + 1;
        LaunchParams params = job.params;
        params.path_memory = job.workspace;
        kernel<<<blocks, static_cast<unsigned>(block.threads), block.dynamic_bytes, job.stream>>>(params, knobs);
        check_launch(K::kName);
    });
}

template <class K, int threads>
KernelFacts inspect_persistent(SceneView const& scene, KnobValues const& knobs)
{
    KernelFacts facts;
    with_persistent<K>(scene, read_knobs<K::kId>(knobs), [&](auto medium, auto kernel) {
        facts = inspect_kernel(kernel, choose_block<decltype(medium)>(kernel, threads));
    });
    return facts;
}

template <class K, Grid grid, int threads>
KernelFunctions describe_kernel_of_paths()
{
    return {launch_persistent<K, grid, threads>, count_lane_memory<K, threads>, inspect_persistent<K, threads>,
            need_few_paths};
}

template <class K>
KernelFunctions describe_persistent()
{
    return describe_kernel_of_paths<K, Grid::resident, kBlockThreads>();
}

template <class K>
KernelFunctions describe_small_blocks()
{
    return describe_kernel_of_paths<K, Grid::resident, kSmallBlockThreads>();
}

template <class K>
KernelFunctions describe_one_path_per_thread()
{
    return describe_kernel_of_paths<K, Grid::one_thread_per_path, kBlockThreads>();
}

} // namespace volpt
