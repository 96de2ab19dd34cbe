#include "libvolpt/job/presets/scene_preset.h"
#include "libvolpt/render/render_film.h"
#include "tests/support/expect_error.h"
#include "tests/support/make_scene.h"
#include "tests/support/temp_folder.h"

#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>

namespace volpt::test {
namespace {

SceneRequest request_preset(std::string const& name)
{
    SceneRequest request;
    request.preset = name;
    return request;
}

Scene make_preset_scene(std::string const& name, PackedVolume const& volume)
{
    SceneRequest const request = apply_preset(request_preset(name), volume.meta());
    return apply_request(make_default_scene(volume, request, {}, nullptr), request, nullptr, volume);
}

TEST(ScenePresets, EachOneCanBeRendered)
{
    PackedVolume const volume = make_bare_cube(1);
    ASSERT_FALSE(list_scene_texts().empty());
    for (SceneText const& text : list_scene_texts()) {
        SCOPED_TRACE(text.name);
        EXPECT_FALSE(find_scene_preset(std::string(text.name)).description.empty());
        Scene scene = make_preset_scene(std::string(text.name), volume);
        EXPECT_FALSE(find_scene_problem(scene));
        scene.width = scene.height = 8;
        if (text.name == "lamp") { // for meshes
            expect_error(ExitStatus::usage, {"reaches into the volume"},
                         [&] { RenderScene(scene, volume, nullptr, 1); });
            continue;
        }
        RenderScene const built(scene, volume, nullptr, 1);
        Film film = make_film(built, 1);
        render_film(built, film, {0, 4}, {});
        EXPECT_GT(std::ranges::max(film.sums), 0u);
    }
}

TEST(ScenePresets, GrowWithTheVolume)
{
    PackedVolume const volume = make_bare_cube(1);
    VolumeMeta small = volume.meta(), large = small;
    for (float& pitch_mm : large.pitch_mm) pitch_mm *= 16;
    for (SceneText const& text : list_scene_texts()) {
        std::string const name(text.name);
        auto const of_small = apply_preset(request_preset(name), small).emitters.emitters;
        auto const of_large = apply_preset(request_preset(name), large).emitters.emitters;
        ASSERT_EQ(of_small.size(), of_large.size());
        Vec3d const center_small = apply_preset(request_preset("lamp"), small).emitters.emitters.at(0).origin_world;
        Vec3d const center_large = apply_preset(request_preset("lamp"), large).emitters.emitters.at(0).origin_world;
        for (std::size_t i = 0; i < of_small.size(); ++i) {
            float const growth = of_small[i].unit == EmitterUnit::power ? 16 * 16 : 1; // else a radiance
            EXPECT_FLOAT_EQ(of_large[i].amount[0], growth * of_small[i].amount[0]);
            EXPECT_DOUBLE_EQ(of_large[i].radius_mm, 16 * of_small[i].radius_mm);
            for (std::size_t axis = 0; axis < 3; ++axis)
                EXPECT_NEAR(of_large[i].origin_world[axis] - center_large[axis],
                            16 * (of_small[i].origin_world[axis] - center_small[axis]), 1e-9);
        }
    }
}

TEST(ScenePresets, StandOnTheAxisThatPointsUp)
{
    PackedVolume const volume = make_bare_cube(1);
    Vec3d const center = apply_preset(request_preset("lamp"), volume.meta()).emitters.emitters.at(0).origin_world;
    for (std::uint32_t axis = 0; axis < 6; ++axis) {
        SceneRequest request = request_preset("studio");
        request.ground.up_axis = axis;
        for (Emitter const& emitter : apply_preset(request, volume.meta()).emitters.emitters) {
            double const height = emitter.origin_world[axis / 2] - center[axis / 2];
            EXPECT_GT(axis % 2 == 0 ? height : -height, 0) << axis;
        }
    }
}

TEST(ScenePresets, GiveWayToWhatTheRequestSays)
{
    PackedVolume const volume = make_bare_cube(1);
    SceneRequest request = request_preset("studio");
    request.ground.kind = GroundKind::none;
    request.light.radiance = {{0.7f}};
    request.camera.from_deg = {{10, 20}};
    request.emitters.emitters.resize(1);
    SceneRequest const all = apply_preset(request, volume.meta());
    EXPECT_EQ(all.ground.kind, GroundKind::none);
    EXPECT_EQ(all.light.radiance, request.light.radiance);
    EXPECT_EQ(all.camera.from_deg, request.camera.from_deg);
    EXPECT_FALSE(all.camera.zoom);
    EXPECT_EQ(all.emitters.emitters.size(), 1 + find_scene_preset("studio").emitters.size());
}

TEST(ScenePresets, FilesSayWhatIsWrongAndWhere)
{
    TempFolder const folder;
    auto const refuse = [&](std::string const& json, std::string_view first, std::string_view second = {}) {
        std::string const file = (folder / "mine.json").string();
        std::ofstream(file) << json;
        expect_error(ExitStatus::input, {"mine.json", first, second}, [&] { find_scene_preset(file); });
    };
    refuse("{", "no JSON object");
    refuse("[]", "no JSON object");
    refuse(R"({"light": []})", "\"light\"", "did you mean \"lights\"");
    refuse(R"({"lights": "point"})", "no list");
    refuse(R"({"lights": ["lamp origin=0,0,1"]})", "lights", "no kind of emitter");
    refuse(R"({"ground": {"kind": "grass"}})", "grass", "diffuse");
    refuse(R"({"env": "bright"})", "env", "number");
    refuse(R"({"env": []})", "env", "empty");
    refuse(R"({"from": [1]})", "from", "two angles");
    refuse(R"({"fill": 0})", "fill");
    refuse(R"({"env_below": 1})", "env_below", "needs an env");
    refuse(std::string((1 << 20) + 1, ' '), "1048577 bytes", "no scene");
    expect_error(ExitStatus::usage, {"studoi", "did you mean 'studio'"}, [] { find_scene_preset("studoi"); });
    expect_error(ExitStatus::input, {"none.json", "cannot be opened"}, [] { find_scene_preset("none.json"); });
}

TEST(ScenePresets, AreNotForProbes)
{
    SceneRequest request = request_preset("table");
    request.probe.face = 4;
    expect_error(ExitStatus::usage, {"probe", "--scene"}, [&] { apply_preset(request, make_bare_cube(1).meta()); });
}

} // namespace
} // namespace volpt::test
