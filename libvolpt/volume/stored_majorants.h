// The majorants that a packed volume's voxels give, for checking those that it states.
#pragma once

#include "libvolpt/core/volume_view.hd.h"

#include <vector>

namespace volpt {

/// By distinct band and brick, [distinct * bricks + brick]: the largest stored extinction that lookups inside the brick
/// can read, before the scale, exactly as the packer finds it. Reads tables, voxels, material tables, majorant_index
/// and filter; indices must have been checked (check_plane, check_labels). Empty if extinction is constant. On up to
/// `threads` threads (parallel_for_joined).
std::vector<float> compute_majorants(VolumeView const& volume, int threads = 1);

} // namespace volpt
