// From volrender's options to a scene, fresh or that of a film to be resumed.
#pragma once

#include "libvolpt/film/film.h"
#include "tools/options/run_options.h"
#include "tools/options/scene_options.h"
#include "tools/volrender/hints.h"

namespace volpt {

struct RenderGroups {
    FilmOutputGroup output;
    SampleOptions samples;
    CameraOptions camera;
    ProbeOptions probe;
    LightOptions light;
    BoundaryOptions boundary;
    MediumOptions medium;
    HintOptions hints;
    DeviceOptions device;
};

/// The scene that the options describe on top of `base`, in normal form.
/// Error (usage) if camera or light are given to a probe.
Scene apply_options(Scene base, RenderGroups const& groups, LightImage const* light, PackedVolume const& volume);

/// What is rendered without options: what `hints` say; else the framed volume in white light, 512x512 pixels or the
/// size that is given. `hint_light` is the image that the hints name.
Scene make_default_scene(PackedVolume const& volume, CameraOptions const& camera, SceneHints const& hints,
                         LightImage const* hint_light);

/// Error (usage) naming what differs if options say something else than the film to be resumed.
void check_same_scene(Scene const& wanted, Film const& film, std::optional<std::uint64_t> seed,
                      std::string const& path);

} // namespace volpt
