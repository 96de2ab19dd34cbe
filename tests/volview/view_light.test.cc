// The light of a view scene: the image of the start, numbers, and back.
#include "libvolpt/image/codecs/codecs.h"
#include "tests/volview/run_view.h"

namespace volpt {
namespace {

using test::expect_refused;
using test::expect_same_scene;
using test::TempFolder;
using test::with_view;
using test::write_scene_volume;

/// A sky that is brighter upwards, grey unless `blue` is another factor than 1.
std::filesystem::path write_sky(TempFolder const& folder, std::string const& name, float blue = 1)
{
    Image image;
    image.width = 8;
    image.height = 4;
    for (char const* channel : {"R", "G", "B"}) {
        Channel& plane = image.add_channel(channel);
        for (std::size_t i = 0; i < plane.values.size(); ++i) plane.values[i] = 2 - 0.05f * static_cast<float>(i);
        if (plane.name == "B")
            for (float& value : plane.values) value *= blue;
    }
    write_image(folder / name, image);
    return folder / name;
}

TEST(ViewScene, FilesAreNamedAtTheStartAlone)
{
    TempFolder const folder;
    auto const file = write_scene_volume(folder, "volume.vpk").string();
    auto const sky = write_sky(folder, "a sky.pfm").string();
    EXPECT_EQ(with_view({file},
                        [&](ViewScene& view) {
                            for (std::string const& name : {sky, std::string("/etc/passwd")})
                                expect_refused(view, {"neither a number nor 'image'"}, {{"env", name}});
                            expect_refused(view, {"there is no light image"}, {{"env", "image"}});
                            EXPECT_EQ(view.light(), nullptr);
                        }),
              0);
    EXPECT_EQ(with_view({file, "--env", sky, "--env-layout", "latlong", "--env-rotate", "-30"},
                        [&](ViewScene& view) {
                            EXPECT_EQ(view.texts().at("env"), "image");
                            ASSERT_NE(view.light(), nullptr);
                            EXPECT_EQ(view.scene().environment.kind, EnvironmentKind::image);
                            expect_same_scene(view, "start");
                            expect_refused(view, {"--env"}, {{"env", sky}});
                            view.change({{"env", "0.5"}, {"env-rotate", std::nullopt}});
                            EXPECT_EQ(view.scene().environment.kind, EnvironmentKind::constant);
                            expect_same_scene(view, "constant");
                            view.change({{"env", "image"}, {"env-up", "+z"}});
                            EXPECT_EQ(view.scene().environment.image_checksum, view.light()->checksum);
                            expect_same_scene(view, "image");
                            expect_refused(view, {"--env-below"}, {{"env-below", "0.1"}});
                            view.change({{"env", std::nullopt}});
                            expect_same_scene(view, "white");
                        }),
              0);
}

TEST(ViewScene, LightOfTheHintsCanBeLeftAndChosenAgain)
{
    TempFolder const folder;
    SceneHints hints;
    hints.source = "scene.xml";
    hints.camera = CameraSpec{CameraKind::orthographic, {1, 2, 30}, {4, 5, 6}, {0, 1, 0}, 45, 7.5};
    hints.resolution = {40, 30};
    hints.environment = EnvironmentHint{EnvironmentKind::image, {2.0f}, "sky.pfm", folder.path().string(), 4, 30};
    hints.boundary = BoundarySpec{BoundaryKind::rough, 1.5, 1.33, 0.2};
    auto const file = write_scene_volume(folder, "volume.vpk", hints).string();
    write_sky(folder, "sky.pfm");
    auto const other = write_sky(folder, "other.pfm").string();
    EXPECT_EQ(
        with_view({file},
                  [&](ViewScene& view) {
                      EXPECT_EQ(view.scene().environment.radiance, std::vector<float>{2.0f});
                      expect_same_scene(view, "start");
                      view.change({{"env-up", "+x"}});
                      EXPECT_EQ(view.scene().environment.kind, EnvironmentKind::constant);
                      expect_same_scene(view, "an option of the light replaces that of the hints");
                      view.change({{"env", "image"}, {"env-rotate", "77.7"}});
                      EXPECT_EQ(view.scene().environment.kind, EnvironmentKind::image);
                      expect_same_scene(view, "image of the hints");
                      view.change({{"env", std::nullopt}, {"env-rotate", std::nullopt}, {"env-up", std::nullopt}});
                      EXPECT_EQ(view.scene().environment.rotate_deg, 30);
                      expect_same_scene(view, "as at the start");
                  }),
        0);
    EXPECT_EQ(with_view({file, "--env", other},
                        [&](ViewScene& view) {
                            expect_same_scene(view, "another image");
                            expect_refused(view, {"sky.pfm", "not read at the start"}, {{"env", std::nullopt}});
                        }),
              0);
    EXPECT_EQ(with_view({file, "--hints", "off"},
                        [&](ViewScene& view) {
                            EXPECT_EQ(view.scene().width, 512u);
                            expect_same_scene(view, "without hints");
                        }),
              0);
}

std::string write_grey_volume(TempFolder const& folder)
{
    test::pack_volume(folder / "grey.vpk", test::density_meta({8, 6, 4}),
                      {.density = [](int x, int, int) { return 0.1f + 0.05f * static_cast<float>(x); }});
    return (folder / "grey.vpk").string();
}

TEST(ViewScene, GreyVolumeHasTheBandsOfItsLight)
{
    TempFolder const folder;
    auto const file = write_grey_volume(folder), sky = write_sky(folder, "sky.pfm", 1.5f).string();
    auto const expect_bands = [](ViewScene& view, std::uint32_t bands, std::string const& step) {
        EXPECT_EQ(view.scene().bands, bands) << step;
        EXPECT_EQ(view.rendered_volume()->meta().bands(), bands) << step;
        EXPECT_EQ(view.volume().meta().bands(), 1u) << step;
        expect_same_scene(view, step);
    };
    EXPECT_EQ(with_view({file},
                        [&](ViewScene& view) {
                            EXPECT_EQ(view.light_bands(), 3u);
                            expect_bands(view, 1, "white");
                            view.change({{"env", "0.4,0.5,0.7"}});
                            expect_bands(view, 3, "blue");
                            view.change({{"env", "2,2,2"}});
                            expect_bands(view, 1, "white again");
                            view.change({{"ground", "diffuse:.1,.2,.3"}});
                            expect_bands(view, 3, "ground");
                        }),
              0);
    EXPECT_EQ(with_view({file, "--env", sky},
                        [&](ViewScene& view) {
                            expect_bands(view, 3, "sky");
                            EXPECT_EQ(view.light()->bands, 3u);
                            view.change({{"env", "1"}});
                            expect_bands(view, 1, "white");
                            view.change({{"env", "image"}});
                            expect_bands(view, 3, "sky again");
                        }),
              0);
    EXPECT_EQ(with_view({file, "--env", sky, "--bands", "volume"},
                        [&](ViewScene& view) {
                            EXPECT_EQ(view.light_bands(), 1u);
                            expect_bands(view, 1, "luminance of the sky");
                            EXPECT_EQ(view.light()->bands, 1u);
                            view.change({{"env", "0.4,0.5,0.7"}});
                            expect_bands(view, 1, "luminance of the values");
                        }),
              0);
}

TEST(ViewScene, GreyImageOfAGreyVolumeHasTheBandsOfTheRest)
{
    TempFolder const folder;
    auto const file = write_grey_volume(folder), sky = write_sky(folder, "sky.pfm").string();
    EXPECT_EQ(with_view({file, "--env", sky},
                        [&](ViewScene& view) {
                            EXPECT_EQ(view.scene().bands, 1u);
                            EXPECT_EQ(view.light()->bands, 1u);
                            expect_same_scene(view, "grey");
                            view.change({{"ground", "diffuse:.1,.2,.3"}});
                            EXPECT_EQ(view.scene().bands, 3u);
                            EXPECT_EQ(view.light()->bands, 3u);
                            expect_same_scene(view, "coloured ground");
                        }),
              0);
}

} // namespace
} // namespace volpt
