// stream_mk: paths in two pools of device memory; every event moves the live ones from one to the front of the other,
// one atomic per block, and new paths fill up behind them (SPT+R of D. van Antwerpen 2011; SPT with refill off).
#include "kernels/schedule/device_stream.cuh"
#include "kernels/schedule/path_work.cuh"

#include <cub/block/block_scan.cuh>

namespace volpt {
namespace {

enum class Refill { on, off };

template <class Path>
__device__ std::uint32_t count_connecting(StreamCounters const* counters, int which)
{
    if constexpr (has_connections(Path::kTransport))
        return counters->connecting[which];
    else
        return 0;
}

/// The place of the path with number `i` of those at the back of a pool.
template <class Path>
__device__ std::uint32_t place_from_back(PathPoolView<Path> pool, std::uint32_t i)
{
    return pool.capacity - 1u - i;
}

/// Adds the block's live paths to the front of `to`, and those that are connecting to its back, one atomic each; every
/// thread calls.
template <class M>
__device__ void append_to_streams(PathOf<M> const& path, bool goes_on, PathPoolView<PathOf<M>> to,
                                  StreamCounters* counters, int target)
{
    using Scan = cub::BlockScan<std::uint32_t, kStreamThreads>;
    __shared__ typename Scan::TempStorage scratch;
    __shared__ std::uint32_t base;
    std::uint32_t place = 0, live = 0;
    if constexpr (has_connections(M::kTransport)) {
        // One scan for both numbers, which are below 2^16.
        __shared__ std::uint32_t base_at_back;
        bool const connects = goes_on && is_connecting<M>(path);
        Scan(scratch).ExclusiveSum(connects ? 1u << 16 : goes_on ? 1u : 0u, place, live);
        std::uint32_t const at_front = live & 0xffffu, at_back = live >> 16;
        if (threadIdx.x == 0 && at_front > 0) base = atomicAdd(&counters->live[target], at_front);
        if (threadIdx.x == 0 && at_back > 0) base_at_back = atomicAdd(&counters->connecting[target], at_back);
        __syncthreads();
        if (connects)
            to.store(place_from_back(to, base_at_back + (place >> 16)), path);
        else if (goes_on)
            to.store(base + (place & 0xffffu), path);
    } else {
        Scan(scratch).ExclusiveSum(goes_on ? 1u : 0u, place, live);
        if (threadIdx.x == 0 && live > 0) base = atomicAdd(&counters->live[target], live);
        __syncthreads();
        if (goes_on) to.store(base + place, path);
    }
}

/// Adds an ended path to everything that it counts in, and gives its memory back.
template <class M>
__device__ void finish_path(LaunchParams const& params, PathMemoryView<PathOf<M>> memory, StreamCounters* counters,
                            PathOf<M>& path)
{
    deposit_path<M>(params, path);
    memory.release(&counters->unused_memory, path);
}

/// Extends all paths of `from`. With a connection stream, those of them that then are connecting wait in it; otherwise
/// their rays are followed at once.
template <class M>
__global__ void __launch_bounds__(kStreamThreads, kStreamBlocks<M>)
    extend_stream(LaunchParams const __grid_constant__ params, PathPoolView<PathOf<M>> from, PathPoolView<PathOf<M>> to,
                  PathMemoryView<PathOf<M>> memory, StreamCounters* counters, int source, ConnectionStream stream)
{
    std::uint32_t const front = counters->live[source];
    std::uint32_t const count = front + count_connecting<PathOf<M>>(counters, source);
    if (blockIdx.x * kStreamThreads >= count) return;
    std::uint32_t const i = blockIdx.x * kStreamThreads + threadIdx.x;
    std::uint32_t slot = i;
    bool is_live = i < count;
    if constexpr (has_connections(M::kTransport)) {
        if (i >= front) slot = place_from_back(from, i - front);
        is_live = is_live && from.stage(slot) != Stage::ended; // with its ray
    }
    LaneCounts counts(params);
    PathOf<M> path;
    bool goes_on = false;
    counts.rounds = __any_sync(kWholeWarp, is_live) ? 1 : 0;
    if (is_live) {
        path = from.load(slot);
        extend_without_ray<M>(params.scene, path, counts);
        if (stream == ConnectionStream::off && is_connecting<M>(path)) connect(M{}, params.scene, path, counts);
        counts.steps = 1;
        goes_on = path.stage != Stage::ended;
        if (!goes_on) finish_path<M>(params, memory, counters, path);
    }
    append_to_streams<M>(path, goes_on, to, counters, 1 - source);
    flush_counts(counts);
}

/// Follows the ray of the path in `slot` of a pool; true if the path has another one.
template <class M>
__device__ bool follow_connection(LaunchParams const& params, PathPoolView<PathOf<M>> pool,
                                  PathMemoryView<PathOf<M>> memory, StreamCounters* counters, std::uint32_t slot,
                                  LaneCounts& counts)
{
    PathOf<M> path = pool.load(slot);
    connect(M{}, params.scene, path, counts);
    if (path.stage == Stage::ended) finish_path<M>(params, memory, counters, path);
    pool.store_connected(slot, path);
    return is_connecting<M>(path);
}

/// Follows the rays of the connection stream of `pool`. Its paths stay where they are, those that have ended too.
template <class M>
__global__ void __launch_bounds__(kStreamThreads)
    follow_connections(LaunchParams const __grid_constant__ params, PathPoolView<PathOf<M>> pool,
                       PathMemoryView<PathOf<M>> memory, StreamCounters* counters, int which)
{
    std::uint32_t const count = counters->connecting[which];
    if (blockIdx.x * kStreamThreads >= count) return;
    std::uint32_t const i = blockIdx.x * kStreamThreads + threadIdx.x;
    LaneCounts counts(params);
    std::uint32_t const slot = place_from_back(pool, i);
    bool const goes_on = i < count && follow_connection<M>(params, pool, memory, counters, slot, counts);
    if constexpr (M::kTransport == Transport::bidirectional) {
        // Second rays, in full warps.
        __shared__ std::uint32_t slots[kStreamThreads], left;
        if (threadIdx.x == 0) left = 0;
        __syncthreads();
        if (goes_on) slots[atomicAdd(&left, 1u)] = slot;
        __syncthreads();
        if (threadIdx.x < left) follow_connection<M>(params, pool, memory, counters, slots[threadIdx.x], counts);
    }
    flush_counts(counts);
}

/// Fills `pool` up behind the paths at its front; with refill off only when it is empty.
template <class Path, Surfaces surfaces>
__global__ void __launch_bounds__(kStreamThreads)
    fill_stream(LaunchParams const __grid_constant__ params, PathPoolView<Path> pool, PathMemoryView<Path> memory,
                StreamCounters const* counters, int which, Refill refill)
{
    std::uint32_t const front = counters->live[which], live = front + count_connecting<Path>(counters, which);
    if (refill == Refill::off && live > 0) return;
    std::uint32_t const i = blockIdx.x * kStreamThreads + threadIdx.x;
    std::uint32_t const next = *params.next;
    bool const starts = i < pool.capacity - live && i < params.paths - next;
    if (!__syncthreads_or(starts)) return;
    LaneCounts counts(params);
    counts.start_rounds = __any_sync(kWholeWarp, starts) ? 1 : 0;
    if (starts) {
        Path path = start_numbered_path<Path, surfaces>(params, next + i, counts);
        memory.take(counters->unused_memory - 1u - i, path);
        pool.store(front + i, path);
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
    if constexpr (has_connections(Path::kTransport)) counters->connecting[1 - which] = 0;
    std::uint32_t const front = counters->live[which], live = front + count_connecting<Path>(counters, which);
    if (refill == Refill::off && live > 0) return;
    std::uint32_t const space = pool.capacity - live;
    std::uint32_t const left = params.paths - *params.next;
    std::uint32_t const started = space < left ? space : left;
    counters->live[which] = front + started;
    if constexpr (HasMemory<Path>) counters->unused_memory -= started;
    *params.next += started;
}

void launch(KernelJob const& job)
{
    std::uint32_t const full = count_stream_capacity<KernelId::stream_mk>(job.knobs);
    std::uint32_t const capacity = std::min(full, job.params.paths);
    auto const knobs = read_knobs<KernelId::stream_mk>(job.knobs);
    Refill const refill = knobs.refill != 0 ? Refill::on : Refill::off;
    ConnectionStream const stream = knobs.connection_stream != 0 ? ConnectionStream::on : ConnectionStream::off;
    StreamCounters* const counters = view_counters(job);
    check_cuda(cudaMemsetAsync(counters, 0, sizeof *counters, job.stream), "clearing counters");
    with_gpu_medium<KernelId::stream_mk>(job.params.scene, [&](auto medium) {
        using M = decltype(medium);
        PathPoolView<PathOf<M>> const pools[2] = {view_pool<PathOf<M>>(job, full, 0, capacity),
                                                  view_pool<PathOf<M>>(job, full, 1, capacity)};
        PathMemoryView<PathOf<M>> const memory = view_path_memory<PathOf<M>>(job, full, 2);
        unsigned const blocks = count_stream_blocks(capacity);
        if constexpr (HasMemory<PathOf<M>>)
            clear_path_memory<<<blocks, kStreamThreads, 0, job.stream>>>(memory, &counters->unused_memory, capacity);
        auto const step = [&](std::uint32_t n) {
            int const from = static_cast<int>(n % 2u);
            fill_stream<PathOf<M>, M::kSurfaces>
                <<<blocks, kStreamThreads, 0, job.stream>>>(job.params, pools[from], memory, counters, from, refill);
            count_filled<<<1, 1, 0, job.stream>>>(job.params, pools[from], counters, from, refill);
            if constexpr (has_connections(M::kTransport))
                if (stream == ConnectionStream::on)
                    follow_connections<M>
                        <<<blocks, kStreamThreads, 0, job.stream>>>(job.params, pools[from], memory, counters, from);
            extend_stream<M><<<blocks, kStreamThreads, 0, job.stream>>>(job.params, pools[from], pools[1 - from],
                                                                        memory, counters, from, stream);
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
