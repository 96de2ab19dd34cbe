// A Mitsuba medium inside a box as a stream of voxels.
#pragma once

#include "formats/mitsuba/grid_window.h"
#include "formats/mitsuba/medium.h"
#include "formats/mitsuba/surroundings/surroundings.h"
#include "libvolpt/volume/voxel_stream.h"

namespace volpt {

/// Whether the faces of the box are a surface, whose place matters.
enum class BoxFaces { free, boundary };

struct MitsubaStreamOptions {
    std::size_t bands = 1; ///< 1, or 3
    BoxFaces faces = BoxFaces::free;
    GridEnd grid_end = GridEnd::cells;
    ShapeUse fit = ShapeUse::exact;
    std::optional<Encoding> encoding; ///< f16 or f32, of grids; absent: the file's own
    std::optional<double> scale;      ///< replaces the medium's
    std::optional<double> g;
    std::optional<Filter> filter;
};

/// The medium where `box` (of the unit cube, to the world) and its grids overlap; with a boundary all of `box`, empty
/// outside the grids. A box that does not end with the voxels is bounded by triangles, or widened to whole voxels
/// (ShapeUse::bounding_box). `box` absent: all of the grids. `surroundings` stand around it. Error (input) as
/// find_voxel_window, and if the box is sheared or the grids differ in shape.
std::unique_ptr<VoxelStream> make_mitsuba_stream(MitsubaMedium medium, std::optional<Matrix4> const& box,
                                                 MitsubaSurroundings const& surroundings,
                                                 MitsubaStreamOptions const& options, std::string const& where,
                                                 std::vector<std::string> notices, std::string scene_hints_json);

} // namespace volpt
