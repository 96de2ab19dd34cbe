// Estimates how often the voxels of each brick are looked up in a render.
#pragma once

#include "libvolpt/core/scene_view.hd.h"
#include "libvolpt/volume/paging/access_order.h"

#include <algorithm>

namespace volpt {

/// Flights that are worth the time they take: a thread walks its share in about half a second.
inline std::uint32_t choose_access_flights(int threads)
{
    return static_cast<std::uint32_t>(std::clamp(threads, 1, 16)) << 20;
}

/// From paths spread over the picture, which are walked collision by collision on `threads` threads: a million of them,
/// or fewer that take about `most_flights`. A function of the scene and that number alone. The scene's pointers are the
/// host's. Empty where no voxel is ever looked up.
BrickAccessCounts estimate_brick_accesses(SceneView const& scene, int threads, std::uint32_t most_flights);

} // namespace volpt
