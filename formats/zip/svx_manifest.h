// The manifest of an SVX archive: where its voxels lie and which of its slices are the density.
#pragma once

#include "libvolpt/volume/volume_source.h"

#include <string_view>

namespace volpt {

/// Sets pitch_mm, rotation, first_voxel_world_mm and dims (of the stack: columns, rows, slices) of `meta`, and keeps
/// the attributes of <grid> as metadata. Returns what the names of the density slices start with. Error (input) names
/// `where` and the attribute. An XML text of another kind changes nothing and returns "".
std::string read_svx_manifest(std::string_view text, std::string const& where, SourceMeta& meta);

} // namespace volpt
