// Whether long steps pay in a scene: the rule behind --long-steps auto.
#pragma once

#include "libvolpt/scene/scene.h"
#include "libvolpt/volume/volume.h"

namespace volpt {

/// How many flights paths take without and with long steps: sums over the same few paths of the scene, which are walked
/// collision by collision.
struct FlightCounts {
    std::uint64_t plain = 0;
    std::uint64_t stepping = 0;
};

/// Depends on volume and scene alone; the scene's choice of long steps and its light are ignored. Takes a tenth of a
/// second. Error as RenderScene's constructor.
FlightCounts count_flights(Scene scene, PackedVolume const& volume);

/// `on` if long steps save so many flights that they pay although each costs more, and if the scene has the local
/// majorants that they need.
LongSteps choose_long_steps(Scene const& scene, PackedVolume const& volume);

} // namespace volpt
