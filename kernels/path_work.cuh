// Which path comes next, and where the result of one that ended goes.
#pragma once

#include "kernels/lane_counts.cuh"
#include "libvolpt/core/extend_path.hd.h"

namespace volpt {

/// The sample `sample` of the pixel and band with number `place` (pixels fastest).
__device__ inline PathId name_sample(Batch const& batch, std::uint32_t place, std::uint32_t sample)
{
    std::uint32_t const band = batch.bands_apart > 1u ? place / batch.pixels : 0u;
    std::uint32_t const slot = place - band * batch.pixels;
    std::uint32_t const row = slot / batch.width;
    return {batch.block.x0 + (slot - row * batch.width), batch.block.y0 + row, batch.block.first_sample + sample, band, slot};
}

/// The path of number `index`.
__device__ inline PathId name_path(Batch const& batch, std::uint32_t index)
{
    std::uint32_t const places = batch.pixels * batch.bands_apart;
    std::uint32_t const sample = index / places;
    return name_sample(batch, index - sample * places, sample);
}

/// Adds the radiance of an ended path to its pixel.
template <int bands>
__device__ inline void deposit(Batch const& batch, PathState<bands> const& path)
{
    for (int b = 0; b < bands; ++b) {
        std::size_t const at = std::size_t{bands > 1 ? static_cast<std::uint32_t>(b) : path.band} * batch.pixels + path.slot;
        float const value = path.throughput[b];
        if (value == 0.0f) continue; // the black end of a roulette
        atomicAdd(batch.sums + at, DeviceCount{to_fixed_point(value, batch.scene.sum_scale)});
        atomicAdd(batch.squares + at, DeviceCount{to_fixed_point(value * value, batch.scene.square_scale)});
    }
}

/// Adds it to its bank's sum.
template <int bands>
__device__ inline void deposit_in_bank(Batch const& batch, PathState<bands> const& path)
{
    for (int b = 0; b < bands; ++b) {
        std::uint32_t const band = bands > 1 ? static_cast<std::uint32_t>(b) : path.band;
        DeviceCount const value{to_fixed_point(path.throughput[b], batch.scene.sum_scale)};
        if (value != 0) atomicAdd(batch.bank_sums + path.slot % kBankParts * batch.scene.bands + band, value);
    }
}

/// What becomes of a path of the medium M that has ended.
template <class M>
__device__ inline void deposit_path(Batch const& batch, PathState<M::kBands> const& path)
{
    deposit(batch, path);
    if constexpr (M::kSteps == Steps::spheres) deposit_in_bank(batch, path);
}

/// Takes one number for each lane that calls; they come in one atomic a warp. May lie past the end.
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
