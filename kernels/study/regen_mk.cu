// regen_mk: paths in memory; one launch replaces ended paths in place, one extends all (J. Novak et al. 2010; PT+R of
// D. van Antwerpen 2011).
#include "kernels/schedule/device_stream.cuh"
#include "kernels/schedule/path_work.cuh"

namespace volpt {
namespace {

/// The first word of an empty slot: no path has this band.
constexpr std::uint32_t kEmptySlot = static_cast<std::uint32_t>(Stage::ended) | 0xffu << 8;

template <int bands>
__global__ void __launch_bounds__(kStreamThreads) empty_slots(PathPoolView<PathState<bands>> pool, std::uint32_t count)
{
    std::uint32_t const i = blockIdx.x * kStreamThreads + threadIdx.x;
    if (i < count) pool.at(0, i) = kEmptySlot;
}

/// Adds ended paths to the film and puts the next paths in their slots, as far as there are any.
template <int bands>
__global__ void __launch_bounds__(kStreamThreads)
    replace_ended(LaunchParams const __grid_constant__ params, PathPoolView<PathState<bands>> pool, std::uint32_t count)
{
    std::uint32_t const i = blockIdx.x * kStreamThreads + threadIdx.x;
    bool const ended = i < count && pool.stage(i) == Stage::ended;
    if (!__syncthreads_or(ended)) return;
    LaneCounts counts(params);
    if (ended) {
        if (pool.at(0, i) != kEmptySlot) {
            PathState<bands> const path = pool.load(i);
            deposit(params, path, params.planes, params.pixels, params.bank_sums);
        }
        pool.at(0, i) = kEmptySlot;
        std::uint32_t const exhausted = *static_cast<std::uint32_t volatile*>(params.next) >= params.paths;
        std::uint32_t const index = exhausted ? params.paths : take_number(params.next);
        if (index < params.paths) {
            pool.store(i, start_path<bands>(params.scene, decode_path_id<bands>(params, index)));
            counts.starts = 1;
        }
    }
    counts.start_rounds = __any_sync(kWholeWarp, counts.starts != 0) ? 1 : 0;
    flush_counts(counts);
}

template <class M>
__global__ void __launch_bounds__(kStreamThreads, kStreamBlocks<M>)
    extend_in_place(LaunchParams const __grid_constant__ params, PathPoolView<PathState<M::kBands>> pool,
                    std::uint32_t count, StreamCounters* counters)
{
    std::uint32_t const i = blockIdx.x * kStreamThreads + threadIdx.x;
    bool const live = i < count && pool.stage(i) != Stage::ended;
    if (!__syncthreads_or(live)) return;
    // Paths that end here count as live until the next replace_ended has added them to the film.
    count_live(counters, live);
    LaneCounts counts(params);
    counts.rounds = __any_sync(kWholeWarp, live) ? 1 : 0;
    if (live) {
        PathState<M::kBands> path = pool.load(i);
        extend_path<M>(params.scene, path, counts);
        counts.steps = 1;
        pool.store(i, path);
    }
    flush_counts(counts);
}

void launch(KernelJob const& job)
{
    std::uint32_t const full = count_stream_capacity<KernelId::regen_mk>(job.knobs);
    std::uint32_t const capacity = std::min(full, job.params.paths);
    StreamCounters* const counters = view_counters(job);
    with_gpu_medium<KernelId::regen_mk>(job.params.scene, [&](auto medium) {
        using M = decltype(medium);
        auto const pool = view_pool<PathState<M::kBands>>(job, full, 0, capacity);
        unsigned const blocks = count_stream_blocks(capacity);
        empty_slots<<<blocks, kStreamThreads, 0, job.stream>>>(pool, capacity);
        auto const step = [&](std::uint32_t) {
            check_cuda(cudaMemsetAsync(counters, 0, sizeof *counters, job.stream), "clearing counters");
            replace_ended<<<blocks, kStreamThreads, 0, job.stream>>>(job.params, pool, capacity);
            extend_in_place<M><<<blocks, kStreamThreads, 0, job.stream>>>(job.params, pool, capacity, counters);
            check_launch("regen_mk");
        };
        run_steps(job, step, [](std::uint32_t) { return 0; });
    });
}

} // namespace

VOLPT_EXPORT_STREAM_KERNEL(regen_mk, extend_in_place, 1, count_refilled_paths)

} // namespace volpt
