// Renders whose bits must never change: a change here breaks resuming, merging and every stored hash of our users.
#include "tests/support/make_scene.h"

#include <fstream>
#include <gtest/gtest.h>
#include <map>

namespace volpt::test {
namespace {

/// Lines "name film_hash" of tests/frozen/renders.txt.
std::map<std::string, std::string> read_frozen_hashes()
{
    std::ifstream file(VOLPT_TESTS_DIR "/frozen/renders.txt");
    std::map<std::string, std::string> hashes;
    std::string name, hash;
    while (file >> name >> hash) hashes[name] = hash;
    return hashes;
}

void expect_frozen(std::string const& name, Scene const& scene, PackedVolume const& volume)
{
    auto const frozen = read_frozen_hashes();
    std::string const hash = to_hex(hash_film(render_scene(scene, volume, {0, 5}, {}, 2018)));
    ASSERT_TRUE(frozen.contains(name)) << name << " " << hash;
    EXPECT_EQ(hash, frozen.at(name)) << name << " " << hash;
}

TEST(FrozenRenders, BareCube)
{
    PackedVolume const volume = make_bare_cube(30, 0.002f, 0.6f);
    expect_frozen("bare_cube", make_scene(volume), volume);
}

TEST(FrozenRenders, RoughPrint)
{
    PackedVolume const volume = make_print();
    Scene scene = make_scene(volume);
    scene.boundary = {BoundaryKind::rough, 1.5, 1.0, 0.15};
    expect_frozen("rough_print", scene, volume);
}

TEST(FrozenRenders, CloudWithGlobalMajorant)
{
    PackedVolume const volume = make_cloud(Filter::trilinear, Encoding::u16, -0.4f);
    Scene scene = make_scene(volume);
    scene.majorant = MajorantKind::global;
    expect_frozen("cloud_global", scene, volume);
}

TEST(FrozenRenders, ColourCloudWithLocalMajorants)
{
    PackedVolume const volume = make_colour_cloud();
    expect_frozen("colour_cloud_local", make_scene(volume), volume);
}

TEST(FrozenRenders, SmoothInksSeenInParallel)
{
    PackedVolume const volume = make_inks();
    Scene scene = make_scene(volume);
    scene.camera.kind = CameraKind::orthographic;
    scene.camera.ortho_width_mm = 4;
    scene.boundary = {BoundaryKind::smooth, 1.5, 1.0, 0};
    scene.environment = {EnvironmentKind::hemispheres, {1.0f, 0.5f, 0.25f}, {0.1f}, {}, 4, 0};
    expect_frozen("smooth_inks", scene, volume);
}

} // namespace
} // namespace volpt::test
