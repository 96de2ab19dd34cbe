// regen_thread: persistent threads; a lane whose path ended takes the next at once, whatever its neighbours do.
#include "kernels/schedule/chain_run.cuh"
#include "kernels/schedule/lane_run.cuh"
#include "kernels/schedule/persistent.cuh"

namespace volpt {
namespace {

/// All work of a lane. `run` says which path it starts next, and where what an ended one adds goes.
template <class M, class Run>
__device__ void run_lane(LaunchParams const& params, Run& run, LaneCounts& counts)
{
    PathOf<M> path;
    bool live = run.start(path, counts);
    counts.starts += live ? 1u : 0u;
    counts.start_rounds += 1;
    while (__any_sync(kWholeWarp, live)) {
        if (live) {
            extend_path<M>(params.scene, path, counts);
            counts.steps += 1;
        }
        counts.rounds += 1;
        bool const ended = live && path.stage == Stage::ended;
        if (!__any_sync(kWholeWarp, ended)) continue;
        counts.start_rounds += 1;
        if (ended) {
            run.keep(path);
            live = run.start(path, counts);
            counts.starts += live ? 1u : 0u;
        }
    }
}

template <class M, int min_blocks>
__global__ void __launch_bounds__(kBlockThreads, min_blocks)
    run_regen_thread(LaunchParams const __grid_constant__ params, KernelKnobs<KernelId::regen_thread>)
{
    LaneCounts counts(params);
    if constexpr (M::kTransport == Transport::metropolis) {
        ChainRun<M, kBlockThreads> run(params);
        run_lane<M>(params, run, counts);
    } else {
        __shared__ RunSums<M::kBands, kBlockThreads> shared;
        LaneRun<M, kBlockThreads> run(params, shared);
        run_lane<M>(params, run, counts);
    }
    flush_counts(counts);
}

template <class K>
KernelFunctions describe_lanes()
{
    if constexpr (kPart == KernelPart::metropolis)
        return describe_chains<K>();
    else
        return describe_persistent<K>();
}

} // namespace

VOLPT_EXPORT_KERNEL(regen_thread, describe_lanes)

} // namespace volpt
