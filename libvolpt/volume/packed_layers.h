// Reads voxels of a packed volume, singly or row by row instead of by bricks, and counts them.
#pragma once

#include "libvolpt/volume/volume.h"

#include <array>
#include <span>
#include <vector>

namespace volpt {

/// Decoded elements of layer z of a plane, [y][x][channel]; `values` holds dims.x * dims.y * channels.
void read_plane_layer(VolumeView const& view, PlaneView const& plane, int z, std::span<float> values);
/// The same for the label plane.
void read_label_layer(VolumeView const& view, int z, std::span<std::uint8_t> labels);

/// Element `channel` of one voxel, which lies in the volume, as read_plane_layer has it.
float read_plane_voxel(VolumeView const& view, PlaneView const& plane, std::array<int, 3> voxel,
                       std::uint32_t channel = 0);
/// The same for the label plane.
std::uint8_t read_label_voxel(VolumeView const& view, std::array<int, 3> voxel);

/// The largest decoded value of each channel. Constant bricks are not visited voxel by voxel.
std::vector<float> find_largest_values(VolumeView const& view, PlaneView const& plane);

/// Voxels of each label in the whole volume; constant bricks are not visited voxel by voxel.
std::array<std::uint64_t, kMaxMaterials> count_labels(VolumeView const& view);

/// How many voxels have a density in each of equal bins from 0 to `to`; `to` itself is in the last one.
struct DensityHistogram {
    double to = 0; ///< the global majorant: the largest density, rounded up
    std::array<std::uint64_t, 256> counts{};
};

/// Of a volume with a density plane. Constant bricks are not visited voxel by voxel. On up to `threads` threads
/// (parallel_for_joined).
DensityHistogram count_densities(VolumeView const& view, int threads);

} // namespace volpt
