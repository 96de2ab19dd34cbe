// Commands of clients: what is refused, and that numbers come back exactly.
#include "tools/volview/commands.h"
#include "tests/support/expect_error.h"
#include "tools/options/units.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

using test::expect_error;

OptionsCommand parse_camera(std::string const& body)
{
    return parse_camera_command(parse_command(body));
}

TEST(Commands, CameraComesBackExactly)
{
    std::array<double, 3> const origin{0.1, -1.0 / 3, std::nextafter(12345.678, 1e9)};
    nlohmann::ordered_json const command = {
        {"origin", origin}, {"target", {1e-7, 0, -0.0}}, {"up", {0, 1, 1e-300}}, {"fov", 39.597755335771296}};
    OptionsCommand const parsed = parse_camera(command.dump());
    EXPECT_EQ(parse_length_triple_mm("--origin", *parsed.texts.at("origin"), SingleValue::refused), origin);
    EXPECT_EQ(parse_length_triple_mm("--target", *parsed.texts.at("target"), SingleValue::refused)[0], 1e-7);
    EXPECT_EQ(parse_triple("--up", *parsed.texts.at("up"), SingleValue::refused)[2], 1e-300);
    EXPECT_EQ(parse_number("--fov", *parsed.texts.at("fov")), 39.597755335771296);
    EXPECT_EQ(parsed.texts.at("ortho"), std::nullopt);
    EXPECT_EQ(parsed.texts.at("from"), std::nullopt);
    EXPECT_EQ(parsed.pace, CommandPace::single);
}

TEST(Commands, CameraKeepsItsLensUnlessOneIsGiven)
{
    std::string const place = R"("origin":[0,0,1],"target":[0,0,0],"up":[0,1,0])";
    EXPECT_EQ(parse_camera("{" + place + "}").texts.count("fov"), 0u);
    OptionsCommand const ortho = parse_camera("{" + place + R"(,"ortho":2.5,"moving":true})");
    EXPECT_EQ(ortho.texts.at("ortho"), "2.5");
    EXPECT_EQ(ortho.texts.at("fov"), std::nullopt);
    EXPECT_EQ(ortho.pace, CommandPace::moving);
    expect_error(ExitStatus::usage, {"contradict"}, [&] { parse_camera("{" + place + R"(,"ortho":2.5,"fov":30})"); });
}

TEST(Commands, WrongTypesAndRangesAreRefused)
{
    std::string deep(1000, '[');
    for (std::string const& body :
         {std::string(), std::string("null"), std::string("[]"), std::string("{"), std::string("{}"),
          std::string("\xff"), std::string(R"({"origin":[0,0,1],"target":[0,0,0],"up":"y"})"),
          std::string(R"({"origin":[0,0],"target":[0,0,0],"up":[0,1,0]})"),
          std::string(R"({"origin":[0,0,null],"target":[0,0,0],"up":[0,1,0]})"),
          std::string(R"({"origin":[0,0,1e10],"target":[0,0,0],"up":[0,1,0]})"),
          std::string(R"({"origin":[0,0,1e999],"target":[0,0,0],"up":[0,1,0]})"),
          std::string(R"({"origin":[0,0,1],"target":[0,0,0],"up":[0,1,0],"fov":180})"),
          std::string(R"({"origin":[0,0,1],"target":[0,0,0],"up":[0,1,0],"fov":"30"})"),
          std::string(R"({"origin":[0,0,1],"target":[0,0,0],"up":[0,1,0],"ortho":0})"),
          std::string(R"({"origin":[0,0,1],"target":[0,0,0],"up":[0,1,0],"moving":1})"),
          std::string(R"({"origin":[0,0,1],"target":[0,0,0],"up":[0,1,0],"out":1})"), deep})
        EXPECT_FALSE(test::catch_error(ExitStatus::usage, [&] { parse_camera(body); }).empty()) << body;
}

TEST(Commands, OptionsAreTextsOrNull)
{
    OptionsCommand const parsed =
        parse_options_command(parse_command(R"({"set":{"g":"0.5","alpha":null},"moving":false})"));
    EXPECT_EQ(parsed.texts, (OptionChanges{{"g", "0.5"}, {"alpha", std::nullopt}}));
    for (std::string const& body :
         {std::string(R"({})"), std::string(R"({"set":[]})"), std::string(R"({"set":{"g":0.5}})"),
          std::string(R"({"set":{"g":"1\n2"}})"), R"({"set":{"g":")" + std::string(2000, '1') + "\"}}",
          std::string(R"({"set":{},"x":1})")})
        EXPECT_FALSE(test::catch_error(ExitStatus::usage, [&] { parse_options_command(parse_command(body)); }).empty())
            << body;
}

TEST(Commands, DisplayChangesWhatIsGivenAlone)
{
    DisplaySettings const before{1.5, DisplayTone::linear, Illuminant::d50, 2};
    auto const change = [&](char const* body) { return parse_display_command(parse_command(body), before, 3); };
    EXPECT_EQ(change("{}"), before);
    EXPECT_EQ(change(R"({"exposure":-2})"), (DisplaySettings{-2, DisplayTone::linear, Illuminant::d50, 2}));
    EXPECT_EQ(change(R"({"tone":"srgb","illuminant":"D65","band":-1})"),
              (DisplaySettings{1.5, DisplayTone::srgb, Illuminant::d65, -1}));
    for (char const* const body : {R"({"band":3})", R"({"band":0.5})", R"({"tone":1})", R"({"illuminant":"A"})",
                                   R"({"exposure":100})", R"({"gamma":1})"})
        EXPECT_FALSE(test::catch_error(ExitStatus::usage, [&] { change(body); }).empty()) << body;
}

TEST(Commands, CornersOfAPatchComeInAnyOrder)
{
    PictureRectangle const patch = parse_patch_command(parse_command(R"({"x0":0.5,"y0":0.25,"x1":0.125,"y1":1})"));
    EXPECT_EQ(patch.x0, 0.125);
    EXPECT_EQ(patch.x1, 0.5);
    EXPECT_EQ(patch.y0, 0.25);
    EXPECT_EQ(patch.y1, 1);
}

TEST(Commands, NoCommandNamesAFile)
{
    EXPECT_EQ(parse_save_command(parse_command(R"({"kind":"exr"})")), ".exr");
    for (char const* const body : {"{}", R"({"kind":"../x"})", R"({"kind":"jpg"})", R"({"kind":"vpf","name":"x"})"})
        EXPECT_FALSE(test::catch_error(ExitStatus::usage, [&] { parse_save_command(parse_command(body)); }).empty())
            << body;
}

TEST(Commands, LongKeysAreCutInMessages)
{
    std::string const key(10000, 'k');
    std::string const message = expect_error(ExitStatus::usage, {"not a known key"}, [&] {
        parse_pick_command({{key, 1}});
    });
    EXPECT_LT(message.size(), 300u);
}

} // namespace
} // namespace volpt
