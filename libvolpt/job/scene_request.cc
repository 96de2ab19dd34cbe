#include "libvolpt/job/scene_request.h"

#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/scene/light/cube_image.h"
#include "libvolpt/scene/volume_scene.h"
#include "libvolpt/sys/error.h"

#include <fmt/format.h>

namespace volpt {

SceneHints choose_hints(HintUse use_hints, LightRequest const& light, HintLight use, PackedVolume const& volume,
                        std::string const& path, NoticeSink const& detail)
{
    SceneHints hints;
    if (use_hints == HintUse::on) {
        check_volume_scene(volume, path);
        hints = parse_scene_hints(volume.scene_hints_json(), path);
    }
    if (light.names_light()) hints.environment.reset();
    if (hints.environment && hints.environment->kind == EnvironmentKind::image) {
        auto const found = find_hint_image(*hints.environment, path);
        if (!found && use == HintLight::needed)
            fail_input(fmt::format("the light image {}, named by {}, is not there", hints.environment->image_file,
                                   hints.source),
                       path, "any other light gives another picture",
                       "put it beside the volume, name it with --env, or give another light (--env 1 is white)");
        if (found)
            hints.environment->image_file = found->string();
        else
            hints.environment.reset();
    }
    if (!hints.is_empty())
        detail(fmt::format("{} from {} unless an option says otherwise (--hints off ignores them)",
                           list_scene_hints(hints), hints.source));
    return hints;
}

std::optional<std::filesystem::path> choose_light(LightRequest const& request, SceneHints const& hints)
{
    if (request.image_path) return *request.image_path;
    if (hints.environment && hints.environment->kind == EnvironmentKind::image) return hints.environment->image_file;
    return std::nullopt;
}

Image read_light(LightRequest const& request, std::filesystem::path const& path, NoticeSink const& notice)
{
    Image image = read_image(path);
    for (auto const& sentence : image.notices) notice(sentence);
    LightLayout const layout = request.image_path ? request.layout : LightLayout::latlong;
    return arrange_as_latlong(std::move(image), layout, path.string());
}

LightImage make_light(Image const& image, std::filesystem::path const& path, VolumeMeta const& volume,
                      NoticeSink const& notice)
{
    LightImage light = make_light_image(image, volume, path.string());
    constexpr float kToldBlur = 0.02f;
    if (light.blur > kToldBlur)
        notice(fmt::format("where it is seen directly, the light image is blurred by about a pixel of its own: there, "
                           "pixels differ by {} % on average; what it lights does not",
                           light.blur < 1 ? fmt::format("{:.2g}", 100 * light.blur) : "100 or more"));
    return light;
}

Scene make_default_scene(PackedVolume const& volume, SceneRequest const& request, SceneHints const& hints,
                         LightImage const* hint_light)
{
    std::optional<PictureSize> size;
    if (request.camera.resolution) {
        auto const& [width, height] = *request.camera.resolution;
        size = PictureSize{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height)};
    }
    Scene scene = make_volume_scene(volume, hints, hint_light, size);
    if (request.emitters.names_emitters() && !hints.environment) scene.environment.radiance = {0.0f};
    return scene;
}

Scene apply_request(Scene base, SceneRequest const& given, LightImage const* light, PackedVolume const& volume)
{
    SceneRequest const request = volume.meta().is_grey() ? take_luminance(given) : given;
    request.probe.apply(base, volume.meta());
    if (base.camera.kind == CameraKind::probe && (request.camera.names_view() || request.light.names_light()))
        fail_usage("a probe has its own view and light, but options of a camera or of --env are given",
                   "leave one of the two out");
    if (request.probe.names_texels() && request.camera.resolution)
        fail_usage("--dpi and --resolution both give the number of texels", "leave one of the two out");
    request.camera.apply(base, volume.meta());
    request.light.apply(base, light);
    request.emitters.apply(base, volume.emitters(), volume.meta());
    request.ground.apply(base, volume.meta());
    request.boundary.apply(base, volume.surface());
    request.medium.apply(base);
    return normalize_scene(base);
}

std::optional<std::string> describe_assumed_index(Scene const& scene, SceneHints const& hints,
                                                  SceneRequest const& request)
{
    bool const is_hinted = hints.boundary && hints.boundary->kind != BoundaryKind::none;
    if (scene.boundary.kind == BoundaryKind::none || is_hinted || request.boundary.names_index() ||
        !scene.material_ior.empty())
        return std::nullopt;
    bool const is_probe = scene.camera.kind == CameraKind::probe;
    return fmt::format("the boundary is {}, of index {:g}, as nothing says otherwise: --int-ior gives another{}",
                       to_word(scene.boundary.kind), scene.boundary.int_ior,
                       is_probe ? ", --boundary none an index-matched probe" : "");
}

} // namespace volpt
