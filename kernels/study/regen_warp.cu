// regen_warp: persistent threads; a warp takes new paths when all of its paths have ended (T. Aila & S. Laine 2009).
#include "kernels/schedule/lane_run.cuh"
#include "kernels/schedule/persistent.cuh"

namespace volpt {
namespace {

template <class M, int min_blocks>
__global__ void __launch_bounds__(kBlockThreads, min_blocks)
    run_regen_warp(LaunchParams const __grid_constant__ params, KernelKnobs<KernelId::regen_warp>)
{
    __shared__ RunSums<M::kBands, kBlockThreads> shared;
    LaneRun<M, kBlockThreads> run(params, shared);
    LaneCounts counts(params);
    PathState<M::kBands> path;
    while (true) {
        bool const live = run.start(path, counts);
        counts.starts += live ? 1u : 0u;
        counts.start_rounds += 1;
        if (!__any_sync(kWholeWarp, live)) break;
        if (!live) path.stage = Stage::ended; // and `live` need not be kept: two registers, which spilled
        auto const extend = [&] {
            if (path.stage != Stage::ended) {
                extend_path<M>(params.scene, path, counts);
                counts.steps += 1;
            }
            counts.rounds += 1;
        };
        // Both loops do the same, as some path is live. Nothing spills with the first one where long steps are taken,
        // and with the second one elsewhere (nvcc 13.0).
        if constexpr (M::kSteps != Steps::plain)
            while (__any_sync(kWholeWarp, path.stage != Stage::ended)) extend();
        else
            do extend();
            while (__any_sync(kWholeWarp, path.stage != Stage::ended));
        if (run.has_started()) run.keep(path);
    }
    flush_counts(counts);
}

} // namespace

VOLPT_EXPORT_KERNEL(regen_warp, describe_persistent)

} // namespace volpt
