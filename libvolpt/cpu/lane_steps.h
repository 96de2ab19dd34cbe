// The long steps of a block's lanes: vector loops, and the loads from the bank between them.
#pragma once

#include "libvolpt/cpu/step_passes.h"

namespace volpt {

/// Does nothing where paths take no long steps.
template <class Isa, class M>
class LaneSteps {
    static constexpr int kBands = M::kBands;

public:
    explicit LaneSteps(SceneView const& scene) : scene_(scene) {}

    /// Sets what follows from the band of lane `i`.
    void set_constants([[maybe_unused]] LaneBlock<kBands> const& block, [[maybe_unused]] int i)
    {
        if constexpr (M::kSteps != Steps::plain) {
            LongStepsView const& steps = scene_.long_steps;
            if (!has_single_box<M>(steps)) return;
            StepBrick<kBands> const& entry = find_step_brick<kBands>(steps, 0, block.band[i]);
            store_law(regions_, i, entry);
            regions_.clearance_mm[i] = entry.clearance_mm;
            regions_.first_level[i] = find_first_level(steps, entry);
        }
    }

    void take([[maybe_unused]] LaneBlock<kBands>& block, [[maybe_unused]] int lanes)
    {
        if constexpr (M::kSteps != Steps::plain) {
            find_outcomes(block, lanes);
            // In a loop of their own, the loads that miss wait together, not per vector.
            for (int i = 0; i < lanes; ++i) regions_.outcome[i] = scene_.long_steps.bank.outcomes[regions_.index[i]];
            step_lanes<Isa, M>(scene_.medium, scene_.long_steps, regions_, block, lanes);
        }
    }

    /// A bank is larger than a second-level cache. The outcomes that come next are fetched while other work goes on,
    /// which changes few of them.
    void prefetch([[maybe_unused]] LaneBlock<kBands> const& block, [[maybe_unused]] int lanes)
    {
        if constexpr (M::kSteps != Steps::plain) {
            find_outcomes(block, lanes);
            for (int i = 0; i < lanes; ++i) __builtin_prefetch(scene_.long_steps.bank.outcomes + regions_.index[i]);
        }
    }

private:
    void find_outcomes(LaneBlock<kBands> const& block, int lanes)
    {
        if (has_single_box<M>(scene_.long_steps))
            find_regions<Isa, M, StepBoxes::single>(scene_.medium, scene_.surface, scene_.long_steps, block, regions_,
                                                    lanes);
        else
            find_regions<Isa, M, StepBoxes::per_brick>(scene_.medium, scene_.surface, scene_.long_steps, block,
                                                       regions_, lanes);
    }

    SceneView const& scene_;
    RegionLanes<kBands> regions_{};
};

} // namespace volpt
