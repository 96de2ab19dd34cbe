// Scene hints: defaults for rendering a volume, from its source file. A .vpk stores them, options override them.
#pragma once

#include "libvolpt/scene/scene.h"
#include "libvolpt/volume/emitters/detector.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace volpt {

struct LightImage;
struct MaterialTable;

/// The light of the source. For `image`, `radiance` is a factor and the pixels are in a file.
struct EnvironmentHint {
    EnvironmentKind kind = EnvironmentKind::constant; ///< constant or image
    std::vector<float> radiance{1.0f};                ///< by band or one for all
    std::string image_file;                           ///< as the source names it, image only
    std::string folder;        ///< of the source, absolute or relative to the volume's file; image only
    std::uint32_t up_axis = 2; ///< as in EnvironmentSpec
    double rotate_deg = 0;
};

/// Time gates of tallies.
struct GatesHint {
    std::uint32_t count = 1; ///< 1 .. 65535
    double width_ns = 1;
    double index = 1; ///< of refraction, with which light travels in the volume: time counts it without a boundary too
};

/// Fields that the source does not define are absent.
struct SceneHints {
    std::string source; ///< the file that they come from
    std::optional<CameraSpec> camera;
    std::optional<std::array<std::uint32_t, 2>> resolution; ///< width, height
    std::optional<std::uint32_t> samples;                   ///< per pixel
    std::optional<EnvironmentHint> environment;
    std::optional<BoundarySpec> boundary;
    std::vector<float> material_ior; ///< Scene::material_ior; empty: no interfaces
    std::optional<Integrator> integrator;
    std::optional<GatesHint> gates;
    std::vector<DetectorSpec> detectors; ///< discs with a centre and a radius, nothing else

    bool is_empty() const
    {
        return !camera && !resolution && !samples && !environment && !boundary && material_ior.empty() && !integrator &&
               !gates && detectors.empty();
    }
};

/// The JSON of docs/formats/vpk.md; "{}" for empty hints.
std::string format_scene_hints(SceneHints const& hints);

/// Inverse. Unknown keys are skipped, newer files may have more, and so are objects without `kind`. Error (input) names
/// `where` and the key whose value has the wrong type or is out of range.
SceneHints parse_scene_hints(std::string const& json, std::string const& where);

/// The first of these that exists: in `folder`, beside `volume_path`, as named; absent if none does.
std::optional<std::filesystem::path> find_hint_image(EnvironmentHint const& hint,
                                                     std::filesystem::path const& volume_path);

/// Sets camera, size, boundary, integrator and light of `scene`; an image light only if `image` is given.
void apply_scene_hints(SceneHints const& hints, LightImage const* image, Scene& scene);

/// "camera and resolution", for messages; empty if there are none.
std::string list_scene_hints(SceneHints const& hints);

/// Scene hints with a smooth boundary of the table's index of refraction against air; "{}" if it has none. `origin` is
/// recorded as their source. Error (input) if its materials differ in index.
std::string make_material_hints(MaterialTable const& table, std::string const& origin);

/// The same with interfaces between its materials, whose labels are their places in the table. Air has index 1. Error
/// (input) names a material without an index.
std::string make_interface_hints(MaterialTable const& table, std::string const& origin);

} // namespace volpt
