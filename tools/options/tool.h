// What every main() shares. A tool is a description, option groups and a body; run_tool does the rest.
#pragma once

#include "libvolpt/sys/error.h"
#include "libvolpt/sys/progress.h"
#include "tools/options/option_group.h"

#include <boost/program_options/option.hpp>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace volpt {

/// What goes to stderr: `quiet` errors alone, `normal` notices and progress too, `verbose` every step.
enum class Verbosity { quiet, normal, verbose };

/// The form of the answer on stdout.
enum class AnswerForm { text, json };

/// Options of every tool.
class CommonOptions final : public OptionGroup {
public:
    Verbosity verbosity = Verbosity::normal;
    int threads = 1;       ///< after `read`: --threads, or every core that this process may use
    int threads_given = 0; ///< --threads; 0: not given
    AnswerForm answer = AnswerForm::text;
    std::optional<std::string> config; ///< the file of --config

    bool wants_json() const { return answer == AnswerForm::json; }

    std::string title() const override { return "General"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
};

struct ToolExample {
    std::string command; ///< a whole shell line
    std::string meaning; ///< what it does, half a sentence
};

/// A positional argument, as --list-options tells it.
struct ToolArgument {
    std::string name; ///< read by read_value_kinds: "VOLUME.vpk"
    ValueChoices choices = {};
};

/// What the first argument may be: a command of the tool, or the name of a program that it starts.
struct ToolCommand {
    std::string name;
    std::string summary; ///< one sentence
};

/// The parts of --help besides the options.
struct ToolDescription {
    std::string name;                    ///< "volprep"
    std::string summary = {};            ///< one sentence
    std::vector<std::string> usage = {}; ///< each after the name: "VOLUME.vpk -o F.vpf [options]"
    std::vector<std::string> notes = {}; ///< paragraphs after the options
    std::vector<ToolExample> examples = {};
    std::vector<ToolCommand> commands = {};
    std::string status_0 = "done";            ///< meaning of exit status 0
    std::string status_1 = {};                ///< meaning of exit status 1; empty: the tool never returns it
    std::vector<ToolArgument> arguments = {}; ///< in order; the last one stands for all that follow
    std::size_t arguments_min = 0;            ///< positional arguments
    std::size_t arguments_max = 0;            ///< SIZE_MAX: no limit
    std::string command = {};                 ///< the first word of the command line, "print"; empty: there is none
    /// Of a command: whether the option of this long name is in its --help and --list-options; null: all are.
    std::function<bool(std::string_view option)> shows_option = {};
    /// Of a command: spells what is given as the tool takes it without commands, for example arguments as options.
    /// Error (usage).
    std::function<void(std::vector<boost::program_options::option>& given)> spell_out = {};

    /// What to do about an option that there is not, by its long name; empty, or null: the nearest name is told.
    std::function<std::string(std::string_view option)> advise_unknown = {};

    /// "volprep print", or the name alone.
    std::string spell_name() const { return command.empty() ? name : name + " " + command; }
};

/// What a body receives.
struct ToolRun {
    CommonOptions const& common;
    std::vector<std::string> const& arguments;           ///< positional, in order
    std::vector<std::string> const& given_options;       ///< long names of the options that the user gave, without "--"
    std::vector<std::string> const& command_line;        ///< argv, for provenance
    std::vector<std::string> const& command_outline;     ///< the same without names of files (outline_command)
    boost::program_options::variables_map const& values; ///< of all options
    NoticeSink notice;                                   ///< "volprep: note: ..." on stderr unless --quiet
    NoticeSink detail;                                   ///< the same, with --verbose only
};

using ToolBody = std::function<ExitStatus(ToolRun const&)>;

/// Reads the options of `command_line`, whose first word is the tool's name, and runs the body, for a program that is
/// none of the tools: nothing is printed but by the body, signals stay as they are, notices go to `notice` whatever
/// --quiet says, and exceptions reach the caller. Error (usage) for an invalid command line, and
/// for options that only print: --help, --version and --list-options.
ExitStatus run_tool_body(std::vector<std::string> const& command_line, std::vector<OptionGroup*> const& groups,
                         NoticeSink const& notice, ToolBody const& body);

/// Parses argv, whose first argument is `description.command` if that is not empty, answers --help, --version and
/// --list-options, lets every group read its options, runs the body, and returns the exit status. Options are in GNU
/// style (--name value, --name=value, -n value, -nvalue; "--" ends them); abbreviations are refused. Each exception
/// becomes one line on stderr, "volprep: error: ...": an Error has its own status, an invalid command line is 2, lack
/// of memory and everything else is 4. stdout carries the answer alone; if it cannot be written, the status is 4.
int run_tool(int argc, char const* const* argv, ToolDescription const& description,
             std::vector<OptionGroup*> const& groups, ToolBody const& body);

} // namespace volpt
