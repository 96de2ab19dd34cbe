// Scene hints: they survive their JSON, defaults stay where nothing is said, damaged ones are refused by key.
#include "libvolpt/scene/scene_hints.h"
#include "libvolpt/medium/materials.h"
#include "libvolpt/scene/light_image.h"
#include "libvolpt/scene/volume_scene.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/pack/packer.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

namespace volpt {
namespace {

using test::expect_error;

SceneHints make_hints()
{
    SceneHints hints;
    hints.source = "scene.xml";
    hints.camera = CameraSpec{CameraKind::orthographic, {1, 2, 3}, {4, 5, 6}, {0, 0, 1}, 45, 7.5};
    hints.resolution = {640, 480};
    hints.samples = 256;
    hints.environment = EnvironmentHint{EnvironmentKind::image, {2.0f}, "sky.exr", "light/", 4, 30};
    hints.boundary = BoundarySpec{BoundaryKind::rough, 1.5, 1.33, 0.2};
    hints.material_ior = {1.25f, 1.0f};
    hints.integrator = Integrator::light;
    hints.gates = GatesHint{50, 0.1, 1.37};
    hints.detectors.emplace_back();
    hints.detectors[0].center_world = {1, 2, 0};
    hints.detectors[0].radius_mm = 1.5;
    return hints;
}

TEST(SceneHints, SurviveTheirJson)
{
    std::string const json = format_scene_hints(make_hints());
    SceneHints const read = parse_scene_hints(json, "test");
    EXPECT_EQ(format_scene_hints(read), json);
    EXPECT_EQ(read.camera->ortho_width_mm, 7.5);
    EXPECT_EQ(read.environment->up_axis, 4u);
    EXPECT_EQ(read.boundary->alpha, 0.2);
    EXPECT_EQ(read.material_ior, (std::vector<float>{1.25f, 1.0f}));
    EXPECT_EQ(list_scene_hints(read),
              "camera, resolution, samples, environment, boundary, interfaces, integrator, time gates, detectors");
    EXPECT_EQ(read.integrator, Integrator::light);
    EXPECT_EQ(read.gates->count, 50u);
    EXPECT_EQ(read.gates->index, 1.37);
    ASSERT_EQ(read.detectors.size(), 1u);
    EXPECT_EQ(read.detectors[0].radius_mm, 1.5);
    EXPECT_EQ(read.detectors[0].center_world, (std::array<double, 3>{1, 2, 0}));
}

TEST(SceneHints, ALensSurvivesItsJsonAndNoLensHasNoKeys)
{
    SceneHints hints;
    hints.camera.emplace();
    EXPECT_EQ(format_scene_hints(hints).find("lens"), std::string::npos);
    hints.camera->lens_radius_mm = 0.25;
    hints.camera->focus_distance_mm = 40;
    SceneHints const read = parse_scene_hints(format_scene_hints(hints), "test");
    EXPECT_EQ(read.camera->lens_radius_mm, 0.25);
    EXPECT_EQ(read.camera->focus_distance_mm, 40);
}

TEST(SceneHints, ARoughBoundaryHasSingleFacetsUnlessTheySayOtherwise)
{
    std::string const boundary = R"({"boundary": {"kind": "rough", "int_ior": 1.5, "ext_ior": 1, "alpha": 0.1)";
    EXPECT_EQ(parse_scene_hints(boundary + "}}", "test").boundary->microfacets, Microfacets::single);
    std::string const multiple = boundary + R"(, "microfacets": "multiple"}})";
    EXPECT_EQ(parse_scene_hints(multiple, "test").boundary->microfacets, Microfacets::multiple);
    expect_error(ExitStatus::input, {"microfacets"},
                 [&] { parse_scene_hints(boundary + R"(, "microfacets": "many"}})", "test"); });
}

TEST(SceneHints, SayingNothingChangesNothing)
{
    EXPECT_EQ(format_scene_hints({}), "{}");
    EXPECT_TRUE(parse_scene_hints("{}", "test").is_empty());
    EXPECT_TRUE(parse_scene_hints(R"({"weather": "fine"})", "test").is_empty());
    EXPECT_TRUE(parse_scene_hints(R"({"camera": {"fov": 40}, "boundary": {}})", "test").is_empty());
    Scene scene;
    scene.width = 11;
    apply_scene_hints({}, nullptr, scene);
    EXPECT_EQ(scene.width, 11u);
}

TEST(SceneHints, ImageLightNeedsItsImage)
{
    Scene scene;
    scene.bands = 3;
    apply_scene_hints(make_hints(), nullptr, scene);
    EXPECT_EQ(scene.environment.kind, EnvironmentKind::constant);
    EXPECT_EQ(scene.boundary.kind, BoundaryKind::rough);
    LightImage image;
    image.checksum.low = 9;
    apply_scene_hints(make_hints(), &image, scene);
    EXPECT_EQ(scene.environment.kind, EnvironmentKind::image);
    EXPECT_EQ(scene.environment.radiance, (std::vector<float>{2.0f}));
    EXPECT_EQ(scene.environment.image_checksum.low, 9u);
}

TEST(SceneHints, ColoursOfOtherBandsBecomeTheirMean)
{
    SceneHints hints;
    hints.environment = EnvironmentHint{};
    hints.environment->radiance = {1, 2, 6};
    Scene scene;
    scene.bands = 1;
    apply_scene_hints(hints, nullptr, scene);
    EXPECT_EQ(scene.environment.radiance, (std::vector<float>{3.0f}));
}

TEST(SceneHints, WrongValuesAreRefusedByKey)
{
    for (char const* json : {"[]", "nonsense", R"({"material_ior": []})", R"({"material_ior": [0]})",
                             R"({"samples": 0})", R"({"samples": "many"})", R"({"resolution": [640]})",
                             R"({"camera": {"kind": "pinhole"}})", R"({"boundary": {"kind": "smooth", "int_ior": 99}})",
                             R"({"environment": {"kind": "constant", "radiance": [-1]}})"}) {
        SCOPED_TRACE(json);
        expect_error(ExitStatus::input, {"file.vpk"}, [&] { parse_scene_hints(json, "file.vpk"); });
    }
}

MaterialTable make_table(std::map<std::string, double> const& iors, std::optional<double> ior)
{
    MaterialTable table;
    table.materials = {{"skin", {2}, {0.1f}, 0}, make_air_material(1, "gap"), {"bone", {3}, {0.2f}, 0}};
    table.iors = iors;
    table.ior = ior;
    return table;
}

TEST(SceneHints, IndicesOfMaterialsBecomeInterfacesOrHaveToBeOne)
{
    MaterialTable const table = make_table({{"skin", 1.4}, {"bone", 1.55}}, {});
    expect_error(ExitStatus::input, {"'bone' has ior 1.55, others have 1.4", "--interfaces voxels"},
                 [&] { make_material_hints(table, "t.json"); });
    SceneHints const hints = parse_scene_hints(make_interface_hints(table, "t.json"), "test");
    EXPECT_EQ(hints.material_ior, (std::vector<float>{1.4f, 1.0f, 1.55f}));
    EXPECT_EQ(hints.boundary->kind, BoundaryKind::smooth);
    EXPECT_EQ(hints.boundary->ext_ior, 1);
    expect_error(ExitStatus::input, {"'bone' has no ior", "t.json"}, [] {
        make_interface_hints(make_table({{"skin", 1.4}}, {}), "t.json");
    });
    SceneHints const common = parse_scene_hints(make_interface_hints(make_table({{"skin", 1.4}}, 1.5), "t"), "test");
    EXPECT_EQ(common.material_ior, (std::vector<float>{1.4f, 1.0f, 1.5f}));
}

/// What a file alone decides, before any option of volrender.
TEST(VolumeScene, HintsThatCannotBeRenderedAreRefused)
{
    VolumeMeta meta;
    meta.dims = {2, 2, 2};
    auto const check = [&](std::string const& hints) {
        test::TempFolder const folder;
        VolumePacker packer(folder / "v.vpk", meta);
        packer.set_scene_hints(hints);
        packer.finish({});
        check_volume_scene(PackedVolume::open(folder / "v.vpk"), "v.vpk");
    };
    check("{}");
    check(R"({"resolution": [65536, 1]})");
    std::string const camera =
        R"({"camera": {"kind": "perspective", "fov_x_deg": 30, "origin_world_mm": [0, 0, 5], "target_world_mm": )";
    check(camera + R"([0, 0, 0], "up_world": [0, 1, 0]}})");
    for (std::string const& hints :
         {camera + R"([0, 0, 5], "up_world": [0, 1, 0]}})", camera + R"([0, 0, 0], "up_world": [0, 0, 1]}})",
          camera + R"([0, 0, 1e10], "up_world": [0, 1, 0]}})", std::string(R"({"samples": 0})")})
        expect_error(ExitStatus::input, {"v.vpk"}, [&] { check(hints); });
    meta.pitch_mm = {1e6f, 1e6f, 1e6f};
    check("{}");
    expect_error(ExitStatus::input, {"v.vpk", "camera.origin_world"}, [&] { check(R"({"resolution": [65536, 1]})"); });
}

TEST(VolumeScene, LargestAndFarthestVolumesAreInView)
{
    for (float const pitch_mm : {1e-9f, 1.0f, 1e8f}) {
        VolumeMeta meta;
        meta.dims = {1, 1, 1};
        meta.pitch_mm = {pitch_mm, pitch_mm, pitch_mm};
        double const far_mm = std::min(5e8, 0.999e9 * static_cast<double>(pitch_mm));
        meta.placement.origin_world_mm = {far_mm, -far_mm, far_mm};
        test::TempFolder const folder;
        VolumePacker(folder / "v.vpk", meta).finish({});
        EXPECT_NO_THROW(check_volume_scene(PackedVolume::open(folder / "v.vpk"), "v.vpk")) << pitch_mm;
    }
}

} // namespace
} // namespace volpt
