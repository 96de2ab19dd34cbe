// One group after the other: light, bands, ground, boundary, medium, hints.
#include "tools/render_setup/scene_options.h"

#include "libvolpt/job/presets/scene_preset.h"
#include "libvolpt/scene/scene_fields.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/json.h"
#include "tools/options/units.h"

#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace po = boost::program_options;

void PresetOptions::declare(po::options_description& options)
{
    std::vector<std::string> names;
    for (SceneText const& scene : list_scene_texts()) names.emplace_back(scene.name);
    auto add = options.add_options();
    add("scene", file_value("NAME|FILE.json", {.words = names, .files = ".json"}),
        fmt::format(
            "ground, light and view around the volume, sized to it: {}, or a file like theirs; other options and "
            "emitters of the volume stay, hints of its source give way",
            fmt::join(names, ", "))
            .c_str());
    add("list-scenes", po::bool_switch(), "print the scenes that are built in, and exit");
}

void PresetOptions::read(po::variables_map const& values)
{
    request = given_text(values, "scene").value_or("");
    lists = values["list-scenes"].as<bool>();
}

ExitStatus list_scenes(AnswerForm form)
{
    nlohmann::ordered_json answer = nlohmann::ordered_json::array();
    for (SceneText const& scene : list_scene_texts())
        answer.push_back({{"scene", scene.name}, {"contents", nlohmann::ordered_json::parse(scene.json)}});
    if (form == AnswerForm::json) {
        fmt::print("{}\n", format_json(answer, 2));
        return ExitStatus::done;
    }
    for (auto const& line : answer)
        fmt::print("{:9} {}\n", line["scene"].get<std::string>(), line["contents"]["description"].get<std::string>());
    return ExitStatus::done;
}

void LightOptions::declare(po::options_description& options)
{
    auto add = options.add_options();
    add("env", file_value("VALUE|R,G,B|IMAGE", {.files = ".exr .hdr .pfm"}, FileValueKind::file_or_number),
        "radiance from all directions: a number, one number per band, or an image of the whole sphere, .exr, .hdr "
        "or .pfm; three numbers or an image in colour show a grey volume in colour, too (default 1)");
    add("env-layout", text_value(join_words<LightLayout>()),
        "how the image of --env covers the sphere: latitude-longitude, or the faces of a cube as a cross or in a row "
        "(default auto: 6:1 and 1:6 are strips, 4:3 and 3:4 crosses if their corners are blank, others latlong)");
    add("env-below", text_value("VALUE|R,G,B"), "radiance from the lower hemisphere; --env is then the upper one");
    add("env-up", text_value("AXIS"), "world axis that points up in the light (default +y)");
    add("env-rotate", text_value("DEG"), "angle by which the light is turned about its up axis");
    add("transparent", po::bool_switch(),
        "hide the background: where nothing is hit, .exr and .png have alpha 0, and other images are black");
    add("backdrop", text_value("FACTOR"),
        "in .png and .jpg images, show the light behind the volume at this part of its radiance, 0 to 1; the volume's "
        "own light does not change, and films keep it (default 0.2 if --env is one radiance, so that white objects "
        "show, else 1)");
}

void LightOptions::read(po::variables_map const& values)
{
    if (auto const text = given_text(values, "env")) {
        if (looks_like_numbers(*text))
            request.radiance = parse_floats("--env", *text);
        else if (text->find('=') != std::string::npos && !std::filesystem::exists(*text))
            fail_usage(
                fmt::format("--env '{}' is no radiance and no picture", *text),
                "an environment has a radiance (--env 1, --env 0.4,0.5,0.7) or a picture; lumen, lux and temperature "
                "are words of --light");
        else
            request.image_path = *text;
    }
    if (auto const text = given_text(values, "env-layout")) {
        request.layout = parse_word<LightLayout>("--env-layout", *text);
        if (!request.image_path) fail_usage("--env-layout needs an image", "give --env IMAGE, or leave it out");
    }
    if (auto const text = given_text(values, "env-below")) request.below = parse_floats("--env-below", *text);
    if (auto const text = given_text(values, "env-up")) request.up_axis = parse_axis("--env-up", *text);
    if (auto const text = given_text(values, "env-rotate"))
        request.rotate_deg = parse_number("--env-rotate", *text, scene_range("environment.rotate_deg"));
    request.hides_background = values["transparent"].as<bool>();
    if (auto const text = given_text(values, "backdrop")) request.backdrop = parse_number("--backdrop", *text, 0, 1);
    request.check();
}

