// Paths in flight on one core, as arrays over lanes: what the vector loops load and store.
#pragma once

#include "libvolpt/core/advance.hd.h"

namespace volpt {

/// Lanes of one block; a multiple of every vector width. 64 keep the whole block in a 32 KiB first-level cache with
/// room for tables (bench/cpu_transport: 32 lanes -6 %, 128 lanes -2 %).
inline constexpr int kLanes = 64;

/// Of the widest vectors.
inline constexpr int kVectorLanes = 16;

/// Event of a lane that holds no path in flight.
inline constexpr std::uint32_t kIdleLane = 3;

template <int bands>
struct alignas(64) LaneBlock {
    float x[kLanes], y[kLanes], z[kLanes];
    float dx[kLanes], dy[kLanes], dz[kLanes];
    float throughput[bands][kLanes];
    std::uint32_t rng_a[kLanes], rng_b[kLanes], rng_c[kLanes], rng_counter[kLanes];
    std::uint32_t stage[kLanes];
    std::uint32_t band[kLanes], slot[kLanes], depth[kLanes], bounces[kLanes];
    // Of the band of each lane, where a path carries one band: what a table indexed by band holds.
    float step_x[kLanes], step_y[kLanes], step_z[kLanes], one_minus_albedo[kLanes], majorant[kLanes];
    std::int32_t local_majorant_first[kLanes];
    // Results of `advance` for the passes after it.
    std::int32_t brick[kLanes];
    std::uint32_t morton[kLanes];
    std::uint32_t event[kLanes];     ///< a FlightEvent, or kIdleLane
    std::uint32_t tentative[kLanes]; ///< 1: a tentative collision took place
    std::uint8_t flagged[kLanes];    ///< 1: needs a scalar look
    std::uint32_t stepped[kLanes];   ///< 1: took a long step before its flight
    std::uint32_t stepped_collisions[kLanes];
};

/// The flights of a block's lanes against local majorants.
struct alignas(64) BrickFlightLanes {
    float optical_depth[kLanes], distance[kLanes], majorant[kLanes], leave[kLanes];
    float next_x[kLanes], next_y[kLanes], next_z[kLanes];
    float spacing_x[kLanes], spacing_y[kLanes], spacing_z[kLanes];
    std::int32_t brick[kLanes];
    std::uint32_t flies[kLanes], leaves[kLanes];
};

VOLPT_HD BrickFlight load_flight(BrickFlightLanes const& lanes, int i)
{
    return {lanes.optical_depth[i],
            lanes.distance[i],
            lanes.majorant[i],
            lanes.leave[i],
            {lanes.next_x[i], lanes.next_y[i], lanes.next_z[i]},
            {lanes.spacing_x[i], lanes.spacing_y[i], lanes.spacing_z[i]},
            lanes.brick[i],
            lanes.flies[i],
            lanes.leaves[i]};
}

/// What cross_brick changes.
VOLPT_HD void store_crossing(BrickFlightLanes& lanes, int i, BrickFlight const& flight)
{
    lanes.optical_depth[i] = flight.optical_depth;
    lanes.distance[i] = flight.distance;
    lanes.majorant[i] = flight.majorant;
    lanes.next_x[i] = flight.next.x;
    lanes.next_y[i] = flight.next.y;
    lanes.next_z[i] = flight.next.z;
    lanes.brick[i] = flight.brick;
    lanes.flies[i] = flight.flies;
    lanes.leaves[i] = flight.leaves;
}

VOLPT_HD void store_flight(BrickFlightLanes& lanes, int i, BrickFlight const& flight)
{
    store_crossing(lanes, i, flight);
    lanes.leave[i] = flight.leave;
    lanes.spacing_x[i] = flight.spacing.x;
    lanes.spacing_y[i] = flight.spacing.y;
    lanes.spacing_z[i] = flight.spacing.z;
}

/// Which paths a block is to start.
struct alignas(64) LaneIds {
    std::uint32_t x[kLanes], y[kLanes], sample[kLanes], band[kLanes], slot[kLanes];
};

template <int bands>
VOLPT_HD Rng load_rng(LaneBlock<bands> const& block, int i)
{
    return {block.rng_a[i], block.rng_b[i], block.rng_c[i], block.rng_counter[i]};
}

template <int bands>
VOLPT_HD PathState<bands> load_lane(LaneBlock<bands> const& block, int i)
{
    PathState<bands> path;
    path.position = {block.x[i], block.y[i], block.z[i]};
    path.direction = {block.dx[i], block.dy[i], block.dz[i]};
    for (int b = 0; b < bands; ++b) path.throughput[b] = block.throughput[b][i];
    path.rng = load_rng(block, i);
    path.stage = static_cast<Stage>(block.stage[i]);
    path.band = block.band[i];
    path.slot = block.slot[i];
    path.depth = block.depth[i];
    path.bounces = block.bounces[i];
    return path;
}

template <int bands>
VOLPT_HD void store_rng(LaneBlock<bands>& block, int i, Rng const& rng)
{
    block.rng_a[i] = rng.a;
    block.rng_b[i] = rng.b;
    block.rng_c[i] = rng.c;
    block.rng_counter[i] = rng.counter;
}

template <int bands>
VOLPT_HD void store_position(LaneBlock<bands>& block, int i, PathState<bands> const& path)
{
    block.x[i] = path.position.x;
    block.y[i] = path.position.y;
    block.z[i] = path.position.z;
}

/// All that moves: place, direction, throughput, generator.
template <int bands>
VOLPT_HD void store_motion(LaneBlock<bands>& block, int i, PathState<bands> const& path)
{
    store_position(block, i, path);
    block.dx[i] = path.direction.x;
    block.dy[i] = path.direction.y;
    block.dz[i] = path.direction.z;
    for (int b = 0; b < bands; ++b) block.throughput[b][i] = path.throughput[b];
    store_rng(block, i, path.rng);
}

template <int bands>
VOLPT_HD void store_lane(LaneBlock<bands>& block, int i, PathState<bands> const& path)
{
    store_motion(block, i, path);
    block.stage[i] = static_cast<std::uint32_t>(path.stage);
    block.band[i] = path.band;
    block.slot[i] = path.slot;
    block.depth[i] = path.depth;
    block.bounces[i] = path.bounces;
}

/// Stores the throughput where `mask` is all ones.
template <int bands>
VOLPT_HD void store_throughput(LaneBlock<bands>& block, int i, std::uint32_t mask, PathState<bands> const& path)
{
    for (int b = 0; b < bands; ++b) block.throughput[b][i] = blend(mask, path.throughput[b], block.throughput[b][i]);
}

/// Stores direction and generator where `mask` is all ones, elsewhere `rng_before`.
template <int bands>
VOLPT_HD void store_turn(LaneBlock<bands>& block, int i, std::uint32_t mask, PathState<bands> const& path,
                         Rng const& rng_before)
{
    block.dx[i] = blend(mask, path.direction.x, block.dx[i]);
    block.dy[i] = blend(mask, path.direction.y, block.dy[i]);
    block.dz[i] = blend(mask, path.direction.z, block.dz[i]);
    store_rng(block, i, blend_rng(mask, path.rng, rng_before));
}

/// Copies the path of lane `from` of one block into lane `to` of another, or of the same.
template <int bands>
VOLPT_HD void copy_lane(LaneBlock<bands> const& source, int from, LaneBlock<bands>& target, int to)
{
    store_lane(target, to, load_lane(source, from));
}

/// Sets what follows from the band of a lane.
template <int bands>
VOLPT_HD void set_band_constants(MediumView const& medium, LaneBlock<bands>& block, int i)
{
    if constexpr (bands > 1) return;
    std::uint32_t const band = block.band[i];
    block.majorant[i] = medium.band[band].majorant;
    block.step_x[i] = medium.band[band].mean_free_path_voxels.x;
    block.step_y[i] = medium.band[band].mean_free_path_voxels.y;
    block.step_z[i] = medium.band[band].mean_free_path_voxels.z;
    block.one_minus_albedo[i] = medium.band[band].constant_one_minus_albedo;
    block.local_majorant_first[i] = medium.band[band].local_majorant_first;
}

/// MediumView::band of a lane's band: from the table, it would be gathered.
template <int bands>
VOLPT_HD BandMedium get_band(MediumView const& medium, LaneBlock<bands> const& block, int i)
{
    if constexpr (bands > 1) return medium.band[0];
    return {{block.step_x[i], block.step_y[i], block.step_z[i]},
            block.one_minus_albedo[i],
            block.majorant[i],
            block.local_majorant_first[i]};
}

} // namespace volpt
