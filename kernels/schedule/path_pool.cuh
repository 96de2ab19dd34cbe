// Paths in memory: one plane of words for each part of the state, so that neighbouring lanes access neighbouring words.
#pragma once

#include "kernels/schedule/lane_counts.cuh"
#include "libvolpt/core/extend_path.hd.h"

namespace volpt {

/// Views `capacity` paths in global or shared memory; `kWords * capacity` words.
template <int bands>
struct PathPoolView {
    static constexpr int kWords = 14 + bands;
    std::uint32_t* words;
    std::uint32_t capacity;

    __device__ std::uint32_t& at(int plane, std::uint32_t slot) const
    {
        return words[static_cast<std::size_t>(plane) * capacity + slot];
    }
    __device__ Stage stage(std::uint32_t slot) const { return static_cast<Stage>(at(0, slot) & 0xffu); }
    __device__ void set_stage(std::uint32_t slot, Stage stage) const
    {
        at(0, slot) = static_cast<std::uint32_t>(stage);
    }

    __device__ Vec3 position(std::uint32_t slot) const
    {
        return {float_from_bits(at(1, slot)), float_from_bits(at(2, slot)), float_from_bits(at(3, slot))};
    }

    __device__ PathState<bands> load(std::uint32_t slot) const
    {
        PathState<bands> path;
        std::uint32_t const stage_and_band = at(0, slot);
        path.stage = static_cast<Stage>(stage_and_band & 0xffu);
        path.band = bands > 1 ? 0u : stage_and_band >> 8;
        path.position = position(slot);
        path.direction = {float_from_bits(at(4, slot)), float_from_bits(at(5, slot)), float_from_bits(at(6, slot))};
        path.rng = {at(7, slot), at(8, slot), at(9, slot), at(10, slot)};
        path.slot = at(11, slot);
        path.depth = at(12, slot);
        path.bounces = at(13, slot);
        for (int b = 0; b < bands; ++b) path.throughput[b] = float_from_bits(at(14 + b, slot));
        return path;
    }

    __device__ void store(std::uint32_t slot, PathState<bands> const& path) const
    {
        at(0, slot) = static_cast<std::uint32_t>(path.stage) | path.band << 8;
        at(1, slot) = bits_from_float(path.position.x);
        at(2, slot) = bits_from_float(path.position.y);
        at(3, slot) = bits_from_float(path.position.z);
        at(4, slot) = bits_from_float(path.direction.x);
        at(5, slot) = bits_from_float(path.direction.y);
        at(6, slot) = bits_from_float(path.direction.z);
        at(7, slot) = path.rng.a;
        at(8, slot) = path.rng.b;
        at(9, slot) = path.rng.c;
        at(10, slot) = path.rng.counter;
        at(11, slot) = path.slot;
        at(12, slot) = path.depth;
        at(13, slot) = path.bounces;
        for (int b = 0; b < bands; ++b) at(14 + b, slot) = bits_from_float(path.throughput[b]);
    }
};

} // namespace volpt
