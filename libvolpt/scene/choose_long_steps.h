// Whether long steps are worth their while in a scene: the rule behind --long-steps auto.
#pragma once

#include "libvolpt/scene/scene.h"
#include "libvolpt/volume/volume.h"

namespace volpt {

/// `on` if at least a tenth of the volume has room for spheres of 4 mean free paths in some band (measure_roomy_share), and the scene
/// has the majorants of bricks that long steps go with. A function of volume and scene; whatever the scene says of long steps, and
/// its light, play no part. Error as RenderScene's constructor.
LongSteps choose_long_steps(Scene scene, PackedVolume const& volume);

} // namespace volpt
