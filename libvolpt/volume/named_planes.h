// The planes of a packed volume by name, and as plain arrays.
#pragma once

#include "libvolpt/volume/volume.h"

#include <string>
#include <string_view>
#include <vector>

namespace volpt {

/// Of density, one_minus_albedo, label and emission, those that the volume has by voxel.
std::vector<std::string> list_planes(VolumeView const& view);

/// Error (usage) if the volume has no plane of this name.
PlaneView find_plane(VolumeView const& view, std::string_view name);

/// A plane in full, decoded; a label is an index into the volume's materials().
struct DensePlane {
    std::array<std::size_t, 4> shape{}; ///< z, y, x, channel
    std::vector<float> values;          ///< in this order
};

/// On up to `threads` threads (parallel_for_joined). Error (usage) if the volume has no such plane, (input) if its file
/// was changed meanwhile.
DensePlane read_dense_plane(PackedVolume const& volume, std::string_view name, int threads);

} // namespace volpt
