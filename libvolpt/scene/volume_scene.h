// The scene of a volume that no option changes.
#pragma once

#include "libvolpt/scene/scene.h"
#include "libvolpt/scene/scene_hints.h"
#include "libvolpt/volume/volume.h"

#include <array>
#include <optional>

namespace volpt {

using PictureSize = std::array<std::uint32_t, 2>; ///< width, height

/// As `hints` say, else the whole volume in view, lit by its emitters, or if it has none in white light. `size`
/// replaces the hints' pixels (512x512 if there are none); `light` is the image that the hints name, or null. Faces
/// under support are rough where there is a boundary.
Scene make_volume_scene(PackedVolume const& volume, SceneHints const& hints, LightImage const* light,
                        std::optional<PictureSize> size = {});

/// Error (input) names `where` and the field if the volume's hints are invalid, or its scene cannot be rendered.
void check_volume_scene(PackedVolume const& volume, std::string const& where);

} // namespace volpt
