// The vector loops of long steps.
#pragma once

#include "libvolpt/core/surface/mesh_flight.hd.h"
#include "libvolpt/cpu/lane_passes.h"

namespace volpt {

/// The spheres about a block's lanes, or the layers ahead of them, and the outcomes that come next.
template <int bands>
struct alignas(64) RegionLanes {
    // Of the lane's brick, or of its band where there is a single box.
    float sigma_t[kLanes];
    float absorption[bands][kLanes];
    float clearance_mm[kLanes];        ///< single box only
    std::uint32_t first_level[kLanes]; ///< likewise: find_first_level
    std::uint32_t level[kLanes];
    std::uint32_t mask[kLanes];  ///< all ones where a step is taken
    std::uint32_t index[kLanes]; ///< of the outcome, in the bank
    Outcome outcome[kLanes];
};

/// Stores what the step itself takes of an entry.
template <int bands>
VOLPT_HD void store_law(RegionLanes<bands>& regions, int i, StepBrick<bands> const& entry)
{
    regions.sigma_t[i] = entry.sigma_t;
    for (int b = 0; b < bands; ++b) regions.absorption[b][i] = entry.absorption[b];
}

/// Finds the spheres or layers of all lanes, and which outcomes of them come next: index 0 where no step is taken. With
/// a single box, `regions` holds the entries of the lanes' bands.
template <class Isa, class M, StepBoxes boxes>
[[gnu::noinline]] void find_regions(MediumView const& scene_medium, SurfaceView const& scene_surface,
                                    LongStepsView const& scene_steps, LaneBlock<M::kBands> const& block,
                                    RegionLanes<M::kBands>& regions, int lanes)
{
    MediumView const medium = scene_medium;
    [[maybe_unused]] SurfaceView const surface = scene_surface;
    LongStepsView const steps = scene_steps;
    lanes &= -kVectorLanes;
#pragma GCC ivdep
    for (int i = 0; i < lanes; ++i) {
        Vec3 const position{block.x[i], block.y[i], block.z[i]};
        Vec3 const direction{block.dx[i], block.dy[i], block.dz[i]};
        std::int32_t level;
        std::uint32_t first_level;
        if constexpr (boxes == StepBoxes::per_brick) {
            StepBrick<M::kBands> const& entry =
                find_step_brick<M::kBands>(steps, find_brick_index(medium, position), block.band[i]);
            level = find_step_level<M::kSteps>(steps, position, direction,
                                               steps.boxes[static_cast<std::int32_t>(entry.box_and_g / kMaxBankedG)],
                                               entry.clearance_mm, entry.sigma_t);
            first_level = find_first_level(steps, entry);
            store_law(regions, i, entry);
        } else {
            level = find_step_level<M::kSteps>(steps, position, direction, steps.boxes[0], regions.clearance_mm[i],
                                               regions.sigma_t[i]);
            first_level = regions.first_level[i];
        }
        if constexpr (M::kSurfaces != Surfaces::box)
            level = exact::min(level, find_surface_level(medium, surface, steps, position, regions.sigma_t[i]));
        std::uint32_t const mask = mask_if_fits(level) & inside_mask(static_cast<Stage>(block.stage[i]));
        regions.level[i] = static_cast<std::uint32_t>(level) & mask;
        regions.mask[i] = mask;
        regions.index[i] =
            find_next_outcome<M::kSteps>(steps, first_level + regions.level[i], direction, load_rng(block, i)) & mask;
    }
}

/// Long steps of the lanes for which one fits, with the outcomes in `regions`. Flat: where inlining is left to g++, it
/// calls take_step, and the loop runs one lane at a time.
template <class Isa, class M>
[[gnu::noinline, gnu::flatten]] void step_lanes(MediumView const& scene_medium, LongStepsView const& scene_steps,
                                                RegionLanes<M::kBands> const& regions, LaneBlock<M::kBands>& block,
                                                int lanes)
{
    MediumView const medium = scene_medium;
    LongStepsView const steps = scene_steps;
    lanes &= -kVectorLanes;
#pragma GCC ivdep
    for (int i = 0; i < lanes; ++i) {
        PathState<M::kBands> path = load_lane(block, i);
        StepLaw<M::kBands> law;
        law.sigma_t = regions.sigma_t[i];
        for (int b = 0; b < M::kBands; ++b) law.absorption[b] = regions.absorption[b][i];
        law.level = regions.level[i];
        std::uint32_t const mask = regions.mask[i];
        float const collisions = take_step<M::kSteps>(medium, steps, law, regions.outcome[i], path, mask);
        store_motion(block, i, path);
        block.stepped[i] = mask & 1u;
        block.stepped_collisions[i] = static_cast<std::uint32_t>(static_cast<std::int32_t>(collisions));
    }
}

} // namespace volpt
