// Renders on the CPU what a film claims to hold, for comparison with it.
#pragma once

#include "libvolpt/render/render_film.h"

namespace volpt {

/// A film of the same scene, seed and sample ranges as `like`, made by the CPU backend. `light` is needed if the
/// scene's light is an image. Error (input) if the volume or the light is not the film's. `statistics` of the result
/// count its own paths.
Film render_reference(PackedVolume const& volume, Film const& like, LightImage const* light,
                      RenderOptions const& options);

} // namespace volpt
