#include "tools/options/tool.h"

#include "libvolpt/sys/mapped_file.h"
#include "libvolpt/sys/text/failure_text.h"
#include "libvolpt/sys/text/nearest_name.h"
#include "libvolpt/sys/text/one_line.h"
#include "tools/options/command_outline.h"
#include "tools/options/json_lines.h"
#include "tools/options/listing/option_list.h"
#include "tools/options/process_faults.h"
#include "tools/options/units.h"

#include <algorithm>
#include <boost/program_options/errors.hpp>
#include <boost/program_options/parsers.hpp>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <new>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

namespace volpt {
namespace po = boost::program_options;

void CommonOptions::declare(po::options_description& options)
{
    auto add = options.add_options();
    add("help,h", po::bool_switch(), "print this page and exit");
    add("version", po::bool_switch(), "print the version and exit");
    add("quiet,q", po::bool_switch(), "print nothing but errors on stderr");
    add("verbose,v", po::bool_switch(), "print more details on stderr");
    add("threads,j", text_value("N"), "number of threads (default: one per core)");
    add("list-options", po::bool_switch(),
        "list the options with what their values may be, from which shells complete, and exit");
    add("json", po::bool_switch(), "print the answer as one JSON object");
    add("config", file_value("FILE"),
        "read options from FILE, lines 'name = value'; the command line takes precedence");
}

void CommonOptions::read(po::variables_map const& values)
{
    bool const quiet = values.at("quiet").as<bool>();
    bool const verbose = values.at("verbose").as<bool>();
    if (quiet && verbose) fail_usage("--quiet and --verbose contradict each other", "give one of them");
    verbosity = quiet ? Verbosity::quiet : verbose ? Verbosity::verbose : Verbosity::normal;
    answer = values.at("json").as<bool>() ? AnswerForm::json : AnswerForm::text;
    threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    config = given_text(values, "config");
    if (auto const text = given_text(values, "threads"))
        threads = threads_given = static_cast<int>(parse_integer("--threads", *text, 1, 4096));
}

namespace {

constexpr unsigned kLineLength = 110;

// GNU style without abbreviations: `--samp` must not mean --samples today and be ambiguous tomorrow.
constexpr int kStyle = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;

struct ParsedCommandLine {
    po::variables_map values;
    std::vector<std::string> arguments;     ///< positional
    std::vector<std::string> given_options; ///< long names
    std::vector<std::string> outline;       ///< outline_command
};

/// Error (usage) for "--spp --seed 3", where Boost takes "--seed" for the value of --spp. Other values may start with
/// '-'.
void refuse_option_as_value(po::option const& option, po::options_description const& options)
{
    for (auto const& value : option.value) {
        bool const is_long = value.size() > 2 && value.starts_with("--") &&
                             options.find_nothrow(value.substr(2, value.find('=') - 2), false) != nullptr;
        bool const is_short = value.size() == 2 && value[0] == '-' && options.find_nothrow(value, false) != nullptr;
        bool const adjacent = !option.original_tokens.empty() && option.original_tokens.back() != value;
        if ((is_long || is_short) && !adjacent)
            fail_usage(fmt::format("--{} has no value: '{}' follows, which is an option", option.string_key, value),
                       fmt::format("write --{0}={1} if '{1}' is the value", option.string_key, value));
    }
}

using AdviseUnknown = std::function<std::string(std::string_view option)>;

/// Error (usage) for an option that there is not; `where` goes before the message, `dashes` before the nearest name.
[[noreturn]] void fail_unknown(std::string_view where, std::string const& given, std::string_view dashes,
                               po::options_description const& options, AdviseUnknown const& advise = {})
{
    std::vector<std::string_view> names;
    for (auto const& option : options.options()) names.push_back(option->long_name());
    std::string_view name = std::string_view(given).substr(0, given.find('='));
    name.remove_prefix(std::min(name.find_first_not_of('-'), name.size()));
    std::string_view const nearest = find_nearest_name(name, names);
    std::string const advice = advise ? advise(name) : std::string();
    if (!advice.empty()) fail_usage(fmt::format("{}there is no option '{}'", where, given), advice);
    fail_usage(fmt::format("{}there is no option '{}'", where, given),
               nearest.empty() ? std::string() : fmt::format("did you mean {}{}?", dashes, nearest));
}

void store_config_file(std::string const& path, po::options_description const& options, po::variables_map& values)
{
    std::error_code unknown;
    std::ifstream file = std::filesystem::is_regular_file(path, unknown) ? std::ifstream(path) : std::ifstream();
    if (!file.is_open())
        fail_input("cannot be opened as a file", path, "--config names it", "give a readable text file");
    try {
        po::store(po::parse_config_file(file, options), values);
    } catch (po::unknown_option const& error) {
        fail_unknown(path + ": ", error.get_option_name(), "", options);
    } catch (po::error const& error) {
        fail_usage(fmt::format("{}: {}", path, error.what()), "write lines 'name = value' with the names in --help");
    }
}

po::parsed_options parse_words(std::vector<std::string> const& words, po::options_description const& options,
                               AdviseUnknown const& advise)
{
    try {
        return po::command_line_parser(words).options(options).style(kStyle).run();
    } catch (po::unknown_option const& error) {
        fail_unknown("", error.get_option_name(), "--", options, advise);
    }
}

using SpellOut = std::function<void(std::vector<po::option>&)>;

/// `words` are argv without the names of program and command. Throws po::error or Error (usage); Error (input)
/// if the file named by --config cannot be read.
ParsedCommandLine parse_command_line(std::vector<std::string> const& words, po::options_description const& options,
                                     SpellOut const& spell_out = {}, AdviseUnknown const& advise = {})
{
    ParsedCommandLine result;
    po::parsed_options parsed = parse_words(words, options, advise);
    bool const asks = std::ranges::any_of(parsed.options, [](po::option const& option) {
        return option.string_key == "help" || option.string_key == "version" || option.string_key == "list-options";
    });
    if (spell_out && !asks) spell_out(parsed.options);
    for (po::option const& option : parsed.options) {
        if (option.position_key >= 0)
            result.arguments.insert(result.arguments.end(), option.value.begin(), option.value.end());
        else
            refuse_option_as_value(option, options);
    }
    result.outline = outline_command(parsed, options);
    po::store(parsed, result.values);
    if (auto const config = result.values.find("config"); config != result.values.end())
        store_config_file(config->second.as<std::string>(), options, result.values);
    po::notify(result.values);
    for (auto const& [name, value] : result.values)
        if (is_given(result.values, name)) result.given_options.push_back(name);
    return result;
}

/// Usage, summary, commands, option groups, notes, examples, exit statuses. cmake/make_man.sh makes man pages of it.
std::string format_help(ToolDescription const& description, std::vector<po::options_description> const& groups)
{
    std::string page;
    for (std::size_t i = 0; i < description.usage.size(); ++i)
        page += fmt::format("{} {} {}\n", i == 0 ? "Usage:" : "      ", description.spell_name(), description.usage[i]);
    page += fmt::format("\n{}\n", description.summary);
    if (!description.commands.empty()) page += "\nCommands:\n";
    for (auto const& command : description.commands) page += fmt::format("  {:8} {}\n", command.name, command.summary);
    for (auto const& group : groups) {
        std::ostringstream table;
        table << group;
        page += "\n" + table.str();
    }
    for (auto const& note : description.notes) page += fmt::format("\n{}\n", note);
    if (!description.examples.empty()) page += "\nExamples:\n";
    for (auto const& example : description.examples)
        page += fmt::format("  {}\n      {}\n", example.command, example.meaning);
    page += fmt::format("\nExit status:\n  0  {}\n", description.status_0);
    if (!description.status_1.empty()) page += fmt::format("  1  {}\n", description.status_1);
    page += "  2  invalid command line\n"
            "  3  an input is unreadable or damaged\n"
            "  4  the device, the disk or the system failed\n";
    return page;
}

/// `kind` is "note" or "error".
void print_message(std::string_view tool, char const* kind, std::string_view text)
{
    if (writes_json_lines()) return write_json_line({{kind, to_one_line(text)}});
    // Not fmt::print, which throws if stderr cannot be written: that failure cannot be reported anywhere.
    std::fputs(fmt::format("{}: {}: {}\n", tool, kind, to_one_line(text)).c_str(), stderr);
}

void check_argument_count(ToolDescription const& description, std::vector<std::string> const& arguments)
{
    if (arguments.size() < description.arguments_min)
        fail_usage(fmt::format("{} arguments are given, {} are needed", arguments.size(), description.arguments_min));
    if (arguments.size() <= description.arguments_max) return;
    std::vector<std::string_view> commands;
    for (ToolCommand const& command : description.commands) commands.push_back(command.name);
    std::string_view const nearest = find_nearest_name(arguments[0], commands);
    fail_usage(fmt::format("'{}' is one argument too many", arguments[description.arguments_max]),
               nearest.empty() ? "" : fmt::format("did you mean {} {}?", description.name, nearest));
}

/// Option groups with their tables, and what was parsed by them.
struct OptionTables {
    std::vector<OptionGroup*> groups;
    std::vector<po::options_description> tables = {}; ///< by group
    po::options_description all = {};
};

OptionTables declare_options(std::vector<OptionGroup*> const& groups, CommonOptions& common)
{
    OptionTables result{groups};
    result.groups.push_back(&common);
    for (OptionGroup* const group : result.groups) {
        group->declare(result.tables.emplace_back(group->title(), kLineLength, kLineLength / 2));
        result.all.add(result.tables.back());
    }
    return result;
}

/// The tables without the options that a command does not show, and without those that then are empty.
std::vector<po::options_description> list_shown(OptionTables const& options, ToolDescription const& description)
{
    if (!description.shows_option) return options.tables;
    std::vector<po::options_description> shown;
    for (std::size_t i = 0; i < options.tables.size(); ++i) {
        po::options_description table(options.groups[i]->title(), kLineLength, kLineLength / 2);
        for (auto const& option : options.tables[i].options())
            if (description.shows_option(option->long_name())) table.add(option);
        if (!table.options().empty()) shown.push_back(std::move(table));
    }
    return shown;
}

ExitStatus parse_and_run(std::vector<std::string> const& command_line, ToolDescription const& description,
                         std::vector<OptionGroup*> const& groups, ToolBody const& body)
{
    CommonOptions common;
    OptionTables const options = declare_options(groups, common);
    std::ptrdiff_t const own_words = description.command.empty() ? 1 : 2;
    auto const parsed = parse_command_line({command_line.begin() + own_words, command_line.end()}, options.all,
                                           description.spell_out, description.advise_unknown);
    if (parsed.values.at("help").as<bool>()) {
        fmt::print("{}", format_help(description, list_shown(options, description)));
        return ExitStatus::done;
    }
    if (parsed.values.at("version").as<bool>()) {
        fmt::print("{} (volpt) {}\n", description.name, VOLPT_VERSION);
        return ExitStatus::done;
    }
    if (parsed.values.at("list-options").as<bool>()) {
        bool const as_json = parsed.values.at("json").as<bool>();
        fmt::print("{}", list_options(description, list_shown(options, description),
                                      as_json ? AnswerForm::json : AnswerForm::text));
        return ExitStatus::done;
    }
    check_argument_count(description, parsed.arguments);
    for (OptionGroup* const group : options.groups) group->read(parsed.values);

    auto const notice_from = [&](Verbosity least) -> NoticeSink {
        if (common.verbosity < least) return [](std::string_view) {};
        return [&](std::string_view text) { print_message(description.name, "note", text); };
    };
    return body({common, parsed.arguments, parsed.given_options, command_line, parsed.outline, parsed.values,
                 notice_from(Verbosity::normal), notice_from(Verbosity::verbose)});
}

ExitStatus report_error(ToolDescription const& description, ExitStatus status, std::string text)
{
    if (status == ExitStatus::usage && !writes_json_lines())
        text += fmt::format("; see {} --help", description.spell_name());
    print_message(description.name, "error", text);
    return status;
}

} // namespace

ExitStatus run_tool_body(std::vector<std::string> const& command_line, std::vector<OptionGroup*> const& groups,
                         NoticeSink const& notice, ToolBody const& body)
{
    CommonOptions common;
    OptionTables const options = declare_options(groups, common);
    try {
        auto const parsed = parse_command_line({command_line.begin() + 1, command_line.end()}, options.all);
        for (char const* const name : {"help", "version", "list-options"})
            if (parsed.values.at(name).as<bool>())
                fail_usage(fmt::format("--{} is for the command line", name), "leave it out");
        for (OptionGroup* const group : options.groups) group->read(parsed.values);
        NoticeSink const detail = common.verbosity == Verbosity::verbose ? notice : [](std::string_view) {};
        return body({common, parsed.arguments, parsed.given_options, command_line, parsed.outline, parsed.values,
                     notice, detail});
    } catch (po::error const& error) {
        fail_usage(error.what());
    }
}

int run_tool(int argc, char const* const* argv, ToolDescription const& description,
             std::vector<OptionGroup*> const& groups, ToolBody const& body)
{
    reserve_standard_descriptors();
    std::signal(SIGXFSZ, SIG_IGN); // writing past the file size limit then fails with an error that is reported
    replace_lost_pages();
    report_faults_of_changed_files(description.name);
    ExitStatus status = ExitStatus::system;
    try {
        std::vector<std::string> command_line(argv, argv + argc);
        if (command_line.empty()) command_line.push_back(description.name);
        status = parse_and_run(command_line, description, groups, body);
    } catch (Error const& error) {
        status = report_error(description, error.status(), error.what());
    } catch (po::error const& error) {
        status = report_error(description, ExitStatus::usage, error.what());
    } catch (std::filesystem::filesystem_error const& error) {
        status = report_error(description, error.path1().empty() ? ExitStatus::system : ExitStatus::input,
                              fmt::format("{}: cannot be looked at: {}; check its name, its links, and the permissions "
                                          "of its folders",
                                          error.path1().empty() ? "the file system" : error.path1().string(),
                                          error.code().message()));
    } catch (std::bad_alloc const&) {
        status =
            report_error(description, ExitStatus::system,
                         "out of memory; use a smaller volume, picture or resolution, whichever is large here, or a "
                         "machine with more memory");
    } catch (std::exception const& error) {
        status = report_error(description, ExitStatus::system, describe_failure(error));
    }
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
        status = report_error(description, ExitStatus::system,
                              fmt::format("stdout cannot be written: {}", std::strerror(errno)));
    return static_cast<int>(status);
}

} // namespace volpt
