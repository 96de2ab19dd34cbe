// Builds the scene of a render and holds it against a film's.
#include "tools/volrender/scene.h"

#include "libvolpt/cpu/choose_long_steps.h"
#include "libvolpt/scene/camera_view.h"
#include "libvolpt/sys/error.h"

#include <fmt/format.h>

namespace volpt {

Scene apply_options(Scene base, RenderGroups const& groups, LightImage const* light, PackedVolume const& volume)
{
    groups.probe.apply(base, volume.meta());
    if (base.camera.kind == CameraKind::probe && (groups.camera.names_view() || groups.light.names_light()))
        fail_usage("a probe has its own view and light, but a camera or an option of --env is given",
                   "leave one of the two out");
    if (groups.probe.names_texels() && groups.camera.resolution)
        fail_usage("--dpi and --resolution both say how many texels the probe has", "leave one of the two out");
    groups.camera.apply(base);
    groups.light.apply(base, light);
    groups.boundary.apply(base);
    groups.medium.apply(base);
    if (groups.medium.picks_long_steps) base.long_steps = choose_long_steps(base, volume);
    return normalize_scene(base);
}

Scene make_default_scene(PackedVolume const& volume, CameraOptions const& camera, SceneHints const& hints,
                         LightImage const* hint_light)
{
    Scene scene;
    scene.volume_checksum = volume.data_checksum();
    scene.bands = volume.meta().bands();
    scene.wavelengths_nm = volume.meta().wavelengths_nm;
    scene.scale = volume.meta().scale;
    auto const hinted = hints.resolution.value_or(std::array<std::uint32_t, 2>{512, 512});
    scene.width = camera.resolution ? static_cast<std::uint32_t>((*camera.resolution)[0]) : hinted[0];
    scene.height = camera.resolution ? static_cast<std::uint32_t>((*camera.resolution)[1]) : hinted[1];
    scene.camera = frame_volume(volume.meta(), static_cast<double>(scene.height) / scene.width);
    apply_scene_hints(hints, hint_light, scene);
    return scene;
}

void check_same_scene(Scene const& wanted, Film const& film, std::optional<std::uint64_t> seed, std::string const& path)
{
    if (seed && *seed != film.seed())
        fail_usage(fmt::format("--seed {} contradicts {}, whose seed is {}", *seed, path, film.seed()),
                   "leave --seed out");
    if (hash_scene(wanted) == film.scene_hash()) return;
    std::string fields;
    for (SceneDifference const& difference : compare_scenes(wanted, film.scene()))
        fields += fmt::format("; {} {} instead of {}", difference.field, difference.left, difference.right);
    fail_usage(fmt::format("the options contradict the scene of {}{}", path, fields),
               "leave them out, or start a new film");
}

} // namespace volpt
