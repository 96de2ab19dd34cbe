// regen_thread: persistent threads; a lane whose path ended takes the next at once, whatever its neighbours do.
#include "kernels/schedule/lane_run.cuh"
#include "kernels/schedule/persistent.cuh"

namespace volpt {
namespace {

template <class M, int min_blocks>
__global__ void __launch_bounds__(kBlockThreads, min_blocks)
    run_regen_thread(LaunchParams const __grid_constant__ params, KernelKnobs<KernelId::regen_thread>)
{
    __shared__ RunSums<M::kBands, kBlockThreads> shared;
    LaneRun<M, kBlockThreads> run(params, shared);
    LaneCounts counts(params);
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
    flush_counts(counts);
}

} // namespace

VOLPT_EXPORT_KERNEL(regen_thread, describe_persistent)

} // namespace volpt
