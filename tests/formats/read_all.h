// All voxels of a source at once.
#pragma once

#include "libvolpt/volume/source/volume_source.h"

#include <filesystem>
#include <vector>

namespace volpt {

/// In the source's order, the channels of a voxel together.
inline std::vector<float> read_all(VolumeSource& source)
{
    auto const& meta = source.meta();
    auto const [x, y, z] = meta.dims;
    std::vector<float> values(static_cast<std::size_t>(meta.channels) * static_cast<std::size_t>(x) *
                              static_cast<std::size_t>(y) * static_cast<std::size_t>(z));
    source.read_slab(0, z, values);
    return values;
}

} // namespace volpt
