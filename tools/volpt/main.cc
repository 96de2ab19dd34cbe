// volpt: starts the programs of the suite by a word: "volpt render .." is "volrender ..".
#include "libvolpt/sys/json.h"
#include "libvolpt/sys/text/nearest_name.h"
#include "tools/options/suite/suite_tools.h"
#include "tools/options/tool.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string>
#include <unistd.h>
#include <vector>

namespace volpt {
namespace {
namespace fs = std::filesystem;

constexpr char kDemo[] = "demo";
constexpr char kDemoSummary[] =
    "Makes three pictures from files of its own, and a page that shows them, in a minute: a print, a figurine, smoke.";
constexpr char kHelpSummary[] = "Prints the options of a program: 'volpt help render' is 'volrender --help'.";

SuiteTool const& find_tool(std::string const& command)
{
    std::vector<std::string_view> names;
    for (SuiteTool const& tool : list_suite_tools()) {
        if (tool.command == command) return tool;
        names.push_back(tool.command);
    }
    names.emplace_back(kDemo);
    names.emplace_back("help");
    auto const nearest = find_nearest_name(command, names);
    fail_usage(fmt::format("there is no command '{}'", command),
               nearest.empty() ? "volpt lists them" : fmt::format("did you mean 'volpt {}'?", nearest));
}

/// The folder of this program, not of a link to it; empty if it is unknown.
fs::path find_own_folder()
{
    std::error_code ignored;
    return fs::read_symlink("/proc/self/exe", ignored).parent_path();
}

/// Replaces this process by the script in share/volpt beside this program's folder, with the programs of that folder
/// first on its PATH. Returns only by an Error (system).
[[noreturn]] void start_demo(std::vector<std::string> words)
{
    fs::path const folder = find_own_folder();
    std::string script = (folder.parent_path() / "share/volpt/demo/demo.sh").string();
    if (folder.empty() || access(script.c_str(), R_OK) != 0)
        fail_system("the demonstration is not installed", script,
                    "run bash pipelines/demo.sh in a checkout: it is the same");
    char const* const path = std::getenv("PATH");
    setenv("PATH", fmt::format("{}{}{}", folder.string(), path ? ":" : "", path ? path : "").c_str(), 1);
    words.insert(words.begin(), {"bash", script});
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execvp("bash", arguments.data());
    fail_system(std::strerror(errno), "bash", "the demonstration is a script of bash: install it");
}

/// Replaces this process by the program: the one beside this program, else that on PATH. Returns only by an Error
/// (system).
[[noreturn]] void start_tool(SuiteTool const& tool, std::vector<std::string> words)
{
    std::string name(tool.program);
    fs::path const folder = find_own_folder();
    std::string path = (folder / name).string();
    // Without /proc the folder is unknown, and `name` alone would be one of the working folder.
    bool const is_beside = !folder.empty() && access(path.c_str(), X_OK) == 0;
    words.insert(words.begin(), is_beside ? path : name);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    // It prints nothing before this, so that no buffer is lost.
    if (is_beside)
        execv(path.c_str(), arguments.data());
    else
        execvp(name.c_str(), arguments.data());
    if (errno != ENOENT) fail_system(std::strerror(errno), is_beside ? path : name, "check its permissions");
    bool const is_optional = !tool.needs.empty();
    std::string const where =
        folder.empty() ? "not on PATH" : fmt::format("neither in {} nor on PATH", folder.string());
    fail_system(fmt::format("the program is {}{}", where,
                            is_optional ? fmt::format("; a build without {} leaves it out", tool.needs) : ""),
                name, is_optional ? "build volpt with that library" : "install the suite in one folder");
}

ExitStatus print_suite(AnswerForm form)
{
    nlohmann::ordered_json answer = nlohmann::ordered_json::array();
    for (SuiteTool const& tool : list_suite_tools()) {
        answer.push_back({{"command", tool.command}, {"program", tool.program}, {"summary", tool.summary}});
        if (form == AnswerForm::text) fmt::print("volpt {:8} {:10} {}\n", tool.command, tool.program, tool.summary);
    }
    if (form == AnswerForm::json) fmt::print("{}\n", format_json(answer, 2));
    return ExitStatus::done;
}

/// `words` are those of the command line from the command on; empty if there is none.
ExitStatus run_command(ToolRun const& run, std::vector<std::string> words)
{
    if (!run.arguments.empty())
        fail_usage(fmt::format("an option stands before the command '{}'", run.arguments[0]),
                   fmt::format("write volpt {} and its options after it", run.arguments[0]));
    bool const asks_for_help = !words.empty() && words[0] == "help";
    if (words.empty() || (asks_for_help && words.size() == 1)) return print_suite(run.common.answer);
    if (words[0] == kDemo) start_demo({words.begin() + 1, words.end()});
    if (!asks_for_help) {
        SuiteTool const& tool = find_tool(words[0]);
        words.erase(words.begin());
        start_tool(tool, std::move(words));
    }
    if (words.size() > 2)
        fail_usage(fmt::format("'{}' is one argument too many", words[2]), "write volpt help and one command");
    if (words[1].starts_with('-'))
        fail_usage(fmt::format("'volpt help' takes a command, and '{}' is an option", words[1]),
                   fmt::format("write volpt help and one command, or volpt {}", words[1]));
    if (words[1] == kDemo) start_demo({"--help"});
    start_tool(find_tool(words[1]), {"--help"});
}

ToolDescription describe_tool()
{
    ToolDescription description{
        .name = "volpt",
        .summary = "Starts the programs of the suite: 'volpt render ..' is 'volrender ..'.",
        .usage = {"COMMAND [arguments and options of its program]", "demo [FOLDER]", "help COMMAND", "[--json]"},
        .notes = {"Without a command it lists the programs. A program is the one in the folder of volpt, else that on "
                  "PATH; options, output and exit status are its own. The programs can be started by their own names, "
                  "too."},
        .examples = {{"volpt render head.vpk -o head.png", "the same as volrender head.vpk -o head.png"},
                     {"volpt demo", "three pictures and a page with their commands, in out/demo"},
                     {"volpt help prep", "the same as volprep --help"}},
        .status_0 = "the suite was listed; else the status of the program",
        .status_1 = "only as the status of the program",
        .arguments_max = SIZE_MAX,
    };
    for (SuiteTool const& tool : list_suite_tools())
        description.commands.push_back({std::string(tool.command), std::string(tool.summary)});
    description.commands.push_back({kDemo, kDemoSummary});
    description.commands.push_back({"help", kHelpSummary});
    return description;
}

} // namespace
} // namespace volpt

int main(int argc, char** argv)
{
    using namespace volpt;
    // Options after a command are the program's.
    bool const has_command = argc > 1 && argv[1][0] != '-';
    std::vector<std::string> const words(argv + (has_command ? 1 : argc), argv + argc);
    if (words == std::vector<std::string>{"help", "help"}) {
        std::array<char const*, 2> const own_help{argv[0], "--help"};
        return run_tool(static_cast<int>(own_help.size()), own_help.data(), describe_tool(), {},
                        [](ToolRun const&) { return ExitStatus::done; });
    }
    return run_tool(has_command ? 1 : argc, argv, describe_tool(), {},
                    [&](ToolRun const& run) { return run_command(run, words); });
}
