// naive_sk: one thread, one path, one launch. The simplest schedule, and the yardstick of all others.
#include "kernels/path_work.cuh"
#include "kernels/persistent.cuh"

namespace volpt {
namespace {

template <class M, int min_blocks>
__global__ void __launch_bounds__(kBlockThreads, min_blocks) run_naive_sk(Batch const __grid_constant__ batch, GpuShape)
{
    LaneCounts counts(batch);
    std::uint32_t const index = blockIdx.x * kBlockThreads + threadIdx.x;
    if (index < batch.paths) {
        PathState<M::kBands> path = start_path<M::kBands>(batch.scene, name_path(batch, index));
        counts.starts = 1;
        while (path.stage != Stage::ended) {
            extend_path<M>(batch.scene, path, counts);
            counts.steps += 1;
        }
        deposit_path<M>(batch, path);
    }
    counts.rounds = __reduce_max_sync(kWholeWarp, counts.steps);
    counts.start_rounds = 1;
    flush_counts(counts);
}

struct NaiveSk {
    static constexpr std::string_view kName = "naive_sk";
    template <class M, int min_blocks>
    static auto get() { return run_naive_sk<M, min_blocks>; }
};

void launch(KernelJob const& job)
{
    with_persistent<NaiveSk>(job.batch.scene, job.shape, [&](auto kernel) {
        kernel<<<(job.batch.paths - 1) / kBlockThreads + 1, kBlockThreads, 0, job.stream>>>(job.batch, job.shape);
        check_launch(NaiveSk::kName);
    });
}

} // namespace

KernelFunctions describe_naive_sk() { return {launch, need_no_workspace, inspect_persistent<NaiveSk>, need_few_paths, kMinBlocks, {}}; }

} // namespace volpt
