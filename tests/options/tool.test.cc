// The frame of every tool: parsing, messages, exit status, and what goes to which stream.
#include "tools/options/tool.h"

#include "tests/support/temp_folder.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <new>

namespace volpt {
namespace {
namespace po = boost::program_options;

class TestOptions final : public OptionGroup {
public:
    std::vector<std::string> outputs;
    std::string origin;

    std::string title() const override { return "Sample"; }
    void declare(po::options_description& options) override
    {
        options.add_options()("output,o", po::value<std::vector<std::string>>()->value_name("FILE"),
                              "where to write")("origin", po::value<std::string>()->value_name("X,Y,Z"),
                                                "where to stand")("spp", po::value<int>(), "samples");
    }
    void read(po::variables_map const& values) override
    {
        if (is_given(values, "output")) outputs = values.at("output").as<std::vector<std::string>>();
        origin = given_text(values, "origin").value_or("");
    }
};

struct Outcome {
    int status = -1;
    std::string out;
    std::string err;
    TestOptions group;
    std::vector<std::string> arguments;
    bool ran = false;
    int threads = 0;
};

ToolDescription describe_volsample()
{
    return {.name = "volsample",
            .summary = "Does nothing.",
            .usage = {"INPUT... [options]"},
            .notes = {},
            .examples = {{"volsample a", "does nothing to a"}},
            .arguments_max = 3};
}

Outcome run(std::vector<std::string> words, std::function<void(ToolRun const&)> extra = {},
            ToolDescription const& description = describe_volsample())
{
    Outcome outcome;
    words.insert(words.begin(), "volsample");
    std::vector<char const*> argv;
    for (auto const& word : words) argv.push_back(word.c_str());
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    outcome.status = run_tool(static_cast<int>(argv.size()), argv.data(), description, {&outcome.group},
                              [&](ToolRun const& tool_run) {
                                  outcome.ran = true;
                                  outcome.arguments = tool_run.arguments;
                                  outcome.threads = tool_run.common.threads;
                                  if (extra) extra(tool_run);
                                  return ExitStatus::done;
                              });
    outcome.out = testing::internal::GetCapturedStdout();
    outcome.err = testing::internal::GetCapturedStderr();
    return outcome;
}

using Strings = std::vector<std::string>;

TEST(Tool, NegativeValuesAndPositionalsMix)
{
    auto const outcome = run({"a.vpk", "--origin", "-1,0,0", "b", "-o", "x.exr", "-oy.png", "--", "-c"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.arguments, (Strings{"a.vpk", "b", "-c"}));
    EXPECT_EQ(outcome.group.origin, "-1,0,0");
    EXPECT_EQ(outcome.group.outputs, (Strings{"x.exr", "y.png"}));
}

TEST(Tool, WrongCommandLinesAreStatusTwoInOneLine)
{
    for (Strings const& words : {Strings{"--no-such"},
                                 {"--spp", "many"},
                                 {"--orig", "1,2,3"},
                                 {"--origin"},
                                 {"--origin", "--spp"},
                                 {"--origin", "-o", "x"},
                                 {"--spp", "1", "--spp", "2"},
                                 {"a", "b", "c", "d"},
                                 {"-q", "-v"},
                                 {"-j", "0"},
                                 {"-x"},
                                 {"--json=yes"}}) {
        auto const outcome = run(words);
        EXPECT_EQ(outcome.status, 2) << words[0];
        EXPECT_FALSE(outcome.ran);
        EXPECT_EQ(outcome.out, "");
        EXPECT_TRUE(outcome.err.starts_with("volsample: error: ")) << outcome.err;
        EXPECT_NE(outcome.err.find("see volsample --help"), std::string::npos) << outcome.err;
        EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << outcome.err;
    }
}

TEST(Tool, ExceptionsBecomeTheirExitStatus)
{
    EXPECT_EQ(run({}, [](ToolRun const&) { fail_input("damaged", "a\nb.vpk"); }).err,
              "volsample: error: a\\x0ab.vpk: damaged\n");
    EXPECT_EQ(run({}, [](ToolRun const&) { fail_input("damaged", "a"); }).status, 3);
    EXPECT_EQ(run({}, [](ToolRun const&) { fail_system("full", "disk"); }).status, 4);
    EXPECT_EQ(run({}, [](ToolRun const&) { throw std::bad_alloc(); }).status, 4);
    EXPECT_EQ(run({}, [](ToolRun const&) { throw std::runtime_error("odd"); }).status, 4);
}

TEST(Tool, HelpAndVersionAnswerOnStdout)
{
    auto const help = run({"--help"});
    EXPECT_EQ(help.status, 0);
    EXPECT_FALSE(help.ran);
    for (auto const* part :
         {"Usage: volsample INPUT", "--origin X,Y,Z", "-j [ --threads ] N", "Examples:", "Exit status:"})
        EXPECT_NE(help.out.find(part), std::string::npos) << part << "\n" << help.out;
    EXPECT_EQ(run({"--version"}).out.find("volsample (volpt) "), 0u);
}

TEST(Tool, NoticesObeyVerbosity)
{
    auto const talk = [](ToolRun const& tool_run) {
        tool_run.notice("n");
        tool_run.detail("d");
    };
    EXPECT_EQ(run({}, talk).err, "volsample: note: n\n");
    EXPECT_EQ(run({"-q"}, talk).err, "");
    EXPECT_EQ(run({"-v"}, talk).err, "volsample: note: n\nvolsample: note: d\n");
}

TEST(Tool, CommandLineWinsOverConfigFile)
{
    test::TempFolder const folder;
    auto const path = folder / "volsample.cfg";
    std::ofstream(path) << "# a scene\norigin = 1,2,3\noutput = from_file\nthreads = 3\n";
    auto const outcome = run({"--config", path.string(), "--origin", "4,5,6"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.group.origin, "4,5,6");
    EXPECT_EQ(outcome.group.outputs, Strings{"from_file"});
    EXPECT_EQ(outcome.threads, 3);
    std::ofstream(path) << "orign = 1,2,3\n";
    EXPECT_EQ(run({"--config", path.string()}).status, 2);
    std::filesystem::remove(path);
    EXPECT_EQ(run({"--config", path.string()}).status, 3);
}

/// "volsample stand X,Y,Z" is "volsample --origin X,Y,Z".
ToolDescription describe_volsample_command()
{
    ToolDescription description = describe_volsample();
    description.command = "stand";
    description.shows_option = [](std::string_view option) { return option != "origin"; };
    description.spell_out = [](std::vector<po::option>& given) {
        for (po::option& word : given) {
            if (word.position_key < 0) continue;
            word.position_key = -1;
            word.string_key = "origin";
        }
    };
    return description;
}

TEST(Tool, ArgumentsOfACommandAreOptions)
{
    std::vector<std::string> given, outline;
    auto const note = [&](ToolRun const& tool_run) {
        given = tool_run.given_options;
        outline = tool_run.command_outline;
    };
    auto const outcome = run({"stand", "1,2,3", "-o", "a"}, note, describe_volsample_command());
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(given, (std::vector<std::string>{"origin", "output"}));
    EXPECT_EQ(outline, (std::vector<std::string>{"--origin", "1,2,3", "--output", "a"}));
    EXPECT_EQ(outcome.group.origin, "1,2,3");
    EXPECT_TRUE(outcome.arguments.empty());
    EXPECT_EQ(run({"stand", "1,2,3", "--nothing"}, {}, describe_volsample_command()).status, 2);
}

TEST(Tool, HelpOfACommandShowsItsOptionsAlone)
{
    auto const outcome = run({"stand", "--help"}, {}, describe_volsample_command());
    EXPECT_EQ(outcome.status, 0);
    EXPECT_NE(outcome.out.find("Usage: volsample stand INPUT"), std::string::npos) << outcome.out;
    EXPECT_EQ(outcome.out.find("--origin"), std::string::npos);
    EXPECT_NE(outcome.out.find("--spp"), std::string::npos);
}

} // namespace
} // namespace volpt
