// Estimates how often the voxels of each brick are looked up in a render.
#pragma once

#include "kernels/gpu.h"

namespace volpt {

/// Flights of paths; a third of a second on two cores.
inline constexpr std::uint32_t kHeatFlights = 1 << 22;

/// From paths spread over the picture, which are walked collision by collision on `threads` threads: a million of them, or fewer that
/// take about `most_flights`. A function of the scene and that number alone. The scene's pointers are the host's. Empty where no voxel is
/// ever looked up.
BrickHeat estimate_brick_heat(SceneView const& scene, int threads, std::uint32_t most_flights = kHeatFlights);

} // namespace volpt
