// stream_mk: paths in two pools of device memory; every event moves the live ones from one to the front of the other,
// one atomic per block, and new paths fill up behind them (SPT+R of D. van Antwerpen 2011; SPT with refill off).
#include "kernels/schedule/device_stream.cuh"
#include "kernels/schedule/path_work.cuh"

#include <cub/block/block_scan.cuh>

namespace volpt {
namespace {

enum class Refill { on, off };

template <class M>
__global__ void __launch_bounds__(kStreamThreads, kStreamBlocks<M>)
    extend_stream(LaunchParams const __grid_constant__ params, PathPoolView<PathOf<M>> from, PathPoolView<PathOf<M>> to,
                  StreamCounters* counters, int source)
{
    using Scan = cub::BlockScan<std::uint32_t, kStreamThreads>;
    __shared__ typename Scan::TempStorage scratch;
    __shared__ std::uint32_t base;
    std::uint32_t const count = counters->live[source];
    if (blockIdx.x * kStreamThreads >= count) return;
    std::uint32_t const i = blockIdx.x * kStreamThreads + threadIdx.x;
    LaneCounts counts(params);
    PathOf<M> path;
    bool goes_on = false;
    counts.rounds = __any_sync(kWholeWarp, i < count) ? 1 : 0;
    if (i < count) {
        path = from.load(i);
        extend_path<M>(params.scene, path, counts);
        counts.steps = 1;
        goes_on = path.stage != Stage::ended;
        if (!goes_on) deposit_path<M>(params, path);
    }
    std::uint32_t place = 0, live = 0;
    Scan(scratch).ExclusiveSum(goes_on ? 1u : 0u, place, live);
    if (threadIdx.x == 0 && live > 0) base = atomicAdd(&counters->live[1 - source], live);
    __syncthreads();
    if (goes_on) to.store(base + place, path);
    flush_counts(counts);
}

/// Fills `pool` up behind its live paths; with refill off only when it is empty.
template <class Path, Surfaces surfaces>
__global__ void __launch_bounds__(kStreamThreads)
    fill_stream(LaunchParams const __grid_constant__ params, PathPoolView<Path> pool, StreamCounters const* counters,
                int which, Refill refill)
{
    std::uint32_t const live = counters->live[which];
    if (refill == Refill::off && live > 0) return;
    std::uint32_t const i = blockIdx.x * kStreamThreads + threadIdx.x;
    std::uint32_t const next = *params.next;
    bool const starts = i < pool.capacity - live && i < params.paths - next;
    if (!__syncthreads_or(starts)) return;
    LaneCounts counts(params);
    counts.start_rounds = __any_sync(kWholeWarp, starts) ? 1 : 0;
    if (starts) {
        pool.store(live + i, start_numbered_path<Path, surfaces>(params, next + i, counts));
        counts.starts = 1;
    }
    flush_counts(counts);
}

/// Updates the counters after fill_stream.
template <class Path>
__global__ void count_filled(LaunchParams const __grid_constant__ params, PathPoolView<Path> pool,
                             StreamCounters* counters, int which, Refill refill)
{
    counters->live[1 - which] = 0;
    std::uint32_t const live = counters->live[which];
    if (refill == Refill::off && live > 0) return;
    std::uint32_t const space = pool.capacity - live;
    std::uint32_t const left = params.paths - *params.next;
    std::uint32_t const started = space < left ? space : left;
    counters->live[which] = live + started;
    *params.next += started;
}

void launch(KernelJob const& job)
{
    std::uint32_t const full = count_stream_capacity<KernelId::stream_mk>(job.knobs);
    std::uint32_t const capacity = std::min(full, job.params.paths);
    Refill const refill = read_knobs<KernelId::stream_mk>(job.knobs).refill != 0 ? Refill::on : Refill::off;
    StreamCounters* const counters = view_counters(job);
    check_cuda(cudaMemsetAsync(counters, 0, sizeof *counters, job.stream), "clearing counters");
    with_gpu_medium<KernelId::stream_mk>(job.params.scene, [&](auto medium) {
        using M = decltype(medium);
        PathPoolView<PathOf<M>> const pools[2] = {view_pool<PathOf<M>>(job, full, 0, capacity),
                                                  view_pool<PathOf<M>>(job, full, 1, capacity)};
        unsigned const blocks = count_stream_blocks(capacity);
        auto const step = [&](std::uint32_t n) {
            int const from = static_cast<int>(n % 2u);
            fill_stream<PathOf<M>, M::kSurfaces>
                <<<blocks, kStreamThreads, 0, job.stream>>>(job.params, pools[from], counters, from, refill);
            count_filled<<<1, 1, 0, job.stream>>>(job.params, pools[from], counters, from, refill);
            extend_stream<M>
                <<<blocks, kStreamThreads, 0, job.stream>>>(job.params, pools[from], pools[1 - from], counters, from);
            check_launch("stream_mk");
        };
        // A path that has not ended after a step is in the pool that the next step reads. If paths are left to start,
        // the pool that was just read was full.
        run_steps(job, step, [](std::uint32_t n) { return static_cast<int>(n % 2u); });
    });
}

} // namespace

VOLPT_EXPORT_STREAM_KERNEL(stream_mk, extend_stream, 2, count_refilled_paths)

} // namespace volpt
