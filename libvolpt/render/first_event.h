#pragma once

#include "libvolpt/core/path.hd.h"

#include <optional>

namespace volpt {

/// Where the path `id` has its first event, in voxels from the box's corner: a collision, or one at a face or surface
/// that reflects, refracts or returns light. None if it escapes before. Long steps are left out. The scene has host
/// pointers and no probe of a texture.
std::optional<Vec3> find_first_event(SceneView const& scene, PathId id);

} // namespace volpt
