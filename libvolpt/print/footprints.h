// Which texels of a picture make up each voxel along one axis.
#pragma once

#include <vector>

namespace volpt {

/// Texels first .. first + weights.size() - 1, with weights that sum to 1.
struct Footprint {
    int first = 0;
    std::vector<double> weights;
};

/// One a voxel: the texel at its centre, or, where texels are smaller than voxels, all that it covers, by share.
std::vector<Footprint> find_footprints(int texels, int voxels);

} // namespace volpt
