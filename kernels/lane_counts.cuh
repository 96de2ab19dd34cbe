// Counters of one lane while a kernel runs, and their way into the totals.
#pragma once

#include "kernels/batch.h"

namespace volpt {

inline constexpr unsigned kWholeWarp = 0xffffffffu;

/// What extend_path counts, in 32 bits: a launch lasts seconds, a lane runs a few million events in one. Cuts are rare and
/// may be large, so they go to the totals at once.
struct LaneCounts {
    Batch const& batch;
    std::uint32_t extensions = 0;
    std::uint32_t tentative = 0;
    std::uint32_t steps = 0;       ///< events of this lane
    std::uint32_t rounds = 0;      ///< times that its warp ran events, with or without this lane
    std::uint32_t starts = 0;      ///< paths of this lane
    std::uint32_t start_rounds = 0;

    __device__ explicit LaneCounts(Batch const& b) : batch(b) {}

    __device__ void count_extension() { extensions += 1; }
    __device__ void count_tentative(std::uint32_t collisions) { tentative += collisions; }
    __device__ void count_cut(std::uint32_t throughput)
    {
        atomicAdd(&batch.counts->cut_paths, 1ull);
        atomicAdd(&batch.counts->cut_throughput, DeviceCount{throughput});
    }
};

/// The sum of `value` over the warp, in 64 bits.
__device__ inline DeviceCount sum_over_warp(std::uint32_t value)
{
    DeviceCount const low = __reduce_add_sync(kWholeWarp, value & 0xffffu);
    DeviceCount const high = __reduce_add_sync(kWholeWarp, value >> 16);
    return low + (high << 16);
}

/// Adds a whole warp's counters to the totals; every lane of the warp calls it, once, at its end. `rounds` of lane 0 count
/// for the warp, which holds where the lanes of a warp go round a loop together.
__device__ inline void flush_counts(LaneCounts const& counts)
{
    DeviceCount const extensions = sum_over_warp(counts.extensions);
    DeviceCount const tentative = sum_over_warp(counts.tentative);
    DeviceCount const steps = sum_over_warp(counts.steps);
    DeviceCount const starts = sum_over_warp(counts.starts);
    if (threadIdx.x % 32u != 0u) return;
    atomicAdd(&counts.batch.counts->paths, starts);
    atomicAdd(&counts.batch.counts->extensions, extensions);
    atomicAdd(&counts.batch.counts->tentative_collisions, tentative);
    atomicAdd(&counts.batch.counts->steps, steps);
    atomicAdd(&counts.batch.counts->step_slots, DeviceCount{counts.rounds} * 32u);
    atomicAdd(&counts.batch.counts->starts, starts);
    atomicAdd(&counts.batch.counts->start_slots, DeviceCount{counts.start_rounds} * 32u);
}

} // namespace volpt
