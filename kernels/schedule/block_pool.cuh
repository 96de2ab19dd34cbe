// A block's paths in shared memory and the order in which its threads visit them.
#pragma once

#include "kernels/schedule/launch.cuh"
#include "kernels/schedule/path_pool.cuh"
#include "kernels/schedule/path_work.cuh"

#include <cub/block/block_scan.cuh>

namespace volpt {

inline constexpr int kPoolThreads = 128;
/// Blocks that a multiprocessor must have room for: 80 registers, 128 where a mesh bounds the volume, or 255 in scenes
/// with emitters.
template <class M>
inline constexpr int kPoolBlocks = kIsBareTally<M>                       ? 5
                                   : M::kTransport == Transport::tallies ? 3
                                   : M::kTransport != Transport::escape  ? 2
                                   : M::kSurfaces != Surfaces::box       ? 4
                                                                         : 6;

/// Shared memory of a block. `order` holds slot numbers: first the live ones, then the free ones.
template <class Path, int paths_per_lane>
struct BlockPoolStorage {
    static constexpr int kSlots = kPoolThreads * paths_per_lane;
    std::uint32_t words[PathPoolView<Path>::kWords * kSlots];
    std::uint16_t order[kSlots];
    std::uint32_t base;
};

/// One thread's view of its block's pool; all threads of the block call each method.
template <class M, int paths_per_lane>
class BlockPool {
public:
    static constexpr int kBands = M::kBands;
    static constexpr int kSlots = kPoolThreads * paths_per_lane;
    using Storage = BlockPoolStorage<PathOf<M>, paths_per_lane>;

    __device__ BlockPool(LaunchParams const& params, Storage& storage)
        : paths{storage.words, static_cast<std::uint32_t>(kSlots)}, params_(params), storage_(storage)
    {
#pragma unroll
        for (int k = 0; k < paths_per_lane; ++k) {
            std::uint32_t const slot = place(k);
            paths.set_stage(slot, Stage::ended);
            storage_.order[slot] = static_cast<std::uint16_t>(slot);
        }
        __syncthreads();
    }

    /// The k-th place in the order that this thread visits: neighbouring threads visit neighbouring places.
    __device__ std::uint32_t place(int k) const
    {
        return threadIdx.x + static_cast<std::uint32_t>(k) * kPoolThreads;
    }
    __device__ std::uint32_t slot_at(std::uint32_t place) const
    {
        return storage_.order[place];
    }
    __device__ void put_in_order(std::uint32_t place, std::uint32_t slot) const
    {
        storage_.order[place] = static_cast<std::uint16_t>(slot);
    }
    __device__ std::uint32_t live() const
    {
        return live_;
    }
    __device__ void set_live(std::uint32_t live)
    {
        live_ = live;
    }

    /// Starts new paths in the free slots, neighbouring paths in neighbouring threads, with one atomic per block. False
    /// if no path is live afterwards.
    __device__ bool refill(LaneCounts& counts)
    {
        std::uint32_t const space = kSlots - live_;
        if (space > 0 && !exhausted_) {
            if (threadIdx.x == 0) storage_.base = atomicAdd(params_.next, space);
            __syncthreads();
            std::uint32_t const base = storage_.base;
#pragma unroll
            for (int k = 0; k < paths_per_lane; ++k) {
                std::uint32_t const rank = place(k) - live_;
                bool const starts = place(k) >= live_ && base < params_.paths && rank < params_.paths - base;
                if (!__any_sync(kWholeWarp, starts)) continue;
                counts.start_rounds += 1;
                if (!starts) continue;
                paths.store(slot_at(place(k)),
                            start_numbered_path<PathOf<M>, M::kSurfaces>(params_, base + rank, counts));
                counts.starts += 1;
            }
            std::uint32_t const left = base < params_.paths ? params_.paths - base : 0u;
            live_ += space < left ? space : left;
            exhausted_ = left <= space;
            __syncthreads();
        }
        return live_ > 0;
    }

    /// Extends the path at the thread's k-th place if it is live; true if it goes on. With a connection stream, a path
    /// that is connecting has its ray followed instead.
    __device__ bool extend(int k, LaneCounts& counts, ConnectionStream stream = ConnectionStream::off)
    {
        bool const live = place(k) < live_;
        if (!__any_sync(kWholeWarp, live)) return false;
        bool extends = live;
        if constexpr (has_connections(M::kTransport)) {
            extends = live && paths.stage(slot_at(place(k))) != Stage::connecting;
            counts.rounds += __any_sync(kWholeWarp, extends) ? 1 : 0;
        } else {
            counts.rounds += 1;
        }
        if (!live) return false;
        std::uint32_t const slot = slot_at(place(k));
        PathOf<M> path = paths.load(slot);
        if (extends) {
            extend_without_ray<M>(params_.scene, path, counts);
            counts.steps += 1;
        }
        if (is_connecting<M>(path) && (!extends || stream == ConnectionStream::off))
            connect(M{}, params_.scene, path, counts);
        bool const goes_on = path.stage != Stage::ended;
        if (!goes_on) deposit_path<M>(params_, path);
        paths.store(slot, path);
        return goes_on;
    }

