// Counts of the labels of many voxels.
#pragma once

#include "libvolpt/core/volume_view.hd.h"

#include <array>
#include <cstdint>
#include <span>

namespace volpt {

using LabelHistogram = std::array<std::uint64_t, kMaxMaterials>;

/// Adds how often each label occurs.
void count_labels(std::span<std::uint8_t const> labels, LabelHistogram& histogram);

} // namespace volpt
