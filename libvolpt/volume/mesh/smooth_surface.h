// A surface of quadrilaterals between voxels, smoothed as far as the voxels allow, as a mesh in its volume's box.
#pragma once

#include "libvolpt/volume/mesh/occupancy.h"
#include "libvolpt/volume/mesh/place_mesh.h"

#include <functional>

namespace volpt {

/// Dual to a grid of voxels: every vertex lies in a cell, the cube whose corners are the centres of eight voxels, and
/// every quadrilateral around an edge between the centres of an occupied and an empty voxel. Counter-clockwise as seen
/// from outside.
struct QuadMesh {
    std::vector<Vec3> positions_voxels; ///< from the corner of the box; voxel centres are at halves
    std::vector<std::array<std::uint32_t, 4>> quads;
};

/// Vertices of a smoothed mesh that were taken back to where they had been, so that the surface does not intersect
/// itself.
struct SmoothedMesh {
    PlacedMesh placed;
    std::uint64_t kept_vertices = 0;
};

/// Smooths without shrinking (G. Taubin, A Signal Processing Approach to Fair Surface Design, SIGGRAPH 1995), while
/// each vertex stays in its cell and in the box (S. Gibson, Constrained Elastic Surface Nets, MICCAI 1998). Parts and
/// gaps of one or two voxels stay within 0.1 and 0.25 voxels, along each axis, of the faces of the voxels.
/// Quadrilaterals are divided by the shorter diagonal. Where triangles intersect, their vertices go back to where
/// `surface` has them; the report tells what is left of that. `surface` is that of `occupied`, indices in range,
/// positions in the box. The same bits for any number of threads.
///
/// With `target`, which several threads may call, smoothed vertices go to the points that it gives for them, as far as
/// their cells allow: to the surface of which the voxels are.
using SurfaceTarget = std::function<Vec3(Vec3 position_voxels)>;
SmoothedMesh place_smoothed(MeshBox const& box, QuadMesh const& surface, Occupancy const& occupied, int threads,
                            SurfaceTarget const& target = {});

} // namespace volpt
