// The part of a Mitsuba medium's grid that its shape needs, and where the shape ends between the grid's voxels.
#pragma once

#include "formats/mitsuba/medium.h"
#include "formats/mitsuba/shape.h"
#include "libvolpt/surface/triangle_mesh.h"

namespace volpt {

/// Voxels low .. low + dims - 1 along each axis; outside of the grid they are empty.
struct VoxelWindow {
    std::array<int, 3> low{0, 0, 0};
    std::array<int, 3> dims{0, 0, 0};
    TriangleMesh bounds_voxels; ///< of the medium, from the window's corner; empty: all of it
};

/// What bounds the medium: grid and shape alike, or the shape, with nothing outside of the grid.
enum class WindowLimit { grid, box };

/// Where the medium ends in a grid: with its cells, or, in Mitsuba 0.x, with the outermost samples.
enum class GridEnd { cells, samples };

struct GridReach {
    WindowLimit limit = WindowLimit::grid;
    GridEnd grid_end = GridEnd::cells;
    Filter filter = Filter::trilinear; ///< trilinear if that of any grid is
    ShapeUse fit = ShapeUse::exact;    ///< bounding_box: the box is widened to whole voxels
};

struct GridNotes {
    std::vector<std::string> losses; ///< what is rendered otherwise than the scene says
    std::vector<std::string> facts;
};

/// The voxels that lookups in the medium need, and its bounds among them; the medium is in `box` (of the unit cube, to
/// the world). Error (input) names `where` if the box does not meet the grid, reaches far beyond it, or is turned
/// against it and reaches beyond it.
VoxelWindow find_voxel_window(MitsubaGrid const& grid, Matrix4 const& box, GridReach const& reach,
                              std::string const& where, GridNotes& notes);

} // namespace volpt
