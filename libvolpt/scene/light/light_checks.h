// What the integrators cannot render is refused: a film that lacks some of the light would not show it.
#pragma once

#include "libvolpt/core/scene_view.hd.h"
#include "libvolpt/scene/light/emitter_shapes.h"
#include "libvolpt/scene/scene.h"

#include <span>

namespace volpt {

/// What bounds the medium: the volume's box, or a mesh in it.
enum class Bounds : std::uint32_t { box = 0, mesh = 1 };

/// Error (usage) names the first thing of a scene that connects_emitters that its integrator cannot do, or an emitter
/// whose light meets nothing. `view` has camera, environment, boundary, solids and lights.
void check_lights(Scene const& scene, std::span<Emitter const> emitters, LitShapes const& lit, SceneView const& view,
                  Bounds bounds);

} // namespace volpt
