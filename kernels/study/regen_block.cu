// regen_block: persistent threads; a block meets after every event, and its idle lanes take new paths together.
//
// Forti 2018 describes it so in section 4.2.1; table 4.3 measures blocks that take new paths only when all of their
// lanes are idle, which is refill off.
#include "kernels/schedule/path_work.cuh"
#include "kernels/schedule/persistent.cuh"

namespace volpt {
namespace {

/// Path numbers for the idle lanes of a block, with one atomic; every thread calls. At or past the end if none are
/// left.
__device__ std::uint32_t take_block_number(bool idle, std::uint32_t* next)
{
    __shared__ std::uint32_t wanted, base;
    if (threadIdx.x == 0) wanted = 0;
    __syncthreads();
    unsigned const takers = __ballot_sync(kWholeWarp, idle);
    unsigned const lane = threadIdx.x % 32u;
    std::uint32_t first = 0;
    if (lane == 0) first = atomicAdd(&wanted, static_cast<std::uint32_t>(__popc(takers)));
    first = __shfl_sync(kWholeWarp, first, 0);
    __syncthreads();
    if (threadIdx.x == 0) base = wanted > 0 ? atomicAdd(next, wanted) : 0u;
    __syncthreads();
    return base + first + static_cast<std::uint32_t>(__popc(takers & ((1u << lane) - 1u)));
}

template <class M, int min_blocks>
__global__ void __launch_bounds__(kBlockThreads, min_blocks)
    run_regen_block(LaunchParams const __grid_constant__ params, KernelKnobs<KernelId::regen_block> knobs)
{
    LaneCounts counts(params);
    PathState<M::kBands> path;
    bool live = false;
    bool exhausted = false;
    while (true) {
        bool const may_start = knobs.refill != 0 || !__syncthreads_or(live);
        if (may_start && __syncthreads_or(!live && !exhausted)) {
            std::uint32_t const index = take_block_number(!live && !exhausted, params.next);
            counts.start_rounds += 1;
            if (!live && !exhausted) {
                exhausted = index >= params.paths;
                live = !exhausted;
                counts.starts += live ? 1u : 0u;
                if (live) path = start_path<M::kBands>(params.scene, decode_path_id<M::kBands>(params, index));
            }
        }
        if (!__syncthreads_or(live)) break;
        if (live) {
            extend_path<M>(params.scene, path, counts);
            counts.steps += 1;
            if (path.stage == Stage::ended) {
                deposit_path<M>(params, path);
                live = false;
            }
        }
        counts.rounds += 1;
    }
    flush_counts(counts);
}

} // namespace

VOLPT_EXPORT_KERNEL(regen_block, describe_persistent)

} // namespace volpt
