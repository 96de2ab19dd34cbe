#pragma once

#include "libvolpt/core/lookup.hd.h"

#include <algorithm>

namespace volpt {

/// Visits the voxels of a brick that lie in the volume, as VoxelRef.
template <class Visit>
void visit_brick(MediumView const& medium, std::int32_t brick, Visit visit)
{
    std::int32_t const row = medium.brick_counts[0], layer = row * medium.brick_counts[1];
    std::int32_t const first[3] = {brick % row * kBrickEdge, brick % layer / row * kBrickEdge,
                                   brick / layer * kBrickEdge};
    auto const end = [&](int axis) {
        return std::min(first[axis] + kBrickEdge, static_cast<std::int32_t>(get_axis(medium.size_voxels, axis)));
    };
    for (std::int32_t z = first[2]; z < end(2); ++z)
        for (std::int32_t y = first[1]; y < end(1); ++y)
            for (std::int32_t x = first[0]; x < end(0); ++x) visit(make_voxel_ref(medium, x, y, z));
}

} // namespace volpt
