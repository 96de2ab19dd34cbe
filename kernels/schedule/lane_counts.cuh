// Counters of one lane while a kernel runs, and how they are added to the totals.
#pragma once

#include "kernels/schedule/launch_params.h"

namespace volpt {

inline constexpr unsigned kWholeWarp = 0xffffffffu;

/// What extend_path counts, in 32 bits: a launch lasts seconds, a lane runs a few million events in one. One addition
/// per event: totals follow at the end. Cuts are rare and may be large, so they go to the totals at once.
struct LaneCounts {
    LaunchParams const* params;
    std::uint32_t collisions = 0; ///< real
    std::uint32_t null_collisions = 0;
    std::uint32_t face_events = 0;
    std::uint32_t steps = 0;  ///< events of this lane
    std::uint32_t rounds = 0; ///< times that its warp ran events, with or without this lane
    std::uint32_t starts = 0; ///< paths of this lane
    std::uint32_t start_rounds = 0;
    std::uint32_t long_steps = 0;
    std::uint32_t shadow_rays = 0;
    DeviceCount stepped_collisions = 0; ///< one long step may replace 10^5

    __device__ explicit LaneCounts(LaunchParams const& p) : params(&p) {}

    __device__ void count_collision() { collisions += 1; }
    __device__ void count_null_flight(std::uint32_t nulls) { null_collisions += nulls; }
    __device__ void count_face_event() { face_events += 1; }
    __device__ void count_long_step(std::uint32_t collisions)
    {
        long_steps += 1;
        stepped_collisions += collisions;
    }
    __device__ void count_cut(std::uint32_t throughput)
    {
        atomicAdd(&params->counts->cut_paths, 1ull);
        atomicAdd(&params->counts->cut_throughput, DeviceCount{throughput});
    }
    __device__ void count_lost() { atomicAdd(&params->counts->lost_paths, 1ull); }
    /// Rays may be followed where the lanes of a warp have diverged, so the warp's round is counted by the first of the
    /// active lanes; at once, because a sum of its own would take a register from every event.
    __device__ void count_shadow_ray()
    {
        shadow_rays += 1;
        unsigned const leader = static_cast<unsigned>(__ffs(static_cast<int>(__activemask()))) - 1u;
        if (threadIdx.x % 32u == leader) atomicAdd(&params->counts->shadow_ray_slots, 32ull);
    }
    __device__ void count_strayed() { atomicAdd(&params->counts->strayed_paths, 1ull); }
};

/// The whole warp, in a way that ptxas does not recognise: blocks have one dimension.
///
/// ptxas of CUDA 13 takes a warp for converged where paths met calls before, and leaves out what would wait for its
/// other lanes, __syncwarp(kWholeWarp) too. Among nested solids, warps of stream_mk were apart at their end, and sums
/// over them were of some lanes.
__device__ inline unsigned find_whole_warp()
{
    return kWholeWarp ^ threadIdx.z;
}

/// The sum of `value` over the warp, in 64 bits.
__device__ inline DeviceCount sum_over_warp(std::uint32_t value)
{
    DeviceCount const low = __reduce_add_sync(kWholeWarp, value & 0xffffu);
    DeviceCount const high = __reduce_add_sync(kWholeWarp, value >> 16);
    return low + (high << 16);
}

__device__ inline DeviceCount sum_wide_over_warp(DeviceCount value)
{
    return sum_over_warp(static_cast<std::uint32_t>(value)) +
           (sum_over_warp(static_cast<std::uint32_t>(value >> 32)) << 32);
}

/// Adds a block's counters to the totals, one atomic each; every thread of the block calls once, at its end. The
/// `rounds` of lane 0 count for its warp, which is right where the lanes of a warp go through a loop together.
__device__ inline void flush_counts(LaneCounts const& counts)
{
    __syncwarp(find_whole_warp());
    constexpr int kKinds = 9;
    __shared__ DeviceCount block[kKinds];
    if (threadIdx.x < kKinds) block[threadIdx.x] = 0;
    __syncthreads();
    DeviceCount const collisions = sum_over_warp(counts.collisions);
    DeviceCount const warp[kKinds] = {sum_over_warp(counts.starts),
                                      collisions + sum_over_warp(counts.face_events),
                                      collisions + sum_over_warp(counts.null_collisions),
                                      sum_over_warp(counts.steps),
                                      DeviceCount{counts.rounds} * 32u,
                                      DeviceCount{counts.start_rounds} * 32u,
                                      sum_over_warp(counts.long_steps),
                                      sum_wide_over_warp(counts.stepped_collisions),
                                      sum_over_warp(counts.shadow_rays)};
    if (threadIdx.x % 32u == 0)
        for (int i = 0; i < kKinds; ++i)
            if (warp[i] != 0) atomicAdd(&block[i], warp[i]);
    __syncthreads();
    if (threadIdx.x != 0) return;
    DeviceCounts& totals = *counts.params->counts;
    DeviceCount* const into[kKinds] = {&totals.starts,     &totals.extensions,         &totals.tentative_collisions,
                                       &totals.steps,      &totals.step_slots,         &totals.start_slots,
                                       &totals.long_steps, &totals.stepped_collisions, &totals.shadow_rays};
    for (int i = 0; i < kKinds; ++i)
        if (block[i] != 0) atomicAdd(into[i], block[i]);
}

} // namespace volpt
