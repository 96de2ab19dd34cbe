// The vector loops of long steps.
#pragma once

#include "libvolpt/core/long_steps.hd.h"
#include "libvolpt/cpu/lane_passes.h"

namespace volpt {

/// The spheres about a block's lanes, and the outcomes that come next.
template <int bands>
struct alignas(64) SphereLanes {
    // Of the lane's brick, or of its band where there is a single box.
    float sigma_t[kLanes];
    float absorption[bands][kLanes];
    float clearance_mm[kLanes]; ///< single box only
    std::uint32_t row[kLanes];  ///< likewise: find_outcome_row
    std::uint32_t level[kLanes];
    std::uint32_t mask[kLanes];  ///< all ones where a step is taken
    std::uint32_t index[kLanes]; ///< of the outcome, in the bank
    Outcome outcome[kLanes];
};

/// Stores what the step itself takes of an entry.
template <int bands>
VOLPT_HD void store_law(SphereLanes<bands>& spheres, int i, StepBrick<bands> const& entry)
{
    spheres.sigma_t[i] = entry.sigma_t;
    for (int b = 0; b < bands; ++b) spheres.absorption[b][i] = entry.absorption[b];
}

/// Finds the spheres of all lanes, and which outcomes of them come next: index 0 where no step is taken. With a single
/// box, `spheres` holds the entries of the lanes' bands.
template <class Isa, class M, StepBoxes boxes>
[[gnu::noinline]] void find_spheres(MediumView const& scene_medium, LongStepsView const& scene_steps,
                                    LaneBlock<M::kBands> const& block, SphereLanes<M::kBands>& spheres, int lanes)
{
    MediumView const medium = scene_medium;
    LongStepsView const steps = scene_steps;
    lanes &= -kVectorLanes;
#pragma GCC ivdep
    for (int i = 0; i < lanes; ++i) {
        Vec3 const position{block.x[i], block.y[i], block.z[i]};
        std::int32_t level;
        std::uint32_t row;
        if constexpr (boxes == StepBoxes::per_brick) {
            StepBrick<M::kBands> const& entry =
                find_step_brick<M::kBands>(steps, find_brick_index(medium, position), block.band[i]);
            level = find_sphere_level(steps, position,
                                      steps.boxes[static_cast<std::int32_t>(entry.box_and_g / kMaxBankedG)],
                                      entry.clearance_mm, entry.sigma_t);
            row = find_outcome_row(steps, entry);
            store_law(spheres, i, entry);
        } else {
            level = find_sphere_level(steps, position, steps.boxes[0], spheres.clearance_mm[i], spheres.sigma_t[i]);
            row = spheres.row[i];
        }
        std::uint32_t const mask = mask_if_fits(level) & inside_mask(static_cast<Stage>(block.stage[i]));
        spheres.level[i] = static_cast<std::uint32_t>(level) & mask;
        spheres.mask[i] = mask;
        spheres.index[i] =
            find_outcome(steps.bank, row + static_cast<std::uint32_t>(level), block.rng_counter[i]) & mask;
    }
}

/// Long steps of the lanes whose safe radius holds a sphere, with the outcomes in `spheres`.
template <class Isa, class M>
[[gnu::noinline]] void step_lanes(MediumView const& scene_medium, LongStepsView const& scene_steps,
                                  SphereLanes<M::kBands> const& spheres, LaneBlock<M::kBands>& block, int lanes)
{
    MediumView const medium = scene_medium;
    LongStepsView const steps = scene_steps;
    lanes &= -kVectorLanes;
#pragma GCC ivdep
    for (int i = 0; i < lanes; ++i) {
        PathState<M::kBands> path = load_lane(block, i);
        StepLaw<M::kBands> law;
        law.sigma_t = spheres.sigma_t[i];
        for (int b = 0; b < M::kBands; ++b) law.absorption[b] = spheres.absorption[b][i];
        law.level = spheres.level[i];
        std::uint32_t const mask = spheres.mask[i];
        float const collisions = take_step(medium, steps, law, spheres.outcome[i], path, mask);
        store_motion(block, i, path);
        block.stepped[i] = mask & 1u;
        block.stepped_collisions[i] = static_cast<std::uint32_t>(static_cast<std::int32_t>(collisions));
    }
}

} // namespace volpt
