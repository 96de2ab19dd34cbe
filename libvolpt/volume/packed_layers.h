// Reads layers of voxels from a packed volume, row by row instead of by bricks.
#pragma once

#include "libvolpt/volume/volume.h"

#include <array>
#include <span>

namespace volpt {

/// Decoded elements of layer z of a plane, [y][x][channel]; `values` holds dims.x * dims.y * channels.
void read_plane_layer(VolumeView const& view, PlaneView const& plane, int z, std::span<float> values);
/// The same for the label plane.
void read_label_layer(VolumeView const& view, int z, std::span<std::uint8_t> labels);

/// Voxels of each label in the whole volume; constant bricks are not visited voxel by voxel.
std::array<std::uint64_t, kMaxMaterials> count_labels(VolumeView const& view);

} // namespace volpt
