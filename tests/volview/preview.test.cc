// Previews of other curves and boxes: commands of clients, packed volumes, and lines of volprep.
#include "tools/volview/preview/preview.h"

#include "tests/support/expect_error.h"
#include "tests/support/make_volume.h"

#include <nlohmann/json.hpp>

namespace volpt::test {
namespace {

using Json = nlohmann::ordered_json;

VolumeMeta make_preview_meta()
{
    VolumeMeta meta = density_meta({8, 6, 4}, Filter::trilinear, Encoding::u8);
    meta.density_value_scale = 1.0f / 64;
    return meta;
}

/// Densities of 0 .. 1, as `command` would have packed them.
void pack_measured(std::filesystem::path const& path, std::string const& command, VolumeMeta const& meta)
{
    Provenance provenance;
    provenance.set("tool", "volprep");
    provenance.set("command", command);
    pack_volume(path, meta, {.density = [](int x, int, int) { return static_cast<float>(x) / 8; }}, {}, 8, provenance);
}

std::vector<std::string> list_lines(std::string const& command, char const* preview,
                                    VolumeMeta const& meta = make_preview_meta())
{
    TempFolder const folder;
    pack_measured(folder / "v.vpk", command, meta);
    return list_preview_commands(PackedVolume::open(folder / "v.vpk"), parse_preview_command(Json::parse(preview)),
                                 "v_preview.vpk");
}

TEST(VolviewPreview, CommandsComeBackAsTheyWere)
{
    Json const command = Json::parse(R"({"opacity":"0:0,0.5:1","albedo":null,"crop":[0,1,2,3,4,5]})");
    EXPECT_EQ(describe_preview(parse_preview_command(command)), command);
    EXPECT_TRUE(describe_preview(parse_preview_command(Json::object())).is_null());
}

TEST(VolviewPreview, MalformedCommandsAreRefused)
{
    for (char const* const text :
         {R"({"opacity":3})", R"({"opacity":"0:0"})", R"({"opacity":"0:0,1"})", R"({"albedo":"0:0,1:2"})",
          R"({"opacity":"0:0,nan:1"})", R"({"crop":[0,0,0,1,1]})", R"({"crop":[0,0,0,1,1,1.5]})",
          R"({"crop":[0,0,-1,1,1,1]})", R"({"crop":[0,0,0,1,1,99999]})", R"({"other":1})"})
        EXPECT_NE(catch_error(ExitStatus::usage, [&] { parse_preview_command(Json::parse(text)); }), "") << text;
}

TEST(VolviewPreview, ThePackedVolumeHasTheCurveAndTheBox)
{
    TempFolder const folder;
    pack_measured(folder / "v.vpk", "", make_preview_meta());
    PackedVolume const volume = PackedVolume::open(folder / "v.vpk");
    auto const options = parse_preview_command(Json::parse(R"({"opacity":"0:1,1:0","crop":[4,0,0,8,6,4]})"));
    PackedVolume const preview = make_preview(volume, folder / "v.vpk", options, 2);
    EXPECT_EQ(preview.meta().dims, (std::array{4, 6, 4}));
    VolumeView const view = preview.view();
    EXPECT_NEAR(read_stored(view.density, view, 2, 1, 1), 1 - 6.0 / 8, 1e-5);
}

TEST(VolviewPreview, AFileThatChangedMeanwhileIsRefused)
{
    TempFolder const folder;
    pack_measured(folder / "v.vpk", "", make_preview_meta());
    PackedVolume const volume = PackedVolume::open(folder / "v.vpk");
    VolumeMeta other = make_preview_meta();
    other.scale = 2;
    pack_measured(folder / "v.vpk", "", other);
    expect_error(ExitStatus::input, {"has changed"}, [&] { make_preview(volume, folder / "v.vpk", {}, 1); });
}

TEST(VolviewPreview, CurvesOfALineAreOverMeasuredValues)
{
    using Lines = std::vector<std::string>;
    EXPECT_EQ(list_lines("FILE.mha --window -1000,1000 --scale 2 --output FILE.vpk", R"({"opacity":"0.5:0,0.65:1"})"),
              Lines{"volprep SOURCE.mha --scale 2 --opacity -1000:0,0:0,300:1,1000:1 --output v_preview.vpk"});
    EXPECT_EQ(list_lines("FILE.raw --dims 8,6,4 --type u8 --opacity 0:0,10:1,20:0 --albedo .5 --output FILE.vpk",
                         R"({"opacity":"0:0,0.5:1,1:0","albedo":"0:0,1:1"})"),
              Lines{"volprep SOURCE.raw --dims 8,6,4 --type u8 --opacity 0:0,5:1,10:0,15:1,20:0 "
                    "--albedo-curve 0:0,10:1,20:0 --output v_preview.vpk"});
    VolumeMeta plain = make_preview_meta();
    plain.density_value_scale = 1;
    EXPECT_EQ(list_lines("--clamp FILE.raw --output FILE.vpk", R"({"opacity":"0:0,9:1"})", plain),
              Lines{"volprep --clamp SOURCE.raw --opacity 0:0,9:1 --output v_preview.vpk"});
    // Bytes of a format that says that 64 means 1.
    EXPECT_EQ(list_lines("FILE.svx --output FILE.vpk", R"({"opacity":"0:0,1:1"})"),
              Lines{"volprep SOURCE.svx --opacity 0:0,64:1 --output v_preview.vpk"});
}

TEST(VolviewPreview, BoxesOfALineAreInVoxelsOfTheSource)
{
    EXPECT_EQ(list_lines("FILE.mha --crop 10:18,0:6,5:9 --output FILE.vpk", R"({"crop":[1,2,3,8,6,4]})"),
              std::vector<std::string>{"volprep SOURCE.mha --crop 11:18,2:6,8:9 --output v_preview.vpk"});
}

TEST(VolviewPreview, ALineSaysWhatIsOtherThanInThePreview)
{
    auto const lines =
        list_lines("FILE.mha --window 0,10 --transfer FILE.json --output FILE.vpk", R"({"opacity":"0:0,1:1"})");
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0].find("# --transfer"), 0u);
    EXPECT_EQ(lines[1], "volprep SOURCE.mha --transfer FILE.json --opacity 0:0,10:1 --output v_preview.vpk");
}

