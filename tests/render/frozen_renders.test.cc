// Renders whose bits must never change: a change here breaks resuming, merging and every stored hash of our users.
#include "tests/support/frozen_scenes.h"

#include <gtest/gtest.h>

namespace volpt::test {
namespace {

void expect_frozen(std::string const& name)
{
    FrozenScene const frozen = std::move(make_frozen_scenes().at(name));
    std::string const hash =
        to_hex(hash_film(render_scene(frozen.scene, frozen.volume, kFrozenSamples, {}, kFrozenSeed)));
    auto const hashes = read_frozen_hashes();
    ASSERT_TRUE(hashes.contains(name)) << name << " " << hash;
    EXPECT_EQ(hash, hashes.at(name)) << name << " " << hash;
}

TEST(FrozenRenders, BareCube)
{
    expect_frozen("bare_cube");
}
TEST(FrozenRenders, RoughPrint)
{
    expect_frozen("rough_print");
}
TEST(FrozenRenders, PrintWithManyFacets)
{
    expect_frozen("many_facets");
}
TEST(FrozenRenders, CloudThatGoesOnAcrossSeams)
{
    expect_frozen("periodic_cloud");
}
TEST(FrozenRenders, CloudWithGlobalMajorant)
{
    expect_frozen("cloud_global");
}
TEST(FrozenRenders, ColourCloudWithLocalMajorants)
{
    expect_frozen("colour_cloud_local");
}
TEST(FrozenRenders, SmoothInksSeenInParallel)
{
    expect_frozen("smooth_inks");
}

TEST(FrozenRenders, InksProbed)
{
    expect_frozen("probed_inks");
}

TEST(FrozenRenders, InksProbedInLongSteps)
{
    expect_frozen("stepped_inks");
}
TEST(FrozenRenders, CloudInLongSteps)
{
    expect_frozen("stepped_cloud");
}

TEST(FrozenRenders, RoughObject)
{
    expect_frozen("rough_object");
}
TEST(FrozenRenders, ObjectInLongSteps)
{
    expect_frozen("stepped_object");
}
TEST(FrozenRenders, ObjectOnAGround)
{
    expect_frozen("grounded_object");
}
TEST(FrozenRenders, CloudOnAGround)
{
    expect_frozen("grounded_cloud");
}
TEST(FrozenRenders, TextureOfAnObjectProbed)
{
    expect_frozen("probed_texture");
}
TEST(FrozenRenders, TwoSolids)
{
    expect_frozen("two_solids");
}

TEST(FrozenRenders, HashesAreOfTheScenes)
{
    auto const scenes = make_frozen_scenes();
    auto const hashes = read_frozen_hashes();
    EXPECT_EQ(hashes.size(), scenes.size());
    for (auto const& [name, hash] : hashes) EXPECT_TRUE(scenes.contains(name)) << name;
}

} // namespace
} // namespace volpt::test
