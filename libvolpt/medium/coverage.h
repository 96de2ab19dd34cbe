// Shares of the materials in each layer of a labelled volume.
#pragma once

#include "libvolpt/volume/volume.h"

#include <vector>

namespace volpt {

/// Layers count from the top: the last layer of the volume, which is the +z face, is number 0.
struct Coverage {
    std::vector<std::vector<double>> layers; ///< by layer from the top, by material: share of its voxels, 0..1
    std::vector<double> total;               ///< by material
};

/// Error (usage) unless the volume has labels.
Coverage measure_coverage(PackedVolume const& volume);

} // namespace volpt
