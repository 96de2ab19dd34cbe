// The vector loops: one event function over all lanes of a block. Each loop first copies what it needs into locals,
// because the compiler cannot know that storing a lane does not change the scene.
#pragma once

#include "libvolpt/core/extend_path.hd.h"
#include "libvolpt/cpu/lane_block.h"

namespace volpt {

// `Isa` is a tag type: it keeps the copies compiled for different instruction sets apart at link time. `lanes` is a
// multiple of kVectorLanes, so that loops have no rest that would be compiled again for shorter vectors.

/// Starts the paths named by x, y, sample, band and slot of `ids`, one per lane.
template <class Isa, Aim aim, int bands>
[[gnu::noinline]] void start_lanes(SceneView const& scene_view, LaneIds const& ids, LaneBlock<bands>& block, int lanes)
{
    SceneView const scene = scene_view;
    lanes &= -kVectorLanes;
#pragma GCC ivdep
    for (int i = 0; i < lanes; ++i)
        store_lane(block, i,
                   start_aimed_path<bands, aim>(scene, {ids.x[i], ids.y[i], ids.sample[i], ids.band[i], ids.slot[i]}));
}

/// Rewinds the generators of started paths by one draw.
template <class Isa, int bands>
[[gnu::noinline]] void step_back_lanes(LaneBlock<bands>& block, int lanes)
{
    lanes &= -kVectorLanes;
#pragma GCC ivdep
    for (int i = 0; i < lanes; ++i)
        store_rng(block, i, step_back({block.rng_a[i], block.rng_b[i], block.rng_c[i], block.rng_counter[i]}));
}

/// Refracts the lanes that stand before the boundary through it, or reflects them. Lanes that meet a second facet stay
/// as they are.
template <class Isa, Surface surface, int bands>
[[gnu::noinline]] void enter_lanes(BoundaryView const& scene_boundary, Vec3 size, LaneBlock<bands>& block, int lanes)
{
    BoundaryView const boundary = scene_boundary;
    lanes &= -kVectorLanes;
#pragma GCC ivdep
    for (int i = 0; i < lanes; ++i) {
        PathState<bands> path = load_lane(block, i);
        std::uint32_t const enters = path.stage == Stage::entering ? 1u : 0u;
        bool const active = (enters & enter_through_face<surface>(boundary, size, path)) != 0u;
        store_rng(block, i, blend_rng(mask_if(active), path.rng, load_rng(block, i)));
        block.dx[i] = active ? path.direction.x : block.dx[i];
        block.dy[i] = active ? path.direction.y : block.dy[i];
        block.dz[i] = active ? path.direction.z : block.dz[i];
        for (int b = 0; b < bands; ++b) block.throughput[b][i] = active ? path.throughput[b] : block.throughput[b][i];
        block.bounces[i] = active ? path.bounces : block.bounces[i];
        block.stage[i] = active ? static_cast<std::uint32_t>(path.stage) : block.stage[i];
        block.depth[i] += active ? 1u : 0u;
    }
}

/// What the lanes that leave meet.
struct ExitView {
    Vec3 size_voxels;
    Vec3 inv_pitch;
    BoundaryView boundary;
    FacesView faces;
};

/// Takes lanes that have reached a face from inside through their seam or boundary event. Lanes that meet a second
/// facet keep their stage, `leaving`, and everything else. `event` is set to 1 where there was a boundary event.
template <class Isa, Surface surface, int bands>
[[gnu::noinline]] void leave_lanes(ExitView const& scene_exit, LaneBlock<bands>& block, int lanes)
{
    ExitView const exit = scene_exit;
    lanes &= -kVectorLanes;
#pragma GCC ivdep
    for (int i = 0; i < lanes; ++i) {
        PathState<bands> path = load_lane(block, i);
        FaceHit const hit = find_exit(path.position, path.direction * exit.inv_pitch, exit.size_voxels);
        std::uint32_t const is_seam = (exit.faces.wrapped_axes >> hit.axis) & 1u;
        std::uint32_t through = 0;
        std::uint32_t const done = interact_once<surface>(exit.boundary.alpha, hit.axis, -hit.outward,
                                                          exit.boundary.ext_over_int, path, through);
        std::uint32_t const at_seam = 0u - is_seam;
        std::uint32_t const at_boundary = 0u - (done & ~is_seam);
        std::uint32_t const meets_backing = mask_if(has_backing(exit.faces, hit));
        std::uint32_t const beyond = blend_bits(meets_backing, static_cast<std::uint32_t>(Stage::backed),
                                                static_cast<std::uint32_t>(Stage::outside));
        std::uint32_t const has_ended = mask_if(path.stage == Stage::ended);
        std::uint32_t const turned =
            blend_bits(has_ended, static_cast<std::uint32_t>(Stage::ended),
                       blend_bits(0u - through, beyond, static_cast<std::uint32_t>(Stage::inside)));
        float const opposite = blend(mask_if(hit.outward > 0.0f), 0.0f, get_axis(exit.size_voxels, hit.axis));
        Vec3 const across = with_axis(hit.position, hit.axis, opposite);
        std::uint32_t const moves = at_seam | at_boundary;
        block.x[i] = blend(moves, blend(at_seam, across.x, hit.position.x), block.x[i]);
        block.y[i] = blend(moves, blend(at_seam, across.y, hit.position.y), block.y[i]);
        block.z[i] = blend(moves, blend(at_seam, across.z, hit.position.z), block.z[i]);
        store_throughput(block, i, at_boundary, path);
        store_turn(block, i, at_boundary, path, load_rng(block, i));
        block.stage[i] = blend_bits(at_boundary, turned, block.stage[i] & ~at_seam);
        block.bounces[i] += moves & 1u;
        block.depth[i] += at_boundary & 1u;
        block.event[i] = at_boundary & 1u;
    }
}

/// All ones for a path that is inside, whose stage is 0.
VOLPT_HD std::uint32_t inside_mask(Stage stage)
{
    return static_cast<std::uint32_t>((static_cast<std::int32_t>(stage) - 1) >> 31);
}

// Lanes without a path fly too, from where their last path ended: what they compute is not read.

/// The event of a lane's flight as the passes after it and the runner read it.
template <int bands>
VOLPT_HD void store_event(LaneBlock<bands>& block, int i, Flight const& flight)
{
    std::uint32_t const inside = inside_mask(static_cast<Stage>(block.stage[i]));
    block.event[i] = blend_bits(inside, static_cast<std::uint32_t>(flight.event), kIdleLane);
    block.tentative[i] = flight.tentative & inside;
}

/// The end of a flight that is followed by passes for its collision.
template <int bands>
VOLPT_HD void store_arrival(LaneBlock<bands>& block, int i, Flight const& flight, PathState<bands> const& path)
{
    store_position(block, i, path);
    store_rng(block, i, path.rng);
    block.brick[i] = flight.voxel.brick;
    block.morton[i] = flight.voxel.morton;
    store_event(block, i, flight);
}

template <class Isa, class M>
[[gnu::noinline]] void advance_lanes(MediumView const& scene_medium, LaneBlock<M::kBands>& block, int lanes)
{
    MediumView const medium = scene_medium;
    lanes &= -kVectorLanes;
#pragma GCC ivdep
    for (int i = 0; i < lanes; ++i) {
        PathState<M::kBands> path = load_lane(block, i);
        store_arrival(block, i, advance<M>(medium, get_band(medium, block, i), path), path);
    }
}

/// `advance` with local majorants in three passes, of which the second runs once for every brick that some lane enters.
template <class Isa, class M>
[[gnu::noinline]] void begin_flights(MediumView const& scene_medium, LaneBlock<M::kBands>& block,
                                     BrickFlightLanes& flights, int lanes)
{
    MediumView const medium = scene_medium;
    lanes &= -kVectorLanes;
#pragma GCC ivdep
    for (int i = 0; i < lanes; ++i) {
        PathState<M::kBands> path = load_lane(block, i);
        float const optical_depth = to_optical_depth(path.rng.draw());
        BrickFlight flight = begin_brick_flight(medium, path.position, path.direction, optical_depth);
        flight.flies = inside_mask(path.stage) & 1u;
        store_flight(flights, i, flight);
        store_rng(block, i, path.rng);
    }
}

template <class Isa, class M>
[[gnu::noinline]] void cross_bricks(MediumView const& scene_medium, LaneBlock<M::kBands> const& block,
                                    BrickFlightLanes& flights, int lanes)
{
    MediumView const medium = scene_medium;
    lanes &= -kVectorLanes;
#pragma GCC ivdep
    for (int i = 0; i < lanes; ++i) {
        BrickFlight flight = load_flight(flights, i);
        Vec3 const direction{block.dx[i], block.dy[i], block.dz[i]};
        cross_brick(medium, get_band(medium, block, i).local_majorant_first, direction, flight);
        store_crossing(flights, i, flight);
    }
}

template <class Isa, class M>
[[gnu::noinline]] void end_flights(MediumView const& scene_medium, LaneBlock<M::kBands>& block,
                                   BrickFlightLanes const& flights, int lanes)
{
    MediumView const medium = scene_medium;
    lanes &= -kVectorLanes;
#pragma GCC ivdep
    for (int i = 0; i < lanes; ++i) {
        PathState<M::kBands> path = load_lane(block, i);
        Leg const leg = end_brick_flight(medium, path.position, path.direction, load_flight(flights, i));
        store_arrival(block, i, arrive<M>(medium, leg, 0u, path), path);
    }
}

/// All ones where the flight ended with a real collision, which may not be chosen by a condition: the compiler would
/// move lookups under the condition and not vectorise the loop over lanes.
template <int bands>
VOLPT_HD std::uint32_t collision_mask(LaneBlock<bands> const& block, int i)
{
    static_assert(static_cast<std::uint32_t>(FlightEvent::collision) == 1 && kIdleLane == 3, "bit 0 without bit 1");
    std::uint32_t const event = block.event[i];
    return 0u - (event & ~(event >> 1) & 1u);
}

/// 1 - albedo of a lane's bands, where it is the same in all voxels.
template <int bands>
VOLPT_HD void get_one_minus_albedo(MediumView const& medium, LaneBlock<bands> const& block, int i,
                                   float (&values)[bands])
{
    for (int b = 0; b < bands; ++b)
        values[b] = bands > 1 ? medium.band[b].constant_one_minus_albedo : block.one_minus_albedo[i];
}

/// Flight, absorption and new direction in a medium without voxels, in one pass: nothing is gathered, so that loading
/// and storing the lanes three times would cost as much as the arithmetic.
template <class Isa, class M, Scattering kind>
[[gnu::noinline]] void collide_bare_lanes(MediumView const& scene_medium, LaneBlock<M::kBands>& block, int lanes)
{
    MediumView const medium = scene_medium;
    lanes &= -kVectorLanes;
#pragma GCC ivdep
    for (int i = 0; i < lanes; ++i) {
        PathState<M::kBands> path = load_lane(block, i);
        Flight const flight = advance<M>(medium, get_band(medium, block, i), path);
        Rng const rng_after_flight = path.rng;
        float one_minus_albedo[M::kBands];
        get_one_minus_albedo(medium, block, i, one_minus_albedo);
        absorb(one_minus_albedo, path);
        sample_scattering<kind>(medium, {}, path);
        std::uint32_t const mask = 0u - flight.collides;
        store_position(block, i, path);
        store_throughput(block, i, mask, path);
        store_turn(block, i, mask, path, rng_after_flight);
        store_event(block, i, flight);
    }
}

template <class Isa, Source source, int bands>
[[gnu::noinline]] void absorb_lanes(MediumView const& scene_medium, LaneBlock<bands>& block, int lanes)
{
    MediumView const medium = scene_medium;
    lanes &= -kVectorLanes;
#pragma GCC ivdep
    for (int i = 0; i < lanes; ++i) {
        PathState<bands> path = load_lane(block, i);
        if constexpr (source == Source::constant) {
            float one_minus_albedo[bands];
            get_one_minus_albedo(medium, block, i, one_minus_albedo);
            absorb(one_minus_albedo, path);
        } else {
            absorb<source>(medium, VoxelRef{block.brick[i], block.morton[i]}, path);
        }
        store_throughput(block, i, collision_mask(block, i), path);
    }
}

template <class Isa, Scattering kind, int bands>
[[gnu::noinline]] void scatter_lanes(MediumView const& scene_medium, LaneBlock<bands>& block, int lanes)
{
    MediumView const medium = scene_medium;
    lanes &= -kVectorLanes;
#pragma GCC ivdep
    for (int i = 0; i < lanes; ++i) {
        PathState<bands> path = load_lane(block, i);
        Rng const rng_before = path.rng;
        sample_scattering<kind>(medium, VoxelRef{block.brick[i], block.morton[i]}, path);
        store_turn(block, i, collision_mask(block, i), path, rng_before);
    }
}

struct StepCounts {
    std::uint32_t collisions = 0; ///< real
    std::uint32_t tentative = 0;
    std::uint32_t long_steps = 0;
    std::uint64_t stepped_collisions = 0;
};

/// Counts one step of all lanes. Lanes that need scalar code get 1 in `flagged`: those that leave, those whose
/// throughput fell below `plays_below`, and those at the depth limit (0xffffffff: none).
template <class Isa, Steps steps, int bands>
[[gnu::noinline]] StepCounts flag_lanes(LaneBlock<bands>& block, int lanes, float plays_below,
                                        std::uint32_t depth_limit)
{
    std::uint32_t collisions = 0;
    std::uint32_t tentative = 0;
    std::uint32_t long_steps = 0;
    std::uint64_t stepped_collisions = 0;
    alignas(64) std::uint32_t flagged[kLanes];
    lanes &= -kVectorLanes;
#pragma GCC ivdep
    for (int i = 0; i < lanes; ++i) {
        std::uint32_t const event = block.event[i];
        std::uint32_t const collides = event == static_cast<std::uint32_t>(FlightEvent::collision) ? 1u : 0u;
        std::uint32_t collided = collides; // in this flight, or in the long step before it
        std::uint32_t depth = block.depth[i] + collides;
        if constexpr (steps != Steps::plain) {
            collided |= block.stepped[i];
            depth += block.stepped_collisions[i];
            long_steps += block.stepped[i];
            stepped_collisions += block.stepped_collisions[i];
        }
        float w = block.throughput[0][i];
        for (int b = 1; b < bands; ++b) w = exact::max(w, block.throughput[b][i]);
        block.depth[i] = depth;
        block.bounces[i] = collided != 0u ? 0u : block.bounces[i];
        collisions += collides;
        tentative += block.tentative[i];
        std::uint32_t const leaves = event == static_cast<std::uint32_t>(FlightEvent::leave) ? 1u : 0u;
        std::uint32_t const plays = w < plays_below ? collided : 0u;
        std::uint32_t const cut = depth >= depth_limit ? collided : 0u;
        flagged[i] = leaves | plays | cut;
    }
    for (int i = 0; i < lanes; ++i) block.flagged[i] = static_cast<std::uint8_t>(flagged[i]);
    return {collisions, tentative, long_steps, stepped_collisions};
}

} // namespace volpt
