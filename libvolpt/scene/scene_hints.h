// What a volume's source says about how to render it: defaults that a .vpk carries and that options override.
#pragma once

#include "libvolpt/medium/materials.h"
#include "libvolpt/scene/light_image.h"
#include "libvolpt/scene/scene.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace volpt {

/// Light as the source names it. For `image`, `radiance` is a factor and the pixels are in a file.
struct EnvironmentHint {
    EnvironmentKind kind = EnvironmentKind::constant; ///< constant or image
    std::vector<float> radiance{1.0f};                ///< by band or one for all
    std::string image_file;                           ///< as the source names it, image only
    std::string folder;                               ///< where the source lay, image only
    std::uint32_t up_axis = 2;                        ///< as in EnvironmentSpec
    double rotate_deg = 0;
};

/// Every field may be absent: the source says nothing of it.
struct SceneHints {
    std::string source; ///< the file that they come from
    std::optional<CameraSpec> camera;
    std::optional<std::array<std::uint32_t, 2>> resolution; ///< width, height
    std::optional<std::uint32_t> samples;                   ///< a pixel
    std::optional<EnvironmentHint> environment;
    std::optional<BoundarySpec> boundary;

    bool is_empty() const { return !camera && !resolution && !samples && !environment && !boundary; }
};

/// The JSON of docs/formats/vpk.md; "{}" for empty hints.
std::string format_scene_hints(SceneHints const& hints);

/// Inverse. Keys that are unknown are skipped: newer files may say more. Error (input) names `where` and the key that
/// is of another kind or out of range.
SceneHints parse_scene_hints(std::string const& json, std::string const& where);

/// The first of these that exists: the file as named, beside the source, beside `volume_path`; absent if none does.
std::optional<std::filesystem::path> find_hint_image(EnvironmentHint const& hint,
                                                     std::filesystem::path const& volume_path);

/// Camera, size, boundary and light into `scene`; the light only if it is constant or `image` is what it names.
void apply_scene_hints(SceneHints const& hints, LightImage const* image, Scene& scene);

/// "camera and resolution", for messages; empty if there are none.
std::string list_scene_hints(SceneHints const& hints);

/// Scene hints: a smooth boundary of the table's index of refraction against air; "{}" if it names none. `origin` is
/// the file that they are said to come from.
std::string make_material_hints(MaterialTable const& table, std::string const& origin);

} // namespace volpt
