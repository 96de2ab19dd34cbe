// Reads scene hints and drops what cannot be used.
#include "tools/volrender/hints.h"

#include "tools/options/units.h"

#include <fmt/format.h>

namespace volpt {
namespace po = boost::program_options;

void HintOptions::declare(po::options_description& options)
{
    options.add_options()(
        "hints", po::value<std::string>()->value_name("on|off"),
        "camera, light, boundary, size and samples that the volume's source named, where no option says "
        "otherwise (default on)");
}

void HintOptions::read(po::variables_map const& values)
{
    if (auto const text = given_text(values, "hints")) use = parse_choice("--hints", *text, {"on", "off"}) == "on";
}

SceneHints choose_hints(ToolRun const& run, HintOptions const& options, LightOptions const& light,
                        PackedVolume const& volume)
{
    SceneHints hints;
    if (options.use) hints = parse_scene_hints(volume.scene_hints_json(), run.arguments[0]);
    if (light.names_light()) hints.environment.reset();
    if (hints.environment && hints.environment->kind == EnvironmentKind::image) {
        auto const found = find_hint_image(*hints.environment, run.arguments[0]);
        if (found) {
            hints.environment->image_file = found->string();
        } else {
            run.notice(
                fmt::format("the light image {} that {} names is not there: white light instead; name it with --env",
                            hints.environment->image_file, hints.source));
            hints.environment.reset();
        }
    }
    if (!hints.is_empty())
        run.detail(fmt::format("{} from {} where no option says otherwise (--hints off: none)", list_scene_hints(hints),
                               hints.source));
    return hints;
}

} // namespace volpt
