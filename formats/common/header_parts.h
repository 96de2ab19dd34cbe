// Steps that the headers of several formats share.
#pragma once

#include "libvolpt/volume/element_type.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace volpt {

/// Bytes of a volume's elements, without compression.
std::uint64_t count_data_bytes(ElementType type, int channels, std::array<int, 3> const& dims);

/// One flat JSON object of strings, for SourceMeta::metadata_json.
std::string format_metadata(std::vector<std::pair<std::string, std::string>> const& fields);

struct VoxelAxes {
    std::array<double, 3> pitch_mm{1, 1, 1};
    std::array<double, 9> rotation{1, 0, 0, 0, 1, 0, 0, 0, 1}; ///< row-major, columns are the voxel axes
};

/// `steps_mm[a]` leads from a voxel to the next along axis a. Axes that are perpendicular to 1e-3 are made exactly so
/// (Gram-Schmidt; headers carry few digits). Error (input) names `where` and `field` for others, and for steps without
/// length.
VoxelAxes split_axes(std::array<std::array<double, 3>, 3> const& steps_mm, std::string const& where,
                     std::string const& field);

} // namespace volpt
