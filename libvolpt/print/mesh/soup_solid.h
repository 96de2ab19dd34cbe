// The solid of a mesh that check_mesh does not accept: its voxels, and what of the mesh is its surface.
#pragma once

#include "libvolpt/volume/mesh/smooth_surface.h"

#include <memory>

namespace volpt {

struct SoupSolid {
    PlacedMesh outer_surface; ///< outer_surface.h; its report has the volume of the voxels, its own area, no findings
    std::shared_ptr<Occupancy const> inside;
    std::uint64_t voxels = 0, doubtful_voxels = 0; ///< inside, and inside_by_winding.h
};

/// Of the mesh in a box with at least a voxel around it, as of fit_print_box; its corners are in range and finite.
/// Error (input, at `where`) if no voxel is inside.
SoupSolid find_soup_solid(PlacedMesh mesh, std::string const& where, int threads);

/// Moves points to the nearest point of `surface`, if it is at most two voxels away.
SurfaceTarget make_surface_target(PlacedMesh const& surface, int threads);

} // namespace volpt
