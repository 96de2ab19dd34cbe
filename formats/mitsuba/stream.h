// A Mitsuba medium inside a box as a stream of voxels.
#pragma once

#include "formats/mitsuba/medium.h"
#include "formats/mitsuba/surroundings/surroundings.h"
#include "libvolpt/volume/voxel_stream.h"

namespace volpt {

/// Whether the faces of the box are a surface, whose place matters.
enum class BoxFaces { free, boundary };

struct MitsubaStreamOptions {
    std::size_t bands = 1; ///< 1, or 3
    BoxFaces faces = BoxFaces::free;
    std::optional<Encoding> encoding; ///< f16 or f32, of grids; absent: the file's own
    std::optional<double> scale;      ///< replaces the medium's
    std::optional<double> g;
    std::optional<Filter> filter;
};

/// The medium where `box` (of the unit cube, to the world) and its grids overlap; with a boundary all of `box`, empty
/// outside the grids. The box is widened to whole voxels, and `notices` say by how much. `box` absent: all of the
/// grids. `surroundings` stand around it. Error (input) if the box is not parallel to the voxels, sheared, beside the
/// grid, or if the grids differ in shape.
std::unique_ptr<VoxelStream> make_mitsuba_stream(MitsubaMedium medium, std::optional<Matrix4> const& box,
                                                 MitsubaSurroundings const& surroundings,
                                                 MitsubaStreamOptions const& options, std::string const& where,
                                                 std::vector<std::string> notices, std::string scene_hints_json);

} // namespace volpt
