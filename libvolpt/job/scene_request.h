// From a request to the scene that is rendered and its light.
#pragma once

#include "libvolpt/job/bands/picture_bands.h"
#include "libvolpt/job/camera_request.h"
#include "libvolpt/job/emitter_request.h"
#include "libvolpt/job/light_request.h"
#include "libvolpt/job/medium_request.h"
#include "libvolpt/scene/light_image.h"
#include "libvolpt/scene/scene_hints.h"
#include "libvolpt/sys/progress.h"

#include <filesystem>
#include <optional>
#include <string>

namespace volpt {

/// Whether camera, light, boundary, resolution and samples are those of the volume's source where the request does not
/// say otherwise.
enum class HintUse { on, off };

/// What a scene is made of, besides the volume.
struct SceneRequest {
    std::string preset = {}; ///< scene around the volume, by name or .json file (apply_preset); empty: none
    CameraRequest camera;
    ProbeRequest probe;
    LightRequest light;
    EmitterRequest emitters;
    GroundRequest ground;
    BoundaryRequest boundary;
    MediumRequest medium;
    HintUse hints = HintUse::on;
    PictureBands bands = PictureBands::of_light;
};

/// Whether a picture depends on the light image of the hints.
enum class HintLight { needed, unused };

/// The hints of the volume, which lies at `path`, without those that the request turns off or overrides, and without a
/// light image that is not there and unused; `detail` gets a list of the hints in use. Error (input) if an image that
/// is needed is not there.
SceneHints choose_hints(HintUse hints, LightRequest const& light, HintLight use, PackedVolume const& volume,
                        std::string const& path, NoticeSink const& detail);

/// The image of the request, else that of the hints, if any.
std::optional<std::filesystem::path> choose_light(LightRequest const& request, SceneHints const& hints);

/// Reads the image that choose_light has chosen, as lat-long. Error (input) if it cannot be read.
Image read_light(LightRequest const& request, std::filesystem::path const& path, NoticeSink const& notice);

/// That image as light for the bands of the volume. Error (input) if its radiance is no light.
LightImage make_light(Image const& image, std::filesystem::path const& path, VolumeMeta const& volume,
                      NoticeSink const& notice);

/// The scene without the request: as `hints` say, else the whole volume in view in white light, with 512x512 pixels or
/// the resolution of the request. With emitters, of the volume or of the request, the environment is dark unless the
/// hints have one. `hint_light` is the image that the hints name, or null.
Scene make_default_scene(PackedVolume const& volume, SceneRequest const& request, SceneHints const& hints,
                         LightImage const* hint_light);

/// `base` changed by the request, in normal form; long steps that are to be chosen change nothing. A grey volume takes
/// the luminance of colours. Error (usage) if camera or light are given for a probe.
Scene apply_request(Scene base, SceneRequest const& request, LightImage const* light, PackedVolume const& volume);

/// For the user, if `scene`, made of `hints` and the request, has a boundary whose index neither of the two says.
std::optional<std::string> describe_assumed_index(Scene const& scene, SceneHints const& hints,
                                                  SceneRequest const& request);

} // namespace volpt
