// From the options of volrender to a scene: a new one, or that of a film to be resumed.
#pragma once

#include "libvolpt/film/film.h"
#include "libvolpt/scene/scene_hints.h"
#include "tools/options/camera_options.h"
#include "tools/options/output_options.h"
#include "tools/options/run_options.h"
#include "tools/options/scene_options.h"
#include "tools/options/tool.h"

namespace volpt {

class HintOptions final : public OptionGroup {
public:
    bool use = true;

    std::string title() const override { return "Scene hints"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
};

struct VolrenderOptions {
    FilmFileOptions output;
    SampleOptions samples;
    CameraOptions camera;
    ProbeOptions probe;
    LightOptions light;
    GroundOptions ground;
    BoundaryOptions boundary;
    MediumOptions medium;
    HintOptions hints;
    DeviceOptions device;

    /// All of them, in the order of --help.
    std::vector<OptionGroup*> list_groups()
    {
        return {&output, &samples, &camera, &probe, &light, &ground, &boundary, &medium, &hints, &device};
    }
};

/// The hints of the volume, without those that `--hints off` or other options override. A light image that cannot be
/// found is dropped with a notice; the hints in use are listed by `run.detail`.
SceneHints choose_hints(ToolRun const& run, HintOptions const& options, LightOptions const& light,
                        PackedVolume const& volume);

/// The scene without options: as `hints` say, else the whole volume in view in white light, with 512x512 pixels or
/// --resolution. `hint_light` is the image that the hints name, or null.
Scene make_default_scene(PackedVolume const& volume, CameraOptions const& camera, SceneHints const& hints,
                         LightImage const* hint_light);

/// `base` changed by the options, in normal form; --long-steps auto changes nothing. Error (usage) if camera or light
/// are given for a probe.
Scene apply_options(Scene base, VolrenderOptions const& options, LightImage const* light, PackedVolume const& volume);

/// Error (usage) that names what differs if the options contradict the film to be resumed.
void check_same_scene(Scene const& wanted, Film const& film, std::optional<std::uint64_t> seed,
                      std::string const& path);

} // namespace volpt
