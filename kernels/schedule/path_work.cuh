// Which path comes next, and where the radiance of an ended path goes.
#pragma once

#include "kernels/schedule/lane_counts.cuh"
#include "libvolpt/core/extend_path.hd.h"

namespace volpt {

/// The sample `sample` of the pixel and band with number `place` (pixels fastest).
__device__ inline PathId name_sample(LaunchParams const& params, std::uint32_t place, std::uint32_t sample)
{
    std::uint32_t const band = params.bands_apart > 1u ? place / params.pixels : 0u;
    std::uint32_t const slot = place - band * params.pixels;
    std::uint32_t const row = slot / params.width;
    return {params.tile.x0 + (slot - row * params.width), params.tile.y0 + row, params.tile.first_sample + sample, band,
            slot};
}

/// The path of number `index`.
__device__ inline PathId decode_path_id(LaunchParams const& params, std::uint32_t index)
{
    std::uint32_t const places = params.pixels * params.bands_apart;
    std::uint32_t const sample = index / places;
    return name_sample(params, index - sample * places, sample);
}

/// Adds the radiance of an ended path to its pixel.
template <int bands>
__device__ inline void deposit(LaunchParams const& params, PathState<bands> const& path)
{
    for (int b = 0; b < bands; ++b) {
        std::size_t const at =
            std::size_t{bands > 1 ? static_cast<std::uint32_t>(b) : path.band} * params.pixels + path.slot;
        float const value = path.throughput[b];
        if (value == 0.0f) continue; // roulette ended it
        atomicAdd(params.sums + at, DeviceCount{to_fixed_point(value, params.scene.sum_scale)});
        atomicAdd(params.squares + at, DeviceCount{to_fixed_point(value * value, params.scene.square_scale)});
    }
}

/// Adds the radiance of an ended path to its bank's sum.
template <int bands>
__device__ inline void deposit_in_bank(LaunchParams const& params, PathState<bands> const& path)
{
    for (int b = 0; b < bands; ++b) {
        std::uint32_t const band = bands > 1 ? static_cast<std::uint32_t>(b) : path.band;
        DeviceCount const value{to_fixed_point(path.throughput[b], params.scene.sum_scale)};
        if (value != 0) atomicAdd(params.bank_sums + path.slot % kBankParts * params.scene.bands + band, value);
    }
}

/// Adds an ended path of the medium M to everything that it counts in.
template <class M>
__device__ inline void deposit_path(LaunchParams const& params, PathState<M::kBands> const& path)
{
    deposit(params, path);
    if constexpr (M::kSteps == Steps::spheres) deposit_in_bank(params, path);
}

/// Takes one number for each lane that calls, with one atomic per warp. May lie past the end.
__device__ inline std::uint32_t take_number(std::uint32_t* next)
{
    unsigned const takers = __activemask();
    unsigned const lane = threadIdx.x % 32u;
    std::uint32_t base = 0;
    int const leader = __ffs(static_cast<int>(takers)) - 1;
    if (lane == static_cast<unsigned>(leader)) base = atomicAdd(next, static_cast<std::uint32_t>(__popc(takers)));
    return __shfl_sync(takers, base, leader) + static_cast<std::uint32_t>(__popc(takers & ((1u << lane) - 1u)));
}

} // namespace volpt
