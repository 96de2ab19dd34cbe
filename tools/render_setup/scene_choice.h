// From options to the scene that is rendered and its light, for every tool that renders.
#pragma once

#include "libvolpt/scene/light_image.h"
#include "libvolpt/scene/scene_hints.h"
#include "tools/options/camera_options.h"
#include "tools/options/scene_options.h"
#include "tools/options/tool.h"
#include "tools/render_setup/emitter_options.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace volpt {

class HintOptions final : public OptionGroup {
public:
    bool use = true;

    std::string title() const override { return "Scene hints"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
};

/// What a scene is made of, besides the volume.
struct SceneOptions {
    CameraOptions camera;
    ProbeOptions probe;
    LightOptions light;
    EmitterOptions emitters;
    GroundOptions ground;
    BoundaryOptions boundary;
    MediumOptions medium;
    HintOptions hints;

    /// All that every tool has, in the order of --help: those of emitters are volrender's alone.
    std::vector<OptionGroup*> list_groups() { return {&camera, &probe, &light, &ground, &boundary, &medium, &hints}; }
};

/// Whether a picture depends on the light image of the hints.
enum class HintLight { needed, unused };

/// The hints of the volume, without those that `--hints off` or other options override, and without a light image that
/// is not there and unused; the hints in use are listed by `run.detail`. Error (input) if an image that is needed is
/// not there.
SceneHints choose_hints(ToolRun const& run, HintOptions const& options, LightOptions const& light, HintLight use,
                        PackedVolume const& volume);

/// The image of --env, else that of the hints, if any.
std::optional<std::filesystem::path> choose_light(LightOptions const& options, SceneHints const& hints);

/// Reads the image that choose_light has chosen, for the bands of the volume; notices go to `run.notice`. Error (input)
/// if it cannot be read or its radiance is no light.
LightImage read_light(ToolRun const& run, LightOptions const& options, std::filesystem::path const& path,
                      VolumeMeta const& volume);

/// The scene without options: as `hints` say, else the whole volume in view in white light, with 512x512 pixels or
/// --resolution. With emitters, of the volume or of --light, the environment is dark unless the hints have one.
/// `hint_light` is the image that the hints name, or null.
Scene make_default_scene(PackedVolume const& volume, SceneOptions const& options, SceneHints const& hints,
                         LightImage const* hint_light);

/// `base` changed by the options, in normal form; --long-steps auto changes nothing. Error (usage) if camera or light
/// are given for a probe.
Scene apply_options(Scene base, SceneOptions const& options, LightImage const* light, PackedVolume const& volume);

/// For the user, if `scene`, made of `hints` and `options`, has a boundary whose index neither of the two says.
std::optional<std::string> describe_assumed_index(Scene const& scene, SceneHints const& hints,
                                                  SceneOptions const& options);

} // namespace volpt
