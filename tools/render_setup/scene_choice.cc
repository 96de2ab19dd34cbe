#include "tools/render_setup/scene_choice.h"

#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/scene/light/cube_image.h"
#include "libvolpt/scene/volume_scene.h"
#include "libvolpt/sys/error.h"
#include "tools/options/units.h"

#include <fmt/format.h>

namespace volpt {
namespace po = boost::program_options;

void HintOptions::declare(po::options_description& options)
{
    options.add_options()(
        "hints", text_value("on|off"),
        "take camera, light, boundary, resolution and samples from the volume's source where no option "
        "says otherwise (default on)");
}

void HintOptions::read(po::variables_map const& values)
{
    if (auto const text = given_text(values, "hints")) use = parse_choice("--hints", *text, {"on", "off"}) == "on";
}

SceneHints choose_hints(ToolRun const& run, HintOptions const& options, LightOptions const& light, HintLight use,
                        PackedVolume const& volume)
{
    SceneHints hints;
    if (options.use) {
        check_volume_scene(volume, run.arguments[0]);
        hints = parse_scene_hints(volume.scene_hints_json(), run.arguments[0]);
    }
    if (light.names_light()) hints.environment.reset();
    if (hints.environment && hints.environment->kind == EnvironmentKind::image) {
        auto const found = find_hint_image(*hints.environment, run.arguments[0]);
        if (!found && use == HintLight::needed)
            fail_input(fmt::format("the light image {}, named by {}, is not there", hints.environment->image_file,
                                   hints.source),
                       run.arguments[0], "any other light gives another picture",
                       "put it beside the volume, name it with --env, or give another light (--env 1 is white)");
        if (found)
            hints.environment->image_file = found->string();
        else
            hints.environment.reset();
    }
    if (!hints.is_empty())
        run.detail(fmt::format("{} from {} unless an option says otherwise (--hints off ignores them)",
                               list_scene_hints(hints), hints.source));
    return hints;
}

std::optional<std::filesystem::path> choose_light(LightOptions const& options, SceneHints const& hints)
{
    if (options.image_path) return *options.image_path;
    if (hints.environment && hints.environment->kind == EnvironmentKind::image) return hints.environment->image_file;
    return std::nullopt;
}

LightImage read_light(ToolRun const& run, LightOptions const& options, std::filesystem::path const& path,
                      VolumeMeta const& volume)
{
    Image image = read_image(path);
    for (auto const& sentence : image.notices) run.notice(sentence);
    LightLayout const layout = options.image_path ? options.layout : LightLayout::latlong;
    image = arrange_as_latlong(std::move(image), layout, path.string());
    LightImage light = make_light_image(image, volume, path.string());
    constexpr float kToldBlur = 0.02f;
    if (light.blur > kToldBlur)
        run.notice(
            fmt::format("where it is seen directly, the light image is blurred by about a pixel of its own: there, "
                        "pixels differ by {} % on average; what it lights does not",
                        light.blur < 1 ? fmt::format("{:.2g}", 100 * light.blur) : "100 or more"));
    return light;
}

Scene make_default_scene(PackedVolume const& volume, SceneOptions const& options, SceneHints const& hints,
                         LightImage const* hint_light)
{
    std::optional<PictureSize> size;
    if (options.camera.resolution) {
        auto const& [width, height] = *options.camera.resolution;
        size = PictureSize{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height)};
    }
    Scene scene = make_volume_scene(volume, hints, hint_light, size);
    if (options.emitters.names_emitters() && !hints.environment) scene.environment.radiance = {0.0f};
    return scene;
}

Scene apply_options(Scene base, SceneOptions const& options, LightImage const* light, PackedVolume const& volume)
{
    options.probe.apply(base, volume.meta());
    if (base.camera.kind == CameraKind::probe && (options.camera.names_view() || options.light.names_light()))
        fail_usage("a probe has its own view and light, but options of a camera or of --env are given",
                   "leave one of the two out");
    if (options.probe.names_texels() && options.camera.resolution)
        fail_usage("--dpi and --resolution both give the number of texels", "leave one of the two out");
    options.camera.apply(base, volume.meta());
    options.light.apply(base, light);
    options.emitters.apply(base, volume.emitters());
    options.ground.apply(base, volume.meta());
    options.boundary.apply(base, volume.surface());
    options.medium.apply(base);
    return normalize_scene(base);
}

std::optional<std::string> describe_assumed_index(Scene const& scene, SceneHints const& hints,
                                                  SceneOptions const& options)
{
    bool const is_hinted = hints.boundary && hints.boundary->kind != BoundaryKind::none;
    if (scene.boundary.kind == BoundaryKind::none || is_hinted || options.boundary.names_index() ||
        !scene.material_ior.empty())
        return std::nullopt;
    bool const is_probe = scene.camera.kind == CameraKind::probe;
    return fmt::format("the boundary is {}, of index {:g}, as nothing says otherwise: --int-ior gives another{}",
                       to_word(scene.boundary.kind), scene.boundary.int_ior,
                       is_probe ? ", --boundary none an index-matched probe" : "");
}

} // namespace volpt
