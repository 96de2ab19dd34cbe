// naive_mk: one launch starts all paths, one more for every event extends those that have not ended.
#include "kernels/schedule/device_stream.cuh"
#include "kernels/schedule/path_work.cuh"

namespace volpt {
namespace {

template <int bands>
__global__ void __launch_bounds__(kStreamThreads)
    generate_paths(LaunchParams const __grid_constant__ params, PathPoolView<PathState<bands>> pool,
                   std::uint32_t first, std::uint32_t count)
{
    std::uint32_t const i = blockIdx.x * kStreamThreads + threadIdx.x;
    LaneCounts counts(params);
    counts.start_rounds = 1;
    if (i < count) {
        pool.store(i, start_path<bands>(params.scene, decode_path_id<bands>(params, first + i)));
        counts.starts = 1;
    }
    flush_counts(counts);
}

template <class M>
__global__ void __launch_bounds__(kStreamThreads, kStreamBlocks<M>)
    extend_paths(LaunchParams const __grid_constant__ params, PathPoolView<PathState<M::kBands>> pool,
                 std::uint32_t count, StreamCounters* counters)
{
    std::uint32_t const i = blockIdx.x * kStreamThreads + threadIdx.x;
    bool const live = i < count && pool.stage(i) != Stage::ended;
    if (!__syncthreads_or(live)) return;
    LaneCounts counts(params);
    counts.rounds = __any_sync(kWholeWarp, live) ? 1 : 0;
    bool goes_on = false;
    if (live) {
        PathState<M::kBands> path = pool.load(i);
        extend_path<M>(params.scene, path, counts);
        counts.steps = 1;
        goes_on = path.stage != Stage::ended;
        if (!goes_on) deposit_path<M>(params, path);
        pool.store(i, path);
    }
    flush_counts(counts);
    count_live(counters, goes_on);
}

void launch(KernelJob const& job)
{
    std::uint32_t const capacity = count_stream_capacity<KernelId::naive_mk>(job.knobs);
    StreamCounters* const counters = view_counters(job);
    with_gpu_medium<KernelId::naive_mk>(job.params.scene, [&](auto medium) {
        using M = decltype(medium);
        for (std::uint32_t first = 0; first < job.params.paths; first += std::min(capacity, job.params.paths - first)) {
            std::uint32_t const count = std::min(capacity, job.params.paths - first);
            auto const pool = view_pool<PathState<M::kBands>>(job, capacity, 0, count);
            unsigned const blocks = count_stream_blocks(count);
            generate_paths<<<blocks, kStreamThreads, 0, job.stream>>>(job.params, pool, first, count);
            check_launch("naive_mk");
            auto const step = [&](std::uint32_t) {
                check_cuda(cudaMemsetAsync(counters, 0, sizeof *counters, job.stream), "clearing counters");
                extend_paths<M><<<blocks, kStreamThreads, 0, job.stream>>>(job.params, pool, count, counters);
                check_launch("naive_mk");
            };
            run_steps(job, step, [](std::uint32_t) { return 0; });
        }
    });
}

} // namespace

VOLPT_EXPORT_STREAM_KERNEL(naive_mk, extend_paths, 1, count_stream_capacity)

} // namespace volpt
