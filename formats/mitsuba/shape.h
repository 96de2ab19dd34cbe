// Shapes of a Mitsuba scene that bound a medium: boxes, or shapes that are replaced by their bounding boxes.
#pragma once

#include "formats/mitsuba/values.h"

#include <optional>

namespace volpt {

enum class ShapeUse { exact, bounding_box };

/// The matrix that puts the unit cube (0..1) where the box lies. Cubes are boxes unless they are sheared; .obj and .ply
/// meshes are if their vertices are the eight corners of one. Absent for other shapes, unless `use` allows the bounding
/// box, which `notices` report; Error (input) if that of the shape is not known.
std::optional<Matrix4> find_shape_box(MitsubaTree const& tree, MitsubaNode const& shape, ShapeUse use,
                                      std::vector<std::string>& notices);

/// Vertices of a Wavefront .obj or a .ply (text, or binary of either byte order). Error (input) names file and line or
/// offset.
std::vector<std::array<double, 3>> read_mesh_vertices(std::filesystem::path const& path);

} // namespace volpt
