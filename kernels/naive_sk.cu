// naive_sk: one thread, one path, one launch. The simplest schedule, and the yardstick of all others.
#include "kernels/schedule/path_work.cuh"
#include "kernels/schedule/persistent.cuh"

namespace volpt {
namespace {

template <class M, int min_blocks>
__global__ void __launch_bounds__(kBlockThreads, min_blocks)
    run_naive_sk(LaunchParams const __grid_constant__ params, GpuShape)
{
    LaneCounts counts(params);
    std::uint32_t const index = blockIdx.x * kBlockThreads + threadIdx.x;
    if (index < params.paths) {
        PathState<M::kBands> path = start_path<M::kBands>(params.scene, decode_path_id(params, index));
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

struct NaiveSk {
    static constexpr std::string_view kName = "naive_sk";
    template <class M, int min_blocks>
    static auto get()
    {
        return run_naive_sk<M, min_blocks>;
    }
};

void launch(KernelJob const& job)
{
    with_persistent<NaiveSk>(job.params.scene, job.shape, [&](auto kernel) {
        kernel<<<(job.params.paths - 1) / kBlockThreads + 1, kBlockThreads, 0, job.stream>>>(job.params, job.shape);
        check_launch(NaiveSk::kName);
    });
}

} // namespace

KernelFunctions describe_naive_sk()
{
    return {launch, need_no_workspace, inspect_persistent<NaiveSk>, need_few_paths, kMinBlocks, {}};
}

} // namespace volpt
