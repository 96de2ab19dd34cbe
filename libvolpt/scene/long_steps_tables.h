// What long steps need to know of a volume: clearances, the values of g that banks are made for, how large spheres get.
#pragma once

#include "libvolpt/core/scene_view.hd.h"

#include <vector>

namespace volpt {

/// Owns what a LongStepsView points to, for media whose scene has long steps on.
class LongStepsTables {
public:
    /// Fills `view.long_steps` (all but the outcomes themselves) from the volume and from the medium and faces of
    /// `view`, which must be complete. It stays off where no sphere fits anywhere: the bits are the same then.
    void fill(VolumeView const& volume, SceneView& view);

private:
    std::vector<StepBox> boxes_;
    std::vector<StepBrick<1>> bricks_of_band_; ///< one of the two is empty
    std::vector<StepBrick<3>> bricks_of_three_;
};

} // namespace volpt
