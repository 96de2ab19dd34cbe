// The vector loops: one event function over all lanes of a block. Each loop first copies what it needs into locals,
// because the compiler cannot know that storing a lane does not change the scene.
#pragma once

#include "libvolpt/core/extend_path.hd.h"
#include "libvolpt/cpu/lane_block.h"

namespace volpt {

// `Isa` is a tag type: it keeps the copies compiled for different instruction sets apart at link time.

/// Starts the paths named by x, y, sample, band and slot of `ids`, one per lane.
template <class Isa, Aim aim, int bands>
[[gnu::noinline]] void start_lanes(SceneView const& scene_view, LaneIds const& ids, LaneBlock<bands>& block, int lanes)
{
    SceneView const scene = scene_view;
#pragma GCC ivdep
    for (int i = 0; i < lanes; ++i)
        store_lane(block, i,
                   start_aimed_path<bands, aim>(scene, {ids.x[i], ids.y[i], ids.sample[i], ids.band[i], ids.slot[i]}));
}

/// Refracts the lanes that stand before the boundary through it, or reflects them. Lanes that meet a second facet stay
/// as they are.
template <class Isa, Surface surface, int bands>
[[gnu::noinline]] void enter_lanes(BoundaryView const& scene_boundary, Vec3 size, LaneBlock<bands>& block, int lanes)
{
    BoundaryView const boundary = scene_boundary;
#pragma GCC ivdep
    for (int i = 0; i < lanes; ++i) {
        PathState<bands> path = load_lane(block, i);
        std::uint32_t const enters = path.stage == Stage::entering ? 1u : 0u;
        bool const active = (enters & enter_through_face<surface>(boundary, size, path)) != 0u;
        Rng const before{block.rng_a[i], block.rng_b[i], block.rng_c[i], block.rng_counter[i]};
        store_rng(block, i, choose_rng(active, path.rng, before));
        block.dx[i] = active ? path.direction.x : block.dx[i];
        block.dy[i] = active ? path.direction.y : block.dy[i];
        block.dz[i] = active ? path.direction.z : block.dz[i];
        for (int b = 0; b < bands; ++b) block.throughput[b][i] = active ? path.throughput[b] : block.throughput[b][i];
        block.bounces[i] = active ? path.bounces : block.bounces[i];
        block.stage[i] = active ? static_cast<std::uint32_t>(path.stage) : block.stage[i];
        block.depth[i] += active ? 1u : 0u;
    }
}

/// All ones for a path that is inside, whose stage is 0.
VOLPT_HD std::uint32_t inside_mask(Stage stage)
{
    return static_cast<std::uint32_t>((static_cast<std::int32_t>(stage) - 1) >> 31);
}

/// Long steps of the lanes whose safe radius holds a sphere.
template <class Isa, class M, StepBoxes boxes>
[[gnu::noinline]] void step_lanes(MediumView const& scene_medium, LongStepsView const& scene_steps,
                                  LaneBlock<M::kBands>& block, int lanes)
{
    MediumView const medium = scene_medium;
    LongStepsView const steps = scene_steps;
#pragma GCC ivdep
    for (int i = 0; i < lanes; ++i) {
        PathState<M::kBands> path = load_lane(block, i);
        StepSphere<M::kBands> const sphere = find_step_sphere<M, boxes>(medium, steps, path);
        std::uint32_t const mask = mask_if_fits(sphere.level) & inside_mask(path.stage);
        float const collisions = take_step(medium, steps, sphere, path, mask);
        store_motion(block, i, path);
        block.stepped[i] = mask & 1u;
        block.stepped_collisions[i] = static_cast<std::uint32_t>(static_cast<std::int32_t>(collisions));
    }
}

template <class Isa, class M>
[[gnu::noinline]] void advance_lanes(MediumView const& scene_medium, LaneBlock<M::kBands>& block, int lanes)
{
    MediumView const medium = scene_medium;
#pragma GCC ivdep
    for (int i = 0; i < lanes; ++i) {
        PathState<M::kBands> path = load_lane(block, i);
        bool const active = path.stage == Stage::inside;
        Flight const flight = advance<M>(medium, path, active);
        block.x[i] = path.position.x;
        block.y[i] = path.position.y;
        block.z[i] = path.position.z;
        store_rng(block, i, path.rng);
        block.brick[i] = flight.voxel.brick;
        block.morton[i] = flight.voxel.morton;
        block.event[i] = active ? static_cast<std::uint32_t>(flight.event) : kIdleLane;
        block.tentative[i] = flight.tentative;
    }
}

template <class Isa, Source source, int bands>
[[gnu::noinline]] void absorb_lanes(MediumView const& scene_medium, LaneBlock<bands>& block, int lanes)
{
    MediumView const medium = scene_medium;
#pragma GCC ivdep
    for (int i = 0; i < lanes; ++i) {
        PathState<bands> path = load_lane(block, i);
        bool const active = block.event[i] == static_cast<std::uint32_t>(FlightEvent::collision);
        absorb<source>(medium, VoxelRef{block.brick[i], block.morton[i]}, path, active);
        for (int b = 0; b < bands; ++b) block.throughput[b][i] = path.throughput[b];
    }
}

template <class Isa, Scattering kind, int bands>
[[gnu::noinline]] void scatter_lanes(MediumView const& scene_medium, LaneBlock<bands>& block, int lanes)
{
    MediumView const medium = scene_medium;
#pragma GCC ivdep
    for (int i = 0; i < lanes; ++i) {
        PathState<bands> path = load_lane(block, i);
        bool const active = block.event[i] == static_cast<std::uint32_t>(FlightEvent::collision);
        sample_scattering<kind>(medium, VoxelRef{block.brick[i], block.morton[i]}, path, active);
        block.dx[i] = path.direction.x;
        block.dy[i] = path.direction.y;
        block.dz[i] = path.direction.z;
        store_rng(block, i, path.rng);
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
#pragma GCC ivdep
    for (int i = 0; i < lanes; ++i) {
        std::uint32_t const event = block.event[i];
        std::uint32_t const collides = event == static_cast<std::uint32_t>(FlightEvent::collision) ? 1u : 0u;
        std::uint32_t collided = collides; // in this flight, or in the long step before it
        std::uint32_t depth = block.depth[i] + collides;
        if constexpr (steps == Steps::spheres) {
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
        block.flagged[i] = leaves | plays | cut;
    }
    return {collisions, tentative, long_steps, stepped_collisions};
}

} // namespace volpt
