// naive_sk: one thread, one path, one launch. The simplest schedule, and the reference for all others.
#include "kernels/schedule/path_work.cuh"
#include "kernels/schedule/persistent.cuh"

namespace volpt {
namespace {

template <class M, int min_blocks>
__global__ void __launch_bounds__(kBlockThreads, min_blocks)
    run_naive_sk(LaunchParams const __grid_constant__ params, KernelKnobs<KernelId::naive_sk>)
{
    LaneCounts counts(params);
    std::uint32_t const index = blockIdx.x * kBlockThreads + threadIdx.x;
    if (index < params.paths) {
        PathOf<M> path = start_numbered_path<PathOf<M>, M::kSurfaces>(params, index, counts);
        counts.starts = 1;
        while (path.stage != Stage::ended) {
            extend_path<M>(params.scene, path, counts);
            counts.steps += 1;
        }
        deposit_path<M>(params, path);
    }
    counts.rounds = __reduce_max_sync(kWholeWarp, counts.steps);
    counts.start_rounds = 1;
    flush_counts(counts);
}

} // namespace

VOLPT_EXPORT_KERNEL(naive_sk, describe_one_path_per_thread)

} // namespace volpt
