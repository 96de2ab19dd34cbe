#pragma once

#include "libvolpt/scene/render_scene.h"

#include <optional>

namespace volpt {

/// Where, in mm of the world, paths through this point of the picture have their first event: the one of median
/// distance of some paths, so that thin media have a depth too. `x` and `y` are in 0..1, y downwards. None if most
/// paths meet nothing, and for probes.
std::optional<Vec3d> pick_point(RenderScene const& scene, VolumeMeta const& meta, double x, double y);

} // namespace volpt
