// Emitters that are surfaces, among the surfaces that stand around a volume.
#pragma once

#include "libvolpt/volume/emitters/emitter.h"
#include "libvolpt/volume/surroundings/surrounding_shapes.h"
#include "libvolpt/volume/volume.h"

#include <array>
#include <span>
#include <vector>

namespace volpt {

/// The surface of an emitter with an area: triangles, or a sphere.
struct EmitterPlace {
    std::uint32_t first_triangle = 0;
    std::uint32_t triangle_count = 0;
    std::uint32_t sphere = 0; ///< without triangles
};

struct LitShapes {
    SurroundingShapes shapes;
    std::vector<EmitterPlace> places; ///< by emitter; empty for those without area
};

/// A point of the world, in mm from the corner of the volume's box, along its axes.
std::array<double, 3> place_in_box(Placement const& placement, std::array<double, 3> const& world);

/// `shapes` of a volume, followed by the surfaces of rectangles, disks and spheres, which reflect nothing. A disk
/// has 128 triangles and the area of the circle. Error (usage) names an emitter whose triangles the volume does not
/// have, or that cannot be rendered (find_shape_problem).
LitShapes add_emitter_shapes(SurroundingShapes shapes, std::span<Emitter const> emitters, VolumeMeta const& meta);

} // namespace volpt
