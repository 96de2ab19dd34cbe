// Counts of a volume's voxels by value.
#pragma once

#include "libvolpt/volume/volume.h"

#include <nlohmann/json_fwd.hpp>

namespace volpt {

/// Of a volume with materials: {"quantity": "material", "counts": {name: voxels}}. Of one with a density plane:
/// {"quantity": "density", "min", "max", "mean", "bin_width", "counts": 32 bins from 0 on, the last with its upper
/// end}; of others {"quantity": "none"}.
nlohmann::ordered_json count_values(PackedVolume const& volume);

} // namespace volpt