void BandOptions::declare(po::options_description& options)
{
    options.add_options()("bands", text_value(join_words<PictureBands>()),
                          "of a grey volume. light: red, green and blue under light, or on a ground, that has a "
                          "colour; volume: always its one band, which takes the luminance of colours. A film that is "
                          "resumed keeps its own, and volumes of several bands have theirs (default light)");
}

void BandOptions::read(po::variables_map const& values)
{
    if (auto const text = given_text(values, "bands")) request = parse_word<PictureBands>("--bands", *text);
}

void GroundOptions::declare(po::options_description& options)
{
    auto add = options.add_options();
    add("ground", text_value("none|diffuse:A|checker:A:B[:SIDE]"),
        "a plane without end under the volume that reflects diffusely, with albedo A (a number, or one per band), or "
        "with squares of albedo A and B and of this side (default: a quarter of the box's longest side); it is seen "
        "from above alone (default none)");
    add("ground-up", text_value("AXIS"), "world axis that points up from the ground (default +z)");
}

void GroundOptions::read(po::variables_map const& values)
{
    if (auto const text = given_text(values, "ground")) {
        std::vector<std::string> parts;
        std::string_view rest = *text;
        for (std::size_t end = 0; end != std::string_view::npos; rest.remove_prefix(end + 1)) {
            end = rest.find(':');
            parts.emplace_back(rest.substr(0, end));
            if (end == std::string_view::npos) break;
        }
        GroundKind const kind = request.kind.emplace(parse_word<GroundKind>("--ground", parts[0]));
        std::size_t const least = kind == GroundKind::none ? 1 : kind == GroundKind::diffuse ? 2 : 3;
        if (parts.size() < least || parts.size() > (kind == GroundKind::checker ? 4 : least))
            fail_usage(fmt::format("--ground '{}' cannot be read", *text),
                       "give none, diffuse:A or checker:A:B or checker:A:B:SIDE, for example checker:.2:.6:10mm");
        if (parts.size() > 1) request.albedo = parse_floats("--ground", parts[1]);
        if (parts.size() > 2) request.other_albedo = parse_floats("--ground", parts[2]);
        if (parts.size() > 3) request.check_mm = parse_length_mm("--ground", parts[3]);
    }
    if (auto const text = given_text(values, "ground-up")) request.up_axis = parse_axis("--ground-up", *text);
}

void BoundaryOptions::declare(po::options_description& options)
{
    auto add = options.add_options();
    add("boundary", text_value(join_words<BoundaryKind>()),
        "faces of the box: index-matched, smooth dielectric, rough dielectric (GGX) (default: what the volume's source "
        "says, else smooth for --probe, else none; smooth or rough if one of the options below is given)");
    add("int-ior", text_value("N"),
        "index of refraction inside, with a boundary, --probe's included (default: what the volume's source says, else "
        "1.5)");
    add("ext-ior", text_value("N"), "index of refraction outside (default 1)");
    add("alpha", text_value("A"), "GGX roughness, 0 to 1 (default 0.1 for rough)");
    add("support-alpha", text_value("A"),
        "GGX roughness of the faces that were under support material, of a print job packed with --surface; 0: they "
        "are like the others (default 0.3)");
    add("microfacets", text_value(join_words<Microfacets>()),
        "rough faces: follow light from facet to facet until it leaves, or only to one, and lose what another one "
        "would get, as most renderers do (default multiple; single with a volume's hints from Mitsuba)");
    add("interfaces", text_value("none|voxels"),
        "voxels: light is reflected and refracted (smooth) at the faces between voxels whose materials differ in "
        "index, "
        "and at faces of the box by the index of the material there, not by --int-ior (default: voxels if the volume "
        "was packed with --interfaces voxels)");
}

