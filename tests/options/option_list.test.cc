// What --list-options says of options: the kinds of their values, and its two forms.
#include "tools/options/listing/option_list.h"

#include "tools/options/listing/value_kinds.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {
namespace po = boost::program_options;

using Words = std::vector<std::string>;

TEST(ValueKinds, SmallWordsStandForThemselvesAndCapitalsForValues)
{
    EXPECT_EQ(read_value_kinds("off|W_MIN").words, Words{"off"});
    EXPECT_EQ(read_value_kinds("radiance|radiance-per-mm|u8").words, (Words{"radiance", "radiance-per-mm", "u8"}));
    EXPECT_EQ(read_value_kinds("D50|D65").words, (Words{"D50", "D65"}));
    EXPECT_EQ(read_value_kinds("cpu|cpu+all|LIST").words, (Words{"cpu", "cpu+all"}));
    for (char const* const name : {"N", "X,Y,Z", "x,y,z", "WxH", "#rrggbb", "SIZE|PERCENT%", "'KIND key=value ..'",
                                   "NAME=X,Y,W,H", "X0:X1,Y0:Y1,Z0:Z1", "RADIUS[,FOCUS]", "COLSxROWS", "HOST:PORT"}) {
        EXPECT_TRUE(read_value_kinds(name).words.empty()) << name;
        EXPECT_TRUE(read_value_kinds(name).files.empty()) << name;
    }
}

TEST(ValueKinds, BeginningsOfValuesGoOn)
{
    EXPECT_EQ(read_value_kinds("none|diffuse:A|checker:A:B[:SIDE]").words, (Words{"none", "diffuse:", "checker:"}));
}

TEST(ValueKinds, AxesAreListed)
{
    EXPECT_EQ(read_value_kinds("top|AXIS|uv").words, (Words{"top", "+x", "-x", "+y", "-y", "+z", "-z", "uv"}));
}

TEST(ValueKinds, FilesAreKnownByTheirEndings)
{
    EXPECT_EQ(read_value_kinds("OUT.svg|OUT.png|none").files, (Words{".svg", ".png"}));
    EXPECT_EQ(read_value_kinds("OUT.svg|OUT.png|none").words, Words{"none"});
    EXPECT_EQ(read_value_kinds("FILE.nii.gz").files, Words{".nii.gz"});
    EXPECT_EQ(read_value_kinds("FOLDER|off").files, Words{"/"});
    EXPECT_EQ(read_value_kinds("FILE").files, Words{"*"});
    EXPECT_EQ(read_value_kinds("FILE", {.files = ".vpf .exr"}).files, (Words{".vpf", ".exr"}));
    EXPECT_EQ(read_value_kinds("NAME|FILE", {{"j750"}, ".json"}).words, Words{"j750"});
}

ToolDescription describe_sample()
{
    return {.name = "volsample",
            .commands = {{"run", "Runs."}},
            .arguments = {{"VOLUME.vpk"}, {"PICTURE", {.files = ".png"}}},
            .arguments_max = 5};
}

std::vector<po::options_description> declare_sample()
{
    std::vector<po::options_description> groups(1);
    auto add = groups.front().add_options();
    add("output,o", repeatable_file("FILE"), "where to write\nit");
    add("boundary", text_value("none|smooth"), "faces");
    add("quiet,q", po::bool_switch(), "says nothing");
    return groups;
}

TEST(OptionList, TextHasNineColumns)
{
    EXPECT_EQ(list_options(describe_sample(), declare_sample(), AnswerForm::text),
              "command\trun\t-\t0\tonce\t-\t-\t-\tRuns.\n"
              "argument\t-\t-\t1\tonce\tVOLUME.vpk\t-\t.vpk\t-\n"
              "argument\t-\t-\t1\trepeats\tPICTURE\t-\t.png\t-\n"
              "option\toutput\to\t1\trepeats\tFILE\t-\t*\twhere to write it\n"
              "option\tboundary\t-\t1\tonce\tnone|smooth\tnone smooth\t-\tfaces\n"
              "option\tquiet\tq\t0\tonce\t-\t-\t-\tsays nothing\n");
}

TEST(OptionList, JsonHasTheSame)
{
    auto const list = nlohmann::json::parse(list_options(describe_sample(), declare_sample(), AnswerForm::json));
    EXPECT_EQ(list["tool"], "volsample");
    EXPECT_EQ(list["commands"][0]["name"], "run");
    EXPECT_EQ(list["arguments"][1]["files"], Words{".png"});
    EXPECT_EQ(list["options"][0]["short"], "o");
    EXPECT_EQ(list["options"][0]["repeats"], true);
    EXPECT_EQ(list["options"][1]["words"], (Words{"none", "smooth"}));
    EXPECT_EQ(list["options"][2]["values"], 0);
}

} // namespace
} // namespace volpt
