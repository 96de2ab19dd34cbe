// Scenes that are ready to use: ground, lights and view around an object, in units of its size.
#pragma once

#include "libvolpt/job/scene_request.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace volpt {

/// What a scene's JSON says (docs/formats/scenes.md). Lengths are in halves of the diagonal of the volume's box, from
/// its centre, with +z up; powers are those for a half diagonal of 1 mm, so that brightness does not depend on size.
struct ScenePreset {
    std::string name; ///< or the file's
    std::string description;
    std::optional<std::array<double, 2>> from_deg; ///< as CameraRequest has it
    double fill = 0.8;                             ///< of the picture's width or height, by the volume's box
    GroundRequest ground;
    std::optional<std::vector<float>> radiance, below; ///< as LightRequest has them
    std::vector<Emitter> emitters;
};

/// Of a scene that is built in: libvolpt/job/presets/scenes/NAME.json.
struct SceneText {
    std::string_view name;
    std::string_view json;
};
std::span<SceneText const> list_scene_texts();

/// The scene that is built in under this name, or else that of the .json file. Error (usage) for an unknown name, Error
/// (input) with file and key for what cannot be read.
ScenePreset find_scene_preset(std::string const& name_or_file);

/// `request` with what its `preset` says where the request itself says nothing; emitters are added to its own. The
/// upward axis is that of the request's ground. Error as find_scene_preset, and (usage) for a probe.
SceneRequest apply_preset(SceneRequest request, VolumeMeta const& meta);

} // namespace volpt
