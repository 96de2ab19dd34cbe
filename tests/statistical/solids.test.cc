// Several solids in one volume: each has its own medium and boundary, and no light is lost among them.
#include "tests/statistical/furnace.h"
#include "tests/support/expect_error.h"
#include "tests/support/make_solids.h"

namespace volpt::test {
namespace {

TriangleMesh make_cube(float x_mm)
{
    return make_box({x_mm - 0.5f, -0.5f, -0.5f}, {x_mm + 0.5f, 0.5f, 0.5f});
}

MadeSolid make_milky(float x_mm)
{
    return {make_cube(x_mm), {"milky", {6.0f}, {0.1f}, 0.0f}, make_dielectric(1.5)};
}

MadeSolid make_murky(float x_mm)
{
    return {make_cube(x_mm), {"murky", {3.0f}, {0.4f}, 0.6f}, make_dielectric(1.3, 0.2)};
}

/// A camera that sees the cube at x = x_mm and little else.
Scene look_at_cube(PackedVolume const& volume, double x_mm)
{
    Scene scene = make_scene(volume, 16, 16);
    scene.camera.origin_world = {x_mm + 2, -3, 2};
    scene.camera.target_world = {x_mm, 0, 0};
    scene.camera.up_world = {0, 0, 1};
    scene.camera.fov_x_deg = 22;
    return scene;
}

TEST(Solids, WhiteSpheresThatNearlyTouchGiveOneInEverySampleAndLoseNoPath)
{
    std::vector<MadeSolid> const solids{
        {make_icosphere(1, 12), {"a", {10.0f}, {0.0f}, 0.0f}, make_dielectric(1.5)},
        {move_mesh(make_icosphere(1, 12), {2.04f, 0, 0}), {"b", {4.0f}, {0.0f}, 0.5f}, make_dielectric(1.2, 0.3)},
        {make_box({-0.5f, 1.1f, -0.5f}, {0.5f, 2, 0.5f}), {"c", {20.0f}, {0.0f}, 0.0f}, {}}};
    PackedVolume const volume = pack_solids(solids, 32);
    for (MajorantKind const majorant : {MajorantKind::local, MajorantKind::global}) {
        Scene scene = make_scene(volume);
        scene.majorant = majorant;
        PathCounts const counts = expect_furnace_is_one(RenderScene(scene, volume, nullptr, 7));
        EXPECT_GT(counts.extensions, 5 * counts.paths);
    }
}

TEST(Solids, FarApartEachGivesThePictureThatItGivesAlone)
{
    constexpr float kFar_mm = 80;
    PackedVolume const both = pack_solids({make_milky(0), make_murky(kFar_mm)});
    std::uint64_t const samples = 1024 / kHaste;
    auto const compare = [&](MadeSolid const& solid, double x_mm) {
        PackedVolume const alone = pack_solids({solid});
        Film const one = render_scene(look_at_cube(alone, x_mm), alone, {0, samples}, {}, 7);
        Film const of_two = render_scene(look_at_cube(both, x_mm), both, {0, samples}, {}, 8);
        expect_equal_means(measure_radiance(one)[0], measure_radiance(of_two)[0], solid.medium.name);
    };
    compare(make_milky(0), 0);
    compare(make_murky(kFar_mm), static_cast<double>(kFar_mm));
}

TEST(Solids, CubeOfTrianglesGivesTheMeanOfTheBox)
{
    PackedVolume const solid = pack_solids({make_milky(0.5f)});
    VolumeMeta meta;
    meta.dims = {1, 1, 1};
    meta.placement.origin_world_mm = {0, -0.5, -0.5};
    meta.constant_extinction = {6};
    meta.constant_one_minus_albedo = {0.1f};
    PackedVolume const box = make_volume(meta);
    Scene scene = look_at_cube(box, 0.5);
    scene.boundary = {BoundaryKind::smooth, 1.5, 1.0, 0};
    std::uint64_t const samples = 1024 / kHaste;
    expect_equal_means(measure_radiance(scene, box, samples)[0],
                       measure_radiance(look_at_cube(solid, 0.5), solid, samples, 9)[0], "box");
}

TEST(Solids, BoundaryOfTheSceneIsRefused)
{
    PackedVolume const volume = pack_solids({make_milky(0), make_murky(3)});
    Scene scene = look_at_cube(volume, 0);
    scene.boundary = {BoundaryKind::smooth, 1.5, 1.0, 0};
    expect_error(ExitStatus::usage, {"boundaries of their own"}, [&] { RenderScene(scene, volume, nullptr, 7); });
}

} // namespace
} // namespace volpt::test
