// sigma_t by brick, by which strategies of bidirectional paths are weighed.
#pragma once

#include "libvolpt/core/scene_view.hd.h"

#include <vector>

namespace volpt {

/// The sigma_t of a homogeneous brick, 1/mm, that lets as much light pass as its voxels that lie in the volume do on
/// average: exp(-sigma_t L) is the mean over them, with L the edge of a brick (the harmonic mean over the axes). Where
/// a brick is partly empty, collisions are at the rim of the dense part, and light from there passes the empty one: by
/// the plain mean, a cloud's noise after a given time was 3.5 times as large. In the order of
/// MediumView::local_majorants: a row for each distinct extinction of the `bands`. `medium` has null collisions. Voxels
/// of all bricks are read but of constant ones. The same bits on every host.
std::vector<float> compute_brick_means(MediumView const& medium, std::uint32_t bands);

} // namespace volpt
