// The solid of a mesh that check_mesh does not accept: its voxels, and what of the mesh is its surface.
#pragma once

#include "libvolpt/volume/mesh/smooth_surface.h"

#include <memory>

namespace volpt {

/// What of a mesh in voxels lies within a voxel of the border between voxels inside and others: the outside of shells
/// that overlap, without their parts in each other. Triangles that are there in part are divided into pieces of about
/// two voxels; values of corners are interpolated, colours in linear light. Vertices are not shared.
TriangleMesh take_outer_surface(TriangleMesh const& mesh_voxels, Occupancy const& inside);

struct SoupSolid {
    PlacedMesh
        outer_surface; ///< take_outer_surface; its report has the volume of the voxels, its own area, no findings
    std::shared_ptr<Occupancy const> inside;
    std::uint64_t voxels = 0, doubtful_voxels = 0; ///< inside, and inside_by_winding.h
};

/// Of the mesh in a box with at least a voxel around it, as of fit_print_box; its corners are in range and finite.
/// Error (input, at `where`) if no voxel is inside.
SoupSolid find_soup_solid(PlacedMesh mesh, std::string const& where, int threads);

/// Moves points to the nearest point of `surface`, if it is at most two voxels away.
SurfaceTarget make_surface_target(PlacedMesh const& surface, int threads);

} // namespace volpt