    PathPoolView<PathOf<M>> paths;

private:
    LaunchParams const& params_;
    Storage& storage_;
    std::uint32_t live_ = 0;
    bool exhausted_ = false;
};

using PoolScan = cub::BlockScan<std::uint32_t, kPoolThreads>;

/// Puts the slots whose `goes_on` is 1 in front of the others in the order.
template <class Pool, int paths_per_lane>
__device__ void compact_order(Pool& pool, PoolScan::TempStorage& scratch, std::uint32_t const (&slots)[paths_per_lane],
                              std::uint32_t (&goes_on)[paths_per_lane])
{
    std::uint32_t rank[paths_per_lane];
    std::uint32_t live = 0;
    PoolScan(scratch).ExclusiveSum(goes_on, rank, live);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < paths_per_lane; ++k) {
        std::uint32_t const before = threadIdx.x * paths_per_lane + static_cast<std::uint32_t>(k);
        pool.put_in_order(goes_on[k] != 0u ? rank[k] : live + (before - rank[k]), slots[k]);
    }
    pool.set_live(live);
    __syncthreads();
}

/// compact_order for one path per lane, with those that are connecting before the others: at most one warp has both.
template <class Pool>
__device__ void compact_streams(Pool& pool, PoolScan::TempStorage& scratch, std::uint32_t slot, bool goes_on)
{
    bool const connects = goes_on && pool.paths.stage(slot) == Stage::connecting;
    // One scan for both numbers, which are below 2^16.
    std::uint32_t ranks = 0, totals = 0;
    PoolScan(scratch).ExclusiveSum(connects ? 1u << 16 : goes_on ? 1u : 0u, ranks, totals);
    __syncthreads();
    std::uint32_t const connecting = totals >> 16, live = connecting + (totals & 0xffffu);
    std::uint32_t const before = (ranks >> 16) + (ranks & 0xffffu);
    std::uint32_t const place = connects ? ranks >> 16 : connecting + (ranks & 0xffffu);
    pool.put_in_order(goes_on ? place : live + (threadIdx.x - before), slot);
    pool.set_live(live);
    __syncthreads();
}

/// Calls `use` with the instance run_<name><M, paths_per_lane> of K for scene and knobs.
template <class K, class Use>
void with_pool_kernel(SceneView const& scene, KnobValues const& knobs, Use&& use)
{
    using Knobs = KernelKnobs<K::kId>;
    with_gpu_medium<K::kId>(scene, [&](auto medium) {
        auto const use_number = [&](auto paths_per_lane) {
            use(K::template get<decltype(medium), decltype(paths_per_lane)::value>());
        };
        // An instance for a mesh takes ten seconds to compile for each path of a lane.
        if constexpr (decltype(medium)::kSurfaces != Surfaces::box || decltype(medium)::kTransport != Transport::escape)
            use_number(std::integral_constant<int, 1>{});
        else
            with_constant(typename Knobs::paths_per_lane_values{}, read_knobs<K::kId>(knobs).paths_per_lane,
                          use_number);
    });
}

template <class K>
void launch_pool_kernel(KernelJob const& job)
{
    with_pool_kernel<K>(job.params.scene, job.knobs, [&](auto kernel) {
        unsigned const blocks = count_persistent_blocks(kernel, {kPoolThreads}, job.params.paths);
        kernel<<<blocks, kPoolThreads, 0, job.stream>>>(job.params, read_knobs<K::kId>(job.knobs));
        check_launch(K::kName);
    });
}

template <class K>
KernelFacts inspect_pool_kernel(SceneView const& scene, KnobValues const& knobs)
{
    KernelFacts facts;
    with_pool_kernel<K>(scene, knobs, [&](auto kernel) { facts = inspect_kernel(kernel, {kPoolThreads}); });
    return facts;
}

template <class K>
KernelFunctions describe_pool_kernel()
{
    return {launch_pool_kernel<K>, need_no_workspace, inspect_pool_kernel<K>, need_few_paths};
}

} // namespace volpt
