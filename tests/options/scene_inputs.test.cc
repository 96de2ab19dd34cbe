// A number of a scene has one range, whichever way it comes in: by option, by the hints of a volume, or in a file.
#include "libvolpt/scene/scene_fields.h"
#include "libvolpt/scene/scene_hints.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/mesh/surface_mesh.h"
#include "tools/render_setup/emitter_options.h"
#include "tools/render_setup/scene_options.h"

#include <boost/program_options/parsers.hpp>
#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>
#include <set>

namespace volpt {
namespace {
namespace po = boost::program_options;

/// How a field is said; {} stands for its first number or its word.
struct Inputs {
    std::vector<std::string> words = {}; ///< of a command line
    std::string hints = {};              ///< JSON, [] for braces; empty: hints do not have the field
    double left_out = -1;                ///< said by leaving the option out
};

std::string camera_hint(std::string const& rest)
{
    return R"([ "camera": [ "origin_world_mm": [[1, 2, 3]], "target_world_mm": [[0, 0, 9]], "up_world": [[0, 1, 0]], )" +
           rest + " ] ]";
}

std::map<std::string_view, Inputs> const& list_inputs()
{
    static std::map<std::string_view, Inputs> const kInputs{
        {"width", {{"--resolution={}x1"}, R"([ "resolution": [[{}, 1]] ])"}},
        {"height", {{"--resolution=1x{}"}, R"([ "resolution": [[1, {}]] ])"}},
        {"camera.origin_world",
         {{"--origin={},1,2", "--target=0,0,0"},
          R"([ "camera": [ "kind": "perspective", "fov_x_deg": 30, "origin_world_mm": [[{}, 2, 3]], "target_world_mm": [[0, 0, 9]], "up_world": [[0, 1, 0]] ] ])"}},
        {"camera.target_world",
         {{"--target={},1,2", "--origin=0,0,9"},
          R"([ "camera": [ "kind": "perspective", "fov_x_deg": 30, "origin_world_mm": [[1, 2, 3]], "target_world_mm": [[{}, 0, 9]], "up_world": [[0, 1, 0]] ] ])"}},
        {"camera.up_world",
         {{"--up={},1,0"},
          R"([ "camera": [ "kind": "perspective", "fov_x_deg": 30, "origin_world_mm": [[1, 2, 3]], "target_world_mm": [[0, 0, 9]], "up_world": [[{}, 1, 0]] ] ])"}},
        {"camera.fov_x_deg", {{"--fov={}"}, camera_hint(R"("kind": "perspective", "fov_x_deg": {})")}},
        {"camera.ortho_width_mm", {{"--ortho={}"}, camera_hint(R"("kind": "orthographic", "ortho_width_mm": {})")}},
        {"camera.lens_radius_mm",
         {{"--fov=30", "--lens={},9"},
          camera_hint(R"("kind": "perspective", "fov_x_deg": 30, "lens_radius_mm": {}, "focus_distance_mm": 9)")}},
        {"camera.focus_distance_mm",
         {{"--fov=30", "--lens=1,{}"},
          camera_hint(R"("kind": "perspective", "fov_x_deg": 30, "lens_radius_mm": 1, "focus_distance_mm": {})")}},
        {"environment.radiance", {{"--env={}"}, R"([ "environment": [ "kind": "constant", "radiance": [[{}]] ] ])"}},
        {"environment.below", {{"--env=1", "--env-below={}"}}},
        {"environment.rotate_deg",
         {{"--env-rotate={}"},
          R"([ "environment": [ "kind": "image", "radiance": [[1]], "image_file": "sky.exr", "folder": ".", "up_axis": "+y", "rotate_deg": {} ] ])"}},
        {"boundary.int_ior",
         {{"--int-ior={}"}, R"([ "boundary": [ "kind": "smooth", "int_ior": {}, "ext_ior": 1.25 ] ])"}},
        {"boundary.ext_ior",
         {{"--ext-ior={}"}, R"([ "boundary": [ "kind": "smooth", "int_ior": 1.25, "ext_ior": {} ] ])"}},
        {"boundary.alpha",
         {{"--boundary=rough", "--alpha={}"},
          R"([ "boundary": [ "kind": "rough", "int_ior": 1.5, "ext_ior": 1, "alpha": {} ] ])"}},
        {"boundary.support_alpha", {{"--boundary=smooth", "--support-alpha={}"}}},
        {"material_ior", {{}, R"([ "material_ior": [[{}]] ])"}},
        {"scale", {{"--scale={}"}}},
        {"g", {{"--g={}"}}},
        {"roulette_w_min", {{"--roulette={}"}}},
        {"depth_limit", {{"--depth-limit={}"}, {}, 0}},
        {"ground.albedo", {{"--ground=diffuse:{}"}}},
        {"ground.other_albedo", {{"--ground=checker:.5:{}"}}},
        {"ground.check_mm", {{"--ground=checker:.5:.1:{}"}}},
        {"mlt.mutations", {{"--integrator=mlt", "--mutations={}"}}},
        {"mlt.bootstrap", {{"--integrator=mlt", "--bootstrap={}"}}},
        {"mlt.chains", {{"--integrator=mlt", "--chains={}"}, {}, 0}},
        {"mlt.longest", {{"--integrator=mlt", "--longest={}"}}},
        {"boundary.kind",
         {{"--boundary={}"}, R"([ "boundary": [ "kind": "{}", "int_ior": 1.5, "ext_ior": 1, "alpha": 0.5 ] ])"}},
        {"boundary.microfacets",
         {{"--boundary=rough", "--microfacets={}"},
          R"([ "boundary": [ "kind": "rough", "int_ior": 1.5, "ext_ior": 1, "alpha": 0.5, "microfacets": "{}" ] ])"}},
        {"boundary.specular", {{"--boundary=smooth", "--specular={}"}}},
        {"boundary.backing", {{"--probe=top", "--backing={}"}}},
        {"boundary.sides", {{"--probe=top", "--sides={}"}}},
        {"camera.view", {{"--probe=top", "--view={}"}}},
        {"majorant", {{"--majorant={}"}}},
        {"long_steps", {{"--long-steps={}"}}},
        {"integrator", {{"--integrator={}"}, R"([ "integrator": "{}" ])"}},
        {"nee", {{"--nee={}"}}},
        {"heuristic", {{"--integrator=bdpt", "--heuristic={}"}}},
    };
    return kInputs;
}

/// Fields that neither options nor hints give as a number or a word of their own: they follow from the volume, from
/// what else is given (--probe top, --transparent, --ground diffuse:A), or are named by an axis.
bool has_no_inputs(std::string_view field)
{
    static std::set<std::string_view> const kFields{"volume_checksum",
                                                    "bands",
                                                    "wavelengths_nm",
                                                    "estimator",
                                                    "emitters",
                                                    "emission",
                                                    "override_g",
                                                    "camera.kind",
                                                    "camera.probe_face",
                                                    "camera.probe_target",
                                                    "coverage",
                                                    "environment.kind",
                                                    "environment.image_checksum",
                                                    "environment.up_axis",
                                                    "environment.background",
                                                    "ground.kind",
                                                    "ground.up_axis",
                                                    "particle_film"};
    return kFields.contains(field);
}

Scene make_base()
{
    Scene scene;
    scene.width = scene.height = scene.bands = 1;
    scene.camera.origin_world = {0, 0, 9};
    scene.camera.target_world = {0, 0, 0};
    return scene;
}

/// The scene of a command line; throws or has a problem where the words are refused.
Scene read_words(std::vector<std::string> const& words)
{
    CameraOptions camera;
    ProbeOptions probe;
    LightOptions light;
    EmitterOptions emitters;
    GroundOptions ground;
    BoundaryOptions boundary;
    MediumOptions medium;
    OptionGroup* const groups[] = {&camera, &probe, &light, &emitters, &ground, &boundary, &medium};
    po::options_description declared;
    for (OptionGroup* const group : groups) group->declare(declared);
    po::variables_map values;
    po::store(po::command_line_parser(words).options(declared).run(), values);
    for (OptionGroup* const group : groups) group->read(values);

    VolumeMeta meta;
    meta.dims = {4, 4, 4};
    meta.pitch_mm = {1, 1, 1};
    SurfaceMeshView supported;
    supported.supported_triangles = 1;
    Scene scene = make_base();
    probe.request.apply(scene, meta);
    camera.request.apply(scene, meta);
    light.request.apply(scene, nullptr);
    emitters.request.apply(scene, {}, meta);
    ground.request.apply(scene, meta);
    boundary.request.apply(scene, supported);
    medium.request.apply(scene);
    return scene;
}

/// The scene of the hints of a volume.
Scene read_hints(std::string const& json)
{
    SceneHints const hints = parse_scene_hints(json, "test");
    Scene scene = make_base();
    apply_scene_hints(hints, nullptr, scene);
    if (hints.environment) scene.environment.rotate_deg = hints.environment->rotate_deg;
    return scene;
}

std::string fill(std::string text, std::string const& value)
{
    if (auto const at = text.find("{}"); at != std::string::npos) text.replace(at, 2, value);
    return text;
}

/// JSON from the spelling of list_inputs: [ ] stand for braces, [[ ]] for brackets.
std::string to_json(std::string const& text)
{
    std::string json;
    for (std::size_t i = 0; i < text.size(); ++i) {
        bool const is_bracket = text[i] == '[' || text[i] == ']';
        bool const is_double = is_bracket && i + 1 < text.size() && text[i + 1] == text[i];
        json += !is_bracket ? text[i] : is_double ? text[i] : text[i] == '[' ? '{' : '}';
        if (is_double) ++i;
    }
    return json;
}

/// Reads through each input that the field has, and expects the same answer of all.
template <class Get, class Value>
void expect_inputs_agree(std::string_view field, Get get, std::string const& text, Value value, bool is_accepted)
{
    Inputs const& inputs = list_inputs().at(field);
    auto const expect = [&](char const* input, auto read) {
        std::optional<Scene> scene;
        try {
            scene = read();
        } catch (Error const&) {
        }
        bool const is_valid = scene && !find_scene_problem(*scene);
        EXPECT_EQ(is_valid, is_accepted) << field << " = " << text << " by " << input;
        if (is_valid && is_accepted) {
            EXPECT_EQ(values_of(get(*scene))[0], value) << field << " = " << text << " by " << input;
        }
    };
    if (!inputs.words.empty() && (!std::is_arithmetic_v<Value> || static_cast<double>(value) != inputs.left_out))
        expect("option", [&] {
            std::vector<std::string> words;
            for (std::string const& word : inputs.words) words.push_back(fill(word, text));
            return read_words(words);
        });
    if (!inputs.hints.empty()) expect("hints", [&] { return read_hints(fill(to_json(inputs.hints), text)); });
}

/// The numbers of a type next to an end of a range: the last one inside, the first one outside.
template <class Value>
std::array<double, 2> find_numbers_at(double end, double outwards, NumberRange range)
{
    if constexpr (std::is_floating_point_v<Value>) {
        auto inside = static_cast<Value>(end);
        while (!range.contains(static_cast<double>(inside)))
            inside = std::nextafter(inside, static_cast<Value>(-outwards));
        Value const outside = std::nextafter(inside, static_cast<Value>(outwards));
        return {static_cast<double>(inside), static_cast<double>(outside)};
    }
    return {end, end + (outwards > 0 ? 1 : -1)};
}

TEST(SceneInputs, EveryFieldHasARow)
{
    visit_scene_fields(Scene(), [](std::string_view name, auto, FieldRange, bool) {
        EXPECT_NE(list_inputs().contains(name), has_no_inputs(name)) << name;
    });
}

TEST(SceneInputs, OptionsAndHintsTakeTheNumbersThatAreInTheRangeOfTheField)
{
    std::size_t ends = 0;
    visit_scene_fields(Scene(), [&](std::string_view name, auto get, FieldRange range, bool) {
        Scene scene;
        using Value = typename decltype(values_of(get(scene)))::value_type;
        if constexpr (std::is_arithmetic_v<Value> && !std::is_same_v<Value, bool>) {
            if (!list_inputs().contains(name)) return;
            for (auto const& [end, outwards] : {std::pair(range.lowest, -1e30), std::pair(range.highest, 1e30)}) {
                auto const [inside, outside] = find_numbers_at<Value>(end, outwards, range);
                EXPECT_TRUE(range.contains(inside) && !range.contains(outside)) << name;
                expect_inputs_agree(name, get, fmt::format("{}", inside), static_cast<Value>(inside), true);
                expect_inputs_agree(name, get, fmt::format("{}", outside), outside, false);
                ++ends;
            }
        }
    });
    EXPECT_EQ(ends, 2 * 28u);
}

TEST(SceneInputs, OptionsAndHintsTakeTheWordsOfTheField)
{
    std::size_t words = 0;
    visit_scene_fields(Scene(), [&](std::string_view name, auto get, FieldRange, bool) {
        Scene scene;
        using Field = std::remove_cvref_t<decltype(get(scene))>;
        if constexpr (std::is_enum_v<Field>) {
            if (!list_inputs().contains(name)) return;
            for (auto const& [value, word] : kWords<Field>) {
                expect_inputs_agree(name, get, std::string(word), value, true);
                expect_inputs_agree(name, get, std::string(word) + "s", value, false);
                ++words;
            }
        }
    });
    EXPECT_GE(words, 27u);
}

} // namespace
} // namespace volpt
