// A box of voxels cut out of a foreign volume.
#pragma once

#include "libvolpt/volume/source/volume_source.h"

#include <memory>

namespace volpt {

/// Voxels first .. end - 1 along x, y, z, as the source counts them: the first stored column, row and layer are 0.
struct Crop {
    std::array<int, 3> first{0, 0, 0};
    std::array<int, 3> end{0, 0, 0};
};

/// `source` without the voxels outside `crop`; those inside stay where they are in the world, and messages name them by
/// their place in the source. `pitch_mm` is what replaces the source's own pitch. Reads whole layers, only the cropped
/// ones; what a reader checks when its last layer is read goes unchecked if that layer is cut off. Error (usage) unless
/// the box lies in the volume and holds a voxel.
std::unique_ptr<VolumeSource> crop_source(std::unique_ptr<VolumeSource> source, Crop const& crop,
                                          std::optional<std::array<double, 3>> const& pitch_mm);

} // namespace volpt
