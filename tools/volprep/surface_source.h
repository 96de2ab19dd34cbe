// The solid that a volume's own voxels make, bounded by their surface.
#pragma once

#include "libvolpt/volume/mesh/smooth_surface.h"
#include "libvolpt/volume/voxel_stream.h"
#include "tools/options/tool.h"
#include "tools/volprep/options.h"

#include <functional>

namespace volpt {

/// The volume bounded by the surface of `solid`, its occupied voxels; a smooth one is drawn to `target`, if there is
/// one. As below.
std::unique_ptr<VoxelStream> bound_by_voxels(ToolRun const& run, SurfaceKind kind, SolidVoxels solid,
                                             std::string const& where, std::unique_ptr<VoxelStream> volume,
                                             SurfaceTarget const& target = {});

/// The volume that `open` opens, twice, bounded by the surface of its occupied voxels: those of a density above
/// `threshold`, or whose material is not air. Notices tell what a mesh editor would call unusual. Error (usage) if a
/// mesh bounds it already, or if `threshold` is given for labels; Error (input, at `where`) if there is no such
/// surface, or if it bounds no solid.
std::unique_ptr<VoxelStream> bound_by_own_surface(ToolRun const& run, SurfaceKind kind, std::optional<double> threshold,
                                                  std::string const& where,
                                                  std::function<std::unique_ptr<VoxelStream>()> const& open);

} // namespace volpt
