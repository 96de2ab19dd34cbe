#include "libvolpt/scene/volume_scene.h"

#include "libvolpt/scene/camera_view.h"
#include "libvolpt/scene/light/emitter_records.h"
#include "libvolpt/sys/error.h"

namespace volpt {

Scene make_volume_scene(PackedVolume const& volume, SceneHints const& hints, LightImage const* light,
                        std::optional<PictureSize> size)
{
    Scene scene;
    scene.volume_checksum = volume.data_checksum();
    scene.bands = volume.meta().bands();
    scene.wavelengths_nm = volume.meta().wavelengths_nm;
    scene.scale = volume.meta().scale;
    auto const [width, height] = size.value_or(hints.resolution.value_or(PictureSize{512, 512}));
    scene.width = width;
    scene.height = height;
    scene.camera = frame_volume(volume.meta(), static_cast<double>(height) / width);
    scene.emitters = to_emitter_records(volume.emitters());
    if (volume.meta().has_emission) scene.emission = MediumEmission::emits;
    if (has_emitters(scene)) scene.environment.radiance = {0.0f};
    apply_scene_hints(hints, light, scene);
    if (volume.surface().supported_triangles > 0) {
        BoundarySpec& boundary = scene.boundary;
        boundary.support_alpha = kDefaultSupportAlpha;
        if (boundary.kind != BoundaryKind::rough) boundary.microfacets = Microfacets::multiple;
    }
    return scene;
}

void check_volume_scene(PackedVolume const& volume, std::string const& where)
{
    SceneHints const hints = parse_scene_hints(volume.scene_hints_json(), where);
    auto const problem = find_scene_problem(normalize_scene(make_volume_scene(volume, hints, nullptr)));
    if (problem)
        fail_input(problem->field + " " + problem->what, where, "the volume's scene cannot be rendered",
                   "pack the source again; volrender --hints off renders the volume without its scene hints");
}

} // namespace volpt
