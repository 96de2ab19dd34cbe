// What clients are told of the volume.
#include "tools/volview/volume_views.h"

#include "tests/support/expect_error.h"
#include "tests/support/make_volume.h"

#include <cstring>
#include <nlohmann/json.hpp>

namespace volpt::test {
namespace {

PackedVolume make_viewed_volume()
{
    VolumeMeta meta = density_meta({4, 3, 2});
    meta.pitch_mm = {1, 2, 4};
    return make_volume(meta, {.density = [](int x, int, int) { return static_cast<float>(x); }});
}

TEST(VolumeViews, AVolumeOfDensitiesHasAHistogram)
{
    auto const answer = describe_volume(make_viewed_volume(), "v.vpk", 2);
    EXPECT_EQ(answer["dims"].dump(), "[4,3,2]");
    EXPECT_EQ(answer["size_mm"].dump(), "[4.0,6.0,8.0]");
    EXPECT_EQ(answer["materials"].dump(), "[]");
    EXPECT_EQ(answer["histogram"]["counts"][0], 6);
    EXPECT_EQ(answer["histogram"]["counts"][255], 6);
}

TEST(VolumeViews, MaterialsHaveNamesAndColours)
{
    VolumeMeta meta;
    meta.dims = {2, 1, 1};
    meta.filter = Filter::nearest;
    meta.extinction = meta.albedo = meta.anisotropy = Source::material;
    std::vector<Material> const materials{{"white", {5}, {0}, 0}, {"black", {5}, {1}, 0}};
    auto const answer =
        describe_volume(make_volume(meta, {.label = [](int x, int, int) { return x; }}, materials), "v.vpk", 1);
    EXPECT_EQ(answer["materials"].dump(), R"([{"name":"white","color":"#ffffff"},{"name":"black","color":"#000000"}])");
    EXPECT_TRUE(answer["histogram"].is_null());
}

TEST(VolumeViews, APlaceOfAPictureIsAVoxel)
{
    PackedVolume const volume = make_viewed_volume();
    auto const section = parse_section(volume, "z", "1");
    EXPECT_EQ(describe_place(volume, section, "0", "0").dump(), R"({"voxel":[0,0,1],"density":0.0})");
    EXPECT_EQ(describe_place(volume, section, "1", "0.5").dump(), R"({"voxel":[3,1,1],"density":3.0})");
    auto const picture = encode_section(volume, section);
    EXPECT_EQ(picture.type, "image/png");
    EXPECT_EQ(std::memcmp(picture.bytes.data(), "\x89PNG", 4), 0);
}

TEST(VolumeViews, OtherSectionsAndPlacesAreRefused)
{
    PackedVolume const volume = make_viewed_volume();
    for (auto const& [axis, index] : {std::pair{"w", "0"}, {"x", "4"}, {"x", "-1"}, {"", ""}, {"x", "1.5"}, {"X", "0"}})
        EXPECT_NE(catch_error(ExitStatus::usage, [&, at = axis, slice = index] { parse_section(volume, at, slice); }),
                  "")
            << axis << index;
    auto const section = parse_section(volume, "x", "0");
    for (char const* const share : {"nan", "-0.1", "1.1", "inf", ""})
        EXPECT_NE(catch_error(ExitStatus::usage, [&] { describe_place(volume, section, share, "0"); }), "") << share;
}

} // namespace
} // namespace volpt::test
