// stream_sk_sort: as stream_sk, but after every event a block sorts its live paths by where they are, so that
// neighbouring threads fetch neighbouring voxels.
#include "kernels/schedule/block_pool.cuh"
#include "kernels/schedule/sort_key.cuh"

#include <cub/block/block_radix_sort.cuh>

namespace volpt {
namespace {

template <class M, int paths_per_lane>
__global__ void __launch_bounds__(kPoolThreads, 6)
    run_stream_sk_sort(LaunchParams const __grid_constant__ params, KernelKnobs<KernelId::stream_sk_sort>)
{
    using Pool = BlockPool<M, paths_per_lane>;
    using Sort = cub::BlockRadixSort<std::uint32_t, kPoolThreads, paths_per_lane, std::uint32_t>;
    __shared__ typename Pool::Storage storage;
    __shared__ typename Sort::TempStorage scratch;
    Pool pool(params, storage);
    LaneCounts counts(params);
    while (pool.refill(counts)) {
        std::uint32_t slots[paths_per_lane], keys[paths_per_lane];
        std::uint32_t live = 0;
#pragma unroll
        for (int k = 0; k < paths_per_lane; ++k) {
            slots[k] = pool.slot_at(pool.place(k));
            bool const goes_on = pool.extend(k, counts);
            live += static_cast<std::uint32_t>(__syncthreads_count(goes_on));
            keys[k] =
                goes_on ? find_sort_cell(pool.paths.position(slots[k]), params.scene.medium.size_voxels) : kDeadKey;
        }
        Sort(scratch).SortBlockedToStriped(keys, slots, 0, kSortKeyBits);
#pragma unroll
        for (int k = 0; k < paths_per_lane; ++k) pool.put_in_order(pool.place(k), slots[k]);
        pool.set_live(live);
        __syncthreads();
    }
    flush_counts(counts);
}

} // namespace

VOLPT_EXPORT_KERNEL(stream_sk_sort, describe_pool_kernel)

} // namespace volpt
