#pragma once

#include "libvolpt/core/scene_view.hd.h"
#include "libvolpt/volume/paging/access_order.h"

#include <algorithm>

namespace volpt {

/// Flights that take about half a second on so many threads.
inline std::uint32_t choose_access_flights(int threads)
{
    return static_cast<std::uint32_t>(std::clamp(threads, 1, 16)) << 20;
}

/// Estimates how often the voxels of each brick are looked up in a render, from paths spread over the picture that are
/// walked collision by collision on `threads` threads: a million paths, or fewer that take about `most_flights`
/// flights. The result depends on the scene and `most_flights` alone. The scene has host pointers. Empty where no voxel
/// is ever looked up.
BrickAccessCounts estimate_brick_accesses(SceneView const& scene, int threads, std::uint32_t most_flights);

} // namespace volpt
