// A scene whose options change one after the other is that of the volrender command with all of them.
#include "libvolpt/volume/mesh/mesh_volume.h"
#include "libvolpt/volume/mesh/support_faces.h"
#include "libvolpt/volume/mesh/voxel_faces.h"
#include "tests/support/make_probed_object.h"
#include "tests/volview/run_view.h"

#include <algorithm>
#include <fmt/format.h>

namespace volpt {
namespace {

using test::Changes;
using test::expect_refused;
using test::expect_same_scene;
using test::split_by_shell;
using test::TempFolder;
using test::with_view;
using test::Words;
using test::write_scene_volume;

std::string print_point(double x, double y, double z)
{
    return fmt::format("{},{},{}", x, y, z);
}

TEST(ViewScene, CommandRendersWhatIsShown)
{
    TempFolder const folder;
    auto const file = write_scene_volume(folder, "volume.vpk").string();
    Changes const steps[] = {
        {{"resolution", "64x48"}},
        {{"origin", print_point(0.1 + 0.2, -100.0 / 3, 1e-7)},
         {"target", print_point(4.1, 1 / 3.0, -0.7)},
         {"up", print_point(-1e-3, 0.1 + 0.7, 1 / 7.0)}},
        {{"fov", "31.400000000000002"}, {"lens", "0.30000000000000004,21"}},
        {{"env", "0.7,0.8,0.9"}, {"env-below", "0.1"}, {"env-up", "-z"}},
        {{"boundary", "rough"}, {"alpha", "0.30000000000000004"}, {"int-ior", "1.33"}, {"microfacets", "single"}},
        {{"ground", "checker:0.2:0.6,0.5,0.4:1.1mm"}, {"ground-up", "+y"}, {"transparent", "on"}},
        {{"fov", std::nullopt}, {"lens", std::nullopt}, {"ortho", "12.3mm"}},
        {{"g", "-0.7"}, {"scale", "3.3"}, {"roulette", "off"}, {"depth-limit", "99"}, {"majorant", "global"}},
        {{"origin", std::nullopt},
         {"target", std::nullopt},
         {"up", std::nullopt},
         {"from", "-x"},
         {"transparent", "off"}},
        {{"from", std::nullopt},
         {"ortho", std::nullopt},
         {"resolution", std::nullopt},
         {"env", std::nullopt},
         {"env-below", std::nullopt},
         {"env-up", std::nullopt},
         {"ground", std::nullopt},
         {"ground-up", std::nullopt},
         {"probe", "top"},
         {"sides", "periodic"},
         {"dpi", "50,60"},
         {"backing", "white"},
         {"view", "diffuse"}},
        {{"specular", "excluded"},
         {"boundary", std::nullopt},
         {"alpha", std::nullopt},
         {"int-ior", std::nullopt},
         {"microfacets", std::nullopt}},
    };
    int const status = with_view(
        {file, "--origin", "10,20,30", "--env=2"},
        [&](ViewScene& view) {
            expect_same_scene(view, "start");
            Hash128 last = hash_scene(view.scene());
            for (Changes const& step : steps) {
                Hash128 const next = hash_scene(view.change(step));
                EXPECT_NE(next, last);
                last = next;
                expect_same_scene(view, step.begin()->first);
            }
        },
        77);
    EXPECT_EQ(status, 0);
}

TEST(ViewScene, NumbersComeBackExactly)
{
    TempFolder const folder;
    auto const file = write_scene_volume(folder, "volume.vpk").string();
    double const x = 0.1 + 0.2, fov = 100.0 / 3;
    int const status = with_view({file}, [&](ViewScene& view) {
        view.change(
            {{"origin", print_point(x, -x, 1e-300)}, {"target", print_point(5, 6, 7)}, {"fov", fmt::to_string(fov)}});
        nlohmann::ordered_json const camera = view.describe().at("camera");
        EXPECT_EQ(camera.at("origin"), (Vec3d{x, -x, 1e-300}));
        EXPECT_EQ(camera.at("target"), (Vec3d{5, 6, 7}));
        EXPECT_EQ(camera.at("fov_deg"), fov);
        EXPECT_EQ(camera.at("kind"), "perspective");
        EXPECT_EQ(view.describe().at("box").at("center"), (Vec3d{5, 5, 5}));
        EXPECT_EQ(view.describe().at("box").at("size"), (Vec3d{8, 6, 4}));
        view.change({{"fov", std::nullopt}, {"ortho", "9"}});
        EXPECT_EQ(view.describe().at("camera").at("ortho_width_mm"), 9.0);
        EXPECT_FALSE(view.describe().at("camera").contains("fov_deg"));
        view.change({{"origin", std::nullopt}, {"target", std::nullopt}, {"ortho", std::nullopt}, {"probe", "-x"}});
        EXPECT_EQ(view.describe().at("camera").dump(), R"({"kind":"probe"})");
    });
    EXPECT_EQ(status, 0);
}

TEST(ViewScene, CommandIsQuotedForTheShell)
{
    TempFolder const folder;
    auto const file = write_scene_volume(folder, "-a $(b) 'c' d.vpk").string();
    int const status = with_view({file, "--long-steps=auto"}, [&](ViewScene& view) {
        expect_same_scene(view, "start");
        Words const words = split_by_shell(view.make_command(7));
        EXPECT_EQ(words[1], file);
        EXPECT_EQ(words[words.size() - 3], "./-a $(b) 'c' d.vpf");
        EXPECT_EQ(view.texts().at("long-steps"), "auto");
        EXPECT_EQ(view.make_command(7).find("auto"), std::string::npos);
    });
    EXPECT_EQ(status, 0);
}

TEST(ViewScene, RefusedOptionsLeaveAllAsItWas)
{
    TempFolder const folder;
    auto const file = write_scene_volume(folder, "volume.vpk").string();
    std::string const far(300, '1');
    int const status = with_view({file, "--fov", "40"}, [&](ViewScene& view) {
        expect_refused(view, {"--alpha"}, {{"fov", "20"}, {"alpha", "1.5"}});
        expect_refused(view, {"--fov and --ortho"}, {{"ortho", "10"}});
        expect_refused(view, {"--origin 'nan'"}, {{"origin", "nan,0,0"}});
        expect_refused(view, {"--scale"}, {{"scale", "inf"}});
        expect_refused(view, {"camera.origin_world"}, {{"origin", "1e10,0,0"}});
        expect_refused(view, {"bands"}, {{"env", "1,2"}});
        expect_refused(view, {"--support-alpha"}, {{"boundary", "smooth"}, {"support-alpha", "0.3"}});
        expect_refused(view, {"a probe has its own view"}, {{"probe", "top"}});
        expect_refused(view, {"256 bytes"}, {{"origin", far}});
        expect_refused(view, {"control characters"}, {{"origin", "1,2,\n3"}});
        expect_refused(view, {"on or off"}, {{"transparent", "1"}});
        expect_refused(view, {"too many"}, {{"resolution", "4097x4096"}});
        expect_refused(view, {"too many"}, {{"fov", std::nullopt}, {"probe", "top"}, {"dpi", "1e5"}});
        for (char const* name :
             {"spp", "output", "config", "hints", "bands", "env-layout", "help", "kernel", "", "ori", "--fov"})
            expect_refused(view, {"no option that can be changed"}, {{"fov", "20"}, {name, std::nullopt}});
        view.change({{"resolution", "4096x4096"}});
        EXPECT_EQ(view.scene().height, 4096u);
    });
    EXPECT_EQ(status, 0);
    EXPECT_EQ(with_view({}, [](ViewScene&) {}), 2);
    EXPECT_EQ(with_view({file, "--resolution", "5000x5000"},
                        [](ViewScene& view) {
                            view.change({{"resolution", "4999x5000"}});
                        }),
              0);
}

TEST(ViewScene, FilmsOfManyBandsHaveFewerPixels)
{
    TempFolder const folder;
    VolumeMeta meta = test::density_meta({2, 2, 2});
    for (std::uint32_t band = 1; band < 16; ++band) meta.band_numbers.push_back(band);
    meta.constant_extinction.assign(16, 1);
    meta.constant_one_minus_albedo.assign(16, 0.5f);
    test::pack_volume(folder / "bands.vpk", meta, {.density = [](int, int, int) { return 0.5f; }});
    int const status = with_view({(folder / "bands.vpk").string()}, [&](ViewScene& view) {
        view.change({{"resolution", "2048x2048"}});
        expect_refused(view, {"too many", "4194304"}, {{"resolution", "2049x2048"}});
    });
    EXPECT_EQ(status, 0);
}

/// A voxel that stands on support.
std::filesystem::path write_supported_object(TempFolder const& folder)
{
    Occupancy object({3, 3, 3}), prop({3, 3, 3});
    object.occupy(1, 1, 1);
    prop.occupy(1, 1, 0);
    TriangleMesh faces = make_voxel_faces(object, "object");
    std::uint32_t const supported = put_supported_last(faces, prop);
    PlacedMesh placed = place_voxel_mesh({{3, 3, 3}, {0.5f, 0.5f, 0.5f}, {}}, std::move(faces), 1);
    placed.supported_triangles = supported;
    auto const volume = make_mesh_volume(std::make_unique<test::ConstantMedium>(test::make_constant_meta(0.1f)),
                                         std::move(placed), "object");
    pack_volume(*volume, folder / "object.vpk", {}, {});
    return folder / "object.vpk";
}

TEST(ViewScene, FacesUnderSupportHaveARoughnessOfTheirOwn)
{
    TempFolder const folder;
    auto const file = write_supported_object(folder).string();
    int const status = with_view({file, "--boundary", "smooth"}, [&](ViewScene& view) {
        EXPECT_EQ(view.scene().boundary.support_alpha, kDefaultSupportAlpha);
        expect_same_scene(view, "default");
        view.change({{"support-alpha", "0.7"}, {"ground", "diffuse:0.5"}});
        EXPECT_EQ(view.scene().boundary.support_alpha, 0.7);
        expect_same_scene(view, "changed");
        expect_refused(view, {"--support-alpha needs a boundary"}, {{"boundary", std::nullopt}});
        // What only the renderer knows is refused as well.
        expect_refused(view, {"a mesh bounds this volume"}, {{"ground", std::nullopt}, {"probe", "top"}});
        expect_refused(view, {"texture"}, {{"ground", std::nullopt}, {"probe", "uv"}});
    });
    EXPECT_EQ(status, 0);
}

TEST(ViewScene, LongStepsAreWhatWasChosen)
{
    TempFolder const folder;
    VolumeMeta meta;
    meta.dims = {32, 32, 32};
    meta.scale = 100;
    test::pack_volume(folder / "dense.vpk", meta, {});
    auto const file = (folder / "dense.vpk").string();
    int const status = with_view({file, "--resolution", "256x256"}, [&](ViewScene& view) {
        EXPECT_EQ(view.scene().long_steps, LongSteps::plain);
        view.change({{"long-steps", "auto"}});
        EXPECT_EQ(view.scene().long_steps, LongSteps::spheres);
        expect_same_scene(view, "chosen");
        view.change({{"origin", "70,80,90"}});
        EXPECT_EQ(view.scene().long_steps, LongSteps::spheres);
        expect_same_scene(view, "moved");
        view.change({{"scale", "0.01"}});
        EXPECT_EQ(view.scene().long_steps, LongSteps::plain);
        expect_same_scene(view, "thin");
        expect_refused(view, {"--long-steps on and --majorant global"}, {{"long-steps", "on"}, {"majorant", "global"}});
        expect_refused(view, {"--sides periodic"}, {{"long-steps", "layers"}});
    });
    EXPECT_EQ(status, 0);
}

TEST(ViewScene, EveryOptionOfASceneIsChangeableButThoseOfFiles)
{
    Words const names = ViewScene::list_changeable();
    for (char const* name : {"resolution", "origin", "from", "env", "env-below", "transparent", "ground", "boundary",
                             "support-alpha", "g", "scale", "long-steps", "probe", "dpi"})
        EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
    SceneOptions options;
    boost::program_options::options_description declared;
    for (OptionGroup* const group : options.list_groups()) group->declare(declared);
    // And scene, which may name a file.
    for (char const* name : {"hints", "bands", "env-layout", "list-scenes", "scene"})
        EXPECT_EQ(std::count(names.begin(), names.end(), name), 0) << name;
    EXPECT_EQ(names.size() + 5, declared.options().size());
}

} // namespace
} // namespace volpt
