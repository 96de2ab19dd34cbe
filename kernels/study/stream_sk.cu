// stream_sk: paths in a block's own memory, live ones compacted by the block after every event, new ones behind them
// (I. Wald 2011).
#include "kernels/schedule/block_pool.cuh"

namespace volpt {
namespace {

template <class M, int paths_per_lane>
__global__ void __launch_bounds__(kPoolThreads, kPoolBlocks<M>)
    run_stream_sk(LaunchParams const __grid_constant__ params, KernelKnobs<KernelId::stream_sk> const knobs)
{
    using Pool = BlockPool<M, paths_per_lane>;
    __shared__ typename Pool::Storage storage;
    __shared__ PoolScan::TempStorage scratch;
    Pool pool(params, storage);
    LaneCounts counts(params);
    ConnectionStream const stream = knobs.connection_stream != 0 ? ConnectionStream::on : ConnectionStream::off;
    while (pool.refill(counts)) {
        std::uint32_t slots[paths_per_lane], goes_on[paths_per_lane];
#pragma unroll
        for (int k = 0; k < paths_per_lane; ++k) {
            slots[k] = pool.slot_at(pool.place(k));
            goes_on[k] = pool.extend(k, counts, stream) ? 1u : 0u;
        }
        if constexpr (has_connections(M::kTransport))
            compact_streams(pool, scratch, slots[0], goes_on[0] != 0u);
        else
            compact_order(pool, scratch, slots, goes_on);
    }
    flush_counts(counts);
}

} // namespace

VOLPT_EXPORT_KERNEL(stream_sk, describe_pool_kernel)

} // namespace volpt