TEST(VolviewPreview, WithoutAMeasuredSourceTheCurvesAreToldOverPackedDensities)
{
    for (char const* const command :
         {"--make noise --dims 8,8,8 --output FILE.vpk", "FILE.vpk --scale 2", "--window 1"}) {
        auto const lines = list_lines(command, R"({"opacity":"0:0,1:1"})");
        ASSERT_EQ(lines.size(), 2u) << command;
        EXPECT_EQ(lines[1], "# density over packed density: 0:0,1:1");
    }
    EXPECT_TRUE(list_lines("FILE.mha", "{}").empty());
}

TEST(VolviewPreview, ARecodedVolIsToldOverPackedDensitiesAsItsWindowIsNotKnown)
{
    auto const lines = list_lines("FILE.vol --encode f16 --output FILE.vpk", R"({"opacity":"0:0,1:1"})");
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_NE(lines[0].find("--window"), std::string::npos);
    EXPECT_EQ(lines[1], "# density over packed density: 0:0,1:1");
    using Lines = std::vector<std::string>;
    EXPECT_EQ(list_lines("FILE.vol --encode f16 --window 0,10 --output FILE.vpk", R"({"opacity":"0:0,1:1"})"),
              Lines{"volprep SOURCE.vol --encode f16 --opacity 0:0,10:1 --output v_preview.vpk"});
    EXPECT_EQ(list_lines("FILE.vol --encode f16 --output FILE.vpk", R"({"crop":[0,0,0,4,4,4]})"),
              Lines{"volprep SOURCE.vol --encode f16 --crop 0:4,0:4,0:4 --output v_preview.vpk"});
}

} // namespace
} // namespace volpt::test
