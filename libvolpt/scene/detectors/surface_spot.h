// Points of the surface that bounds a solid: the nearest one to another point, and where a beam meets it.
#pragma once

#include "libvolpt/core/scene_view.hd.h"
#include "libvolpt/scene/vectors.h"

#include <optional>

namespace volpt {

/// mm from the box's corner, along its axes.
struct SurfaceSpot {
    Vec3d position_mm{};
    Vec3d outward{}; ///< unit normal
    double distance_mm = 0;
};

/// On the faces of a box, or by a search through all triangles of a mesh.
SurfaceSpot find_nearest_spot(SceneView const& scene, Vec3d const& point_mm);

/// Where a beam from outside meets the solid first; none if it misses, or begins inside of the box.
std::optional<Vec3d> find_entry_mm(SceneView const& scene, EmitterView const& beam);

} // namespace volpt
