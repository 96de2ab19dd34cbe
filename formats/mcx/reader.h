// Reads an input of MCX (Monte Carlo eXtreme, Fang and Boas 2009): media by voxel, and the scene as hints.
#pragma once

#include "formats/mcx/labels.h"
#include "libvolpt/volume/voxel_stream.h"

#include <filesystem>

namespace volpt {

/// True for files that end in .json, or begin as MCX's inputs do. Error (input) if there is no such file.
bool is_mcx_input(std::filesystem::path const& path);

/// The volume's corner is the origin of the world, in mm. One medium is a homogeneous volume, several are labels.
/// Notices list what is left out or differs from MCX. Error (input) names the file and the field.
std::unique_ptr<VoxelStream> open_mcx_input(std::filesystem::path const& path, McxLabelOptions const& options = {});

} // namespace volpt
