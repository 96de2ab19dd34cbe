// Which path comes next, and where the radiance of an ended path goes.
#pragma once

#include "kernels/schedule/lane_counts.cuh"
#include "libvolpt/core/fixed_point.hd.h"
#include "libvolpt/core/light/transports.hd.h"
#include "libvolpt/core/surface/texel_start.hd.h"

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

/// What a slot grows by for a sample of the film's half, whose sums come after all of the others'.
template <int bands>
__device__ std::uint32_t find_half_offset(LaunchParams const& params, std::uint32_t sample)
{
    return bands > 1 && is_in_half(sample) ? params.half_offset : 0u;
}

/// The path of number `index`, of so many bands.
template <int bands>
__device__ PathId decode_path_id(LaunchParams const& params, std::uint32_t index)
{
    std::uint32_t const places = params.pixels * params.bands_apart;
    std::uint32_t const sample = index / places;
    PathId id = name_sample(params, index - sample * places, sample);
    id.slot += find_half_offset<bands>(params, id.sample);
    return id;
}

/// A call, because inlined it would be a large part of each instance's code, like call_extend_outside.
template <int bands>
__device__ __noinline__ void call_start_path(SceneView const& scene, PathId id, PathState<bands>& path,
                                             LaneCounts& counts)
{
    if (scene.texture_probe != nullptr)
        path = start_probe_path<Surfaces::surroundings, bands>(scene, id, counts).path;
    else
        path = start_path_at_mesh<bands, Surfaces::surroundings>(scene, id);
}

/// start_path_with by a call.
template <class M>
__device__ __noinline__ void call_start_path_with(SceneView const& scene, PathId id, PathOf<M>& path)
{
    path = start_path_with(M{}, scene, id);
}

/// Starts the path `id` in a solid of this kind.
template <class Path, Surfaces surfaces>
__device__ Path start_path_of(SceneView const& scene, PathId id, LaneCounts& counts)
{
    constexpr int bands = Path::kBands;
    if constexpr (Path::kTransport != Transport::escape) {
        // Starts branch at run time on what varies.
        Path path;
        call_start_path_with<EmitterMedium<bands, surfaces, Path::kTransport>>(scene, id, path);
        return path;
    } else if constexpr (surfaces == Surfaces::surroundings) {
        PathState<bands> path;
        LaneCounts counts_copy = counts;
        call_start_path(scene, id, path, counts_copy);
        counts = counts_copy;
        return path;
    } else if constexpr (surfaces == Surfaces::triangles) {
        return start_path_at_mesh<bands, surfaces>(scene, id);
    } else {
        return start_path<bands>(scene, id);
    }
}

/// Starts the path of number `index` in a solid of this kind. Where it starts at a texel, its slot is `index` until
/// deposit_path, which needs the place where it started.
template <class Path, Surfaces surfaces>
__device__ Path start_numbered_path(LaunchParams const& params, std::uint32_t index, LaneCounts& counts)
{
    PathId id = decode_path_id<Path::kBands>(params, index);
    if constexpr (has_surroundings(surfaces))
        if (params.scene.texture_probe != nullptr) id.slot = index;
    return start_path_of<Path, surfaces>(params.scene, id, counts);
}

/// keep_light_from_above of a path that was started as `id`.
template <int bands>
__device__ void keep_probed_light(LaunchParams const& params, PathId id, PathState<bands>& path)
{
    keep_light_from_above(start_path_at_texel<bands>(params.scene, id).normal, path);
}

/// Adds the radiance of an ended path to its pixel, in planes of `plane_pixels` pixels, and, unless `bank_sums` is
/// null, to its bank's sum.
template <int bands>
__device__ inline void deposit(LaunchParams const& params, PathState<bands> const& path,
                               TilePlanesOf<DeviceCount> const& planes, std::uint32_t plane_pixels,
                               DeviceCount* bank_sums)
{
    FixedSample<bands> const sample = round_sample(path, params.scene.sum_scale);
    for (int b = 0; b < bands; ++b) {
        DeviceCount const value{sample.value[b]};
        if (value == 0) continue; // roulette ended it
        std::uint32_t const band = bands > 1 ? static_cast<std::uint32_t>(b) : path.band;
        std::size_t const at = std::size_t{band} * plane_pixels + path.slot;
        FixedSquare const square = square_of(sample.value[b]);
        atomicAdd(planes.sums + at, value);
        atomicAdd(planes.low_squares + at, DeviceCount{square.low});
        atomicAdd(planes.high_squares + at, DeviceCount{square.high});
        if (bank_sums != nullptr) atomicAdd(bank_sums + path.slot % kBankParts * params.scene.bands + band, value);
    }
}

/// Adds an ended path of the medium M, started by start_numbered_path, to everything that it counts in.
template <class M>
__device__ inline void deposit_path(LaunchParams const& params, PathOf<M>& path)
{
    if constexpr (M::kTransport == Transport::tallies) return;
    if constexpr (M::kTransport == Transport::particles) {
        if (path.slot != kNoSlot)
            deposit(params, path, params.planes, params.scene.width * params.scene.height, nullptr);
        return;
    }
    if constexpr (M::kTransport == Transport::bidirectional) {
        std::uint32_t const pixels = params.scene.width * params.scene.height;
        std::uint32_t const half_offset = find_half_offset<M::kBands>(params, path.id.sample);
        path.slot += half_offset;
        deposit(params, path, params.planes, pixels, nullptr);
        if (take_splat(path)) {
            path.slot += half_offset;
            deposit(params, path, skip_planes(params.planes, std::size_t{params.scene.bands} * pixels), pixels,
                    nullptr);
        }
        return;
    }
    if constexpr (has_surroundings(M::kSurfaces)) {
        if (params.scene.texture_probe != nullptr) {
            PathId const id = decode_path_id<M::kBands>(params, path.slot);
            keep_probed_light(params, id, path);
            path.slot = id.slot;
        }
    }
    deposit(params, path, params.planes, params.pixels, M::kSteps != Steps::plain ? params.bank_sums : nullptr);
}

/// Where shadow rays are followed: in a stream of their own, or by the events that ask for them.
enum class ConnectionStream { off, on };

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
