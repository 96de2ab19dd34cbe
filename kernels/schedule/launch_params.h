// What a launch works on: a scene on the device, a tile of pixels and samples, where the results go.
#pragma once

#include "libvolpt/backend/render_tile.h"

#include <cuda_runtime_api.h>

namespace volpt {

using DeviceCount = unsigned long long; ///< the type of CUDA's 64-bit atomics

/// Totals of one tile, kept on the device.
struct DeviceCounts {
    DeviceCount extensions;
    DeviceCount tentative_collisions;
    DeviceCount cut_paths;
    DeviceCount cut_throughput;
    DeviceCount steps;       ///< events that lanes ran
    DeviceCount step_slots;  ///< lanes of the warps that ran them: 32 per warp with at least one event
    DeviceCount starts;      ///< paths that lanes started
    DeviceCount start_slots; ///< lanes of the warps that ran them
    DeviceCount long_steps;
    DeviceCount stepped_collisions; ///< that long steps replace
    DeviceCount lost_paths;
    DeviceCount strayed_paths;
    DeviceCount shadow_rays;
    DeviceCount shadow_ray_slots; ///< lanes of the warps that followed them
};

inline constexpr std::uint32_t kMostRunSamples = 64;

/// See LaunchParams::bank_sums.
inline constexpr std::uint32_t kBankParts = 1024;

/// The lower and the upper halves of a pass's sums, each added up over all pixels.
inline constexpr std::uint32_t kPassWords = 2;

/// Passes of a launch with Transport::metropolis: their sums take 512 MiB, or one pass.
inline std::uint32_t count_most_passes(SceneView const& scene)
{
    constexpr std::uint64_t kMostSums = std::uint64_t{1} << 26, kMostPasses = 1024;
    std::uint64_t const passes = kMostSums / (std::uint64_t{scene.width} * scene.height * scene.bands);
    return static_cast<std::uint32_t>(passes < 1 ? 1 : passes > kMostPasses ? kMostPasses : passes);
}

/// Paths are numbered pixels fastest, then bands, then samples. A run is up to `run_samples` samples, at most
/// kMostRunSamples, of one pixel and band in a row, on one side of the film's half; runs are numbered pixels fastest
/// likewise. Both numbers stay below 2^31.
struct LaunchParams {
    SceneView scene; ///< pointers into device memory
    RenderTile tile;
    std::uint32_t width;       ///< of the tile, pixels
    std::uint32_t pixels;      ///< of the tile
    std::uint32_t bands_apart; ///< paths per sample of a pixel: bands, or 1 if one path carries all
    std::uint32_t paths;
    std::uint32_t run_samples;
    std::uint32_t runs;
    TilePlanesOf<DeviceCount> planes; ///< added to
    /// What samples of the film's half add to lies so many words behind `planes`, which has the others' (is_in_half);
    /// 0: all are added to the same. Not with Transport::particles, whose slots are pixels alone.
    std::uint32_t half_offset;
    /// With long steps also the sum over all pixels for the one bank that all samples of the launch share, in
    /// kBankParts parts, so that few paths add to the same word: [part][band]. With Transport::metropolis, which has no
    /// long steps: the totals of the launch's passes, [pass][band] of kPassWords words. Null otherwise.
    DeviceCount* bank_sums;
    DeviceCounts* counts;   ///< added to
    std::uint32_t* next;    ///< number of the next path or run to be taken; 0 before a launch
    void* path_memory;      ///< PathMemory by lane of the launch, of kernels whose paths stay with their lanes
    DeviceCount* pass_sums; ///< what chains add in each pass of the launch, [pass][band][pixel of the film]
};

} // namespace volpt