void BoundaryOptions::read(po::variables_map const& values)
{
    if (auto const text = given_text(values, "boundary")) request.kind = parse_word<BoundaryKind>("--boundary", *text);
    if (auto const text = given_text(values, "int-ior"))
        request.int_ior = parse_number("--int-ior", *text, scene_range("boundary.int_ior"));
    if (auto const text = given_text(values, "ext-ior"))
        request.ext_ior = parse_number("--ext-ior", *text, scene_range("boundary.ext_ior"));
    if (auto const text = given_text(values, "alpha"))
        request.alpha = parse_number("--alpha", *text, scene_range("boundary.alpha"));
    if (auto const text = given_text(values, "support-alpha"))
        request.support_alpha = parse_number("--support-alpha", *text, scene_range("boundary.support_alpha"));
    if (auto const text = given_text(values, "microfacets"))
        request.microfacets = parse_word<Microfacets>("--microfacets", *text);
    if (auto const text = given_text(values, "interfaces"))
        request.has_interfaces = parse_choice("--interfaces", *text, {"none", "voxels"}) == "voxels";
    request.check();
}

void MediumOptions::declare(po::options_description& options)
{
    auto add = options.add_options();
    add("g", text_value("G"),
        ("Henyey-Greenstein anisotropy, " + describe_range(scene_range("g")) + " (default: the volume's own)").c_str());
    add("scale", text_value("S"), "extinction in 1/mm at density 1 (default: the volume's own)");
    add("majorant", text_value(join_words<MajorantKind>()),
        "upper bound of the extinction for free flights: of each brick, or of the whole volume (default local)");
    add("long-steps", text_value("auto|" + join_words<LongSteps>()),
        "replace many collisions inside a sphere of one material by a single step: same expectation, different noise, "
        "faster where much of the volume is dense and homogeneous; auto: on where volume, scene and size of the "
        "picture make it faster, as the film has it with --resume; layers: steps through plane layers, for pictures of "
        "a thick core with --sides periodic (default off)");
    add("roulette", text_value("off|W_MIN"),
        "Russian roulette for paths whose throughput falls below W_MIN (default 0.5)");
    add("depth-limit", text_value("N"),
        "end paths after N extensions; the lost energy is reported (default: no limit)");
}

void MediumOptions::read(po::variables_map const& values)
{
    if (auto const text = given_text(values, "g")) request.g = parse_float("--g", *text, scene_range("g"));
    if (auto const text = given_text(values, "scale"))
        request.scale = parse_float("--scale", *text, scene_range("scale"));
    if (auto const text = given_text(values, "majorant"))
        request.majorant = parse_word<MajorantKind>("--majorant", *text);
    if (auto const text = given_text(values, "long-steps")) {
        request.long_steps = parse_word_or<LongSteps>("auto", "--long-steps", *text);
        request.picks_long_steps = !request.long_steps;
    }
    if (auto const text = given_text(values, "roulette"))
        request.roulette_w_min =
            *text == "off" ? 0.0f : parse_float("--roulette", *text, scene_range("roulette_w_min"));
    if (auto const text = given_text(values, "depth-limit"))
        request.depth_limit = static_cast<std::uint32_t>(
            parse_integer("--depth-limit", *text, 1, highest_integer(scene_range("depth_limit"))));
    request.check();
}

void HintOptions::declare(po::options_description& options)
{
    options.add_options()(
        "hints", text_value("on|off"),
        "take camera, light, boundary, resolution and samples from the volume's source where no option "
        "says otherwise (default on)");
}

void HintOptions::read(po::variables_map const& values)
{
    if (auto const text = given_text(values, "hints"))
        request = parse_choice("--hints", *text, {"on", "off"}) == "on" ? HintUse::on : HintUse::off;
}

SceneRequest SceneOptions::make_request() const
{
    return {.preset = preset.request,
            .camera = camera.request,
            .probe = probe.request,
            .light = light.request,
            .emitters = {},
            .ground = ground.request,
            .boundary = boundary.request,
            .medium = medium.request,
            .hints = hints.request,
            .bands = bands.request};
}

} // namespace volpt
