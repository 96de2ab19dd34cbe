#pragma once

#include "libvolpt/volume/mesh/occupancy.h"

namespace volpt {

/// `volume`, but every empty voxel that touches an occupied one, at a face, an edge or a corner, has the density,
/// albedo and label of the nearest of these; of equally near ones, of the first by z, then y, then x. A point within
/// the surface of the occupied voxels, between their faces or smoothed (place_smoothed), is interpolated from occupied
/// voxels and from such neighbours alone, because each point is in a cell of eight voxel centres one of which is
/// occupied: without this, density would fall, and air begin, inside of the solid. Reads as many layers ahead as the
/// volume gives at a time. `occupied` has the volume's dims.
std::unique_ptr<VoxelStream> fill_border(std::unique_ptr<VoxelStream> volume, Occupancy occupied);

} // namespace volpt
