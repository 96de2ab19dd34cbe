// Scenes that an integrator cannot render are refused, because a film cannot show that some of its light is missing.
#pragma once

#include "libvolpt/core/scene_view.hd.h"
#include "libvolpt/scene/light/emitter_shapes.h"
#include "libvolpt/scene/scene.h"

#include <span>

namespace volpt {

/// What bounds the medium: the volume's box, or a mesh in it.
enum class Bounds : std::uint32_t { box = 0, mesh = 1 };

/// For scenes with connects_emitters. Error (usage) names the first thing that the scene's integrator cannot render, or
/// an emitter whose light meets nothing. `view` has camera, environment, boundary, solids and lights.
void check_lights(Scene const& scene, std::span<Emitter const> emitters, LitShapes const& lit, SceneView const& view,
                  Bounds bounds);

/// Whether Integrator::path leaves out light that mirrors or clear glass among `shapes` send on: that of emitters which
/// no path meets by chance.
bool misses_caustics(Scene const& scene, SurroundingShapes const& shapes);

} // namespace volpt
