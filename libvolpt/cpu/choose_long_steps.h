// Whether long steps are worth their while in a scene: the rule behind --long-steps auto.
#pragma once

#include "libvolpt/scene/scene.h"
#include "libvolpt/volume/volume.h"

namespace volpt {

/// How often paths fly without and with long steps: sums over the same few paths of the scene, which are walked
/// collision by collision. Whatever such a path does inside the sphere that it has room for would be one long step.
struct FlightCounts {
    std::uint64_t plain = 0;
    std::uint64_t stepping = 0;
};

/// A function of volume and scene; whatever the scene says of long steps, and its light, play no part. Takes a tenth of
/// a second. Error as RenderScene's constructor.
FlightCounts count_flights(Scene scene, PackedVolume const& volume);

/// `on` if long steps save enough flights that each may cost what a step adds to it, and the scene has the majorants of
/// bricks that they go with.
LongSteps choose_long_steps(Scene const& scene, PackedVolume const& volume);

} // namespace volpt
