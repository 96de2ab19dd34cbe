// The tables of long steps for a volume: clearances, uniform boxes, the values of g that have banks, levels.
#pragma once

#include "libvolpt/core/scene_view.hd.h"

#include <vector>

namespace volpt {

/// Owns what a LongStepsView points to, for media whose scene has long steps on.
class LongStepsTables {
public:
    /// Fills `view.long_steps`, except for the outcomes, for spheres or layers, from the volume and from the medium,
    /// faces and surface of `view`, which must be complete. Long steps stay off if none fits anywhere; the film has the
    /// same bits then. Error (usage) if paths are to step through layers and no box of one material has two axes
    /// without end.
    void fill(VolumeView const& volume, Steps kind, SceneView& view);

private:
    std::vector<StepBox> boxes_;
    std::vector<StepBrick<1>> bricks_of_band_; ///< one of the two is empty
    std::vector<StepBrick<3>> bricks_of_three_;
};

} // namespace volpt
