// Paths in memory: one plane of words for each part of the state, so that neighbouring lanes access neighbouring words.
#pragma once

#include "kernels/schedule/lane_counts.cuh"
#include "libvolpt/core/light/transports.hd.h"

#include <cstring>

namespace volpt {

/// Words of a path's state beside its PathState that are stored between events.
template <class Path>
inline constexpr int kExtraWords =
    static_cast<int>((sizeof(Path) - sizeof(PathState<Path::kBands>) - Path::kEventBytes) / sizeof(std::uint32_t));

/// Views `capacity` paths in global or shared memory; `kWords * capacity` words.
template <class Path>
struct PathPoolView {
    static constexpr int kBands = Path::kBands;
    static constexpr int kFirstExtra = 14 + kBands;
    static constexpr int kWords = kFirstExtra + kExtraWords<Path>;
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

    __device__ Path load(std::uint32_t slot) const
    {
        Path path;
        std::uint32_t const stage_and_band = at(0, slot);
        path.stage = static_cast<Stage>(stage_and_band & 0xffu);
        path.band = kBands > 1 ? 0u : stage_and_band >> 8;
        path.position = position(slot);
        path.direction = {float_from_bits(at(4, slot)), float_from_bits(at(5, slot)), float_from_bits(at(6, slot))};
        path.rng = {at(7, slot), at(8, slot), at(9, slot), at(10, slot)};
        path.slot = at(11, slot);
        path.depth = at(12, slot);
        path.bounces = at(13, slot);
        for (int b = 0; b < kBands; ++b) path.throughput[b] = float_from_bits(at(14 + b, slot));
        if constexpr (kExtraWords < Path >> 0) {
            std::uint32_t extra[kExtraWords<Path>];
#pragma unroll
            for (int i = 0; i < kExtraWords<Path>; ++i) extra[i] = at(kFirstExtra + i, slot);
            std::memcpy(reinterpret_cast<char*>(&path) + sizeof(PathState<kBands>), extra, sizeof extra);
        }
        return path;
    }

    __device__ void store(std::uint32_t slot, Path const& path) const
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
        for (int b = 0; b < kBands; ++b) at(14 + b, slot) = bits_from_float(path.throughput[b]);
        if constexpr (kExtraWords < Path >> 0) {
            std::uint32_t extra[kExtraWords<Path>];
            std::memcpy(extra, reinterpret_cast<char const*>(&path) + sizeof(PathState<kBands>), sizeof extra);
#pragma unroll
            for (int i = 0; i < kExtraWords<Path>; ++i) at(kFirstExtra + i, slot) = extra[i];
        }
    }

    /// Stores what `connect` has changed: stage, generator, radiance.
    template <class Region>
    __device__ void store_connected(std::uint32_t slot, LitPath<kBands, Region> const& path) const
    {
        constexpr int kFirstRadiance =
            kFirstExtra + (HasRegion<Path> ? sizeof(RegionState) / sizeof(std::uint32_t) : 0);
        at(0, slot) = static_cast<std::uint32_t>(path.stage) | path.band << 8;
        at(7, slot) = path.rng.a;
        at(8, slot) = path.rng.b;
        at(9, slot) = path.rng.c;
        at(10, slot) = path.rng.counter;
        for (int b = 0; b < kBands; ++b) at(kFirstRadiance + b, slot) = bits_from_float(path.radiance[b]);
    }
    /// A bidirectional path goes over to the film's end after the ray of its particle.
    template <class Region>
    __device__ void store_connected(std::uint32_t slot, BidirectionalPath<kBands, Region> const& path) const
    {
        store(slot, path);
    }
    /// The ray is the last event of a particle.
    template <class Region>
    __device__ void store_connected(std::uint32_t slot, ParticlePath<kBands, Region> const& path) const
    {
        set_stage(slot, path.stage);
    }
};

} // namespace volpt
