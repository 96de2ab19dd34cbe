// Lays voxels over texels.
#include "libvolpt/print/footprints.h"

#include <algorithm>

namespace volpt {

std::vector<Footprint> find_footprints(int texels, int voxels)
{
    std::vector<Footprint> footprints(static_cast<std::size_t>(voxels));
    double const ratio = static_cast<double>(texels) / voxels;
    for (int i = 0; i < voxels; ++i) {
        Footprint& footprint = footprints[static_cast<std::size_t>(i)];
        if (texels <= voxels) {
            footprint.first = std::min(texels - 1, static_cast<int>((i + 0.5) * ratio));
            footprint.weights = {1};
            continue;
        }
        double const begin = i * ratio;
        double const end = (i + 1) * ratio;
        footprint.first = static_cast<int>(begin);
        for (int t = footprint.first; t < texels && t < end; ++t)
            footprint.weights.push_back((std::min<double>(t + 1, end) - std::max<double>(t, begin)) / ratio);
    }
    return footprints;
}

} // namespace volpt
