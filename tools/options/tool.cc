// Runs a tool: parse, help, body, and one line for whatever went wrong.
#include "tools/options/tool.h"

#include "tools/options/help.h"
#include "tools/options/parse.h"

#include <boost/program_options/errors.hpp>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <new>

namespace volpt {
namespace {
namespace po = boost::program_options;

constexpr unsigned kLineLength = 110;

/// A file name may hold any byte; the message stays one line.
std::string to_one_line(std::string_view text)
{
    std::string line;
    for (char const c : text) {
        bool const control = (c >= 0 && c < 32) || c == 127;
        line += control ? fmt::format("\\x{:02x}", static_cast<unsigned>(c)) : std::string(1, c);
    }
    return line;
}

void say(std::string_view tool, std::string_view kind, std::string_view text)
{
    // Not fmt::print, which throws where stderr is full: nobody can be told of that anyway.
    std::fputs(fmt::format("{}: {}{}\n", tool, kind, to_one_line(text)).c_str(), stderr);
}

void check_argument_count(ToolDescription const& description, std::vector<std::string> const& arguments)
{
    if (arguments.size() < description.arguments_min)
        fail_usage(fmt::format("{} of {} needed arguments are there", arguments.size(), description.arguments_min));
    if (arguments.size() > description.arguments_max)
        fail_usage(fmt::format("'{}' is one argument too many", arguments[description.arguments_max]));
}

ExitStatus parse_and_run(std::vector<std::string> const& command_line, ToolDescription const& description,
                         std::vector<OptionGroup*> const& groups, ToolBody const& body)
{
    CommonOptions common;
    std::vector<OptionGroup*> all_groups = groups;
    all_groups.push_back(&common);
    std::vector<po::options_description> tables;
    po::options_description options;
    for (OptionGroup* const group : all_groups) {
        group->declare(tables.emplace_back(group->title(), kLineLength, kLineLength / 2));
        options.add(tables.back());
    }
    auto const parsed = parse_command_line({command_line.begin() + 1, command_line.end()}, options);
    if (parsed.values.at("help").as<bool>()) {
        fmt::print("{}", format_help(description, tables));
        return ExitStatus::done;
    }
    if (parsed.values.at("version").as<bool>()) {
        fmt::print("{} (volpt) {}\n", description.name, VOLPT_VERSION);
        return ExitStatus::done;
    }
    check_argument_count(description, parsed.arguments);
    for (OptionGroup* const group : all_groups) group->read(parsed.values);

    auto const notice_from = [&](Verbosity least) -> NoticeSink {
        if (common.verbosity < least) return [](std::string_view) {};
        return [&](std::string_view text) { say(description.name, "note: ", text); };
    };
    return body(
        {common, parsed.arguments, command_line, notice_from(Verbosity::normal), notice_from(Verbosity::verbose)});
}

ExitStatus report(ToolDescription const& description, ExitStatus status, std::string text)
{
    if (status == ExitStatus::usage) text += fmt::format("; see {} --help", description.name);
    say(description.name, "error: ", text);
    return status;
}

} // namespace

int run_tool(int argc, char const* const* argv, ToolDescription const& description,
             std::vector<OptionGroup*> const& groups, ToolBody const& body)
{
    std::signal(SIGXFSZ, SIG_IGN); // a file over the size limit is then an error that can be told
    ExitStatus status = ExitStatus::system;
    try {
        std::vector<std::string> command_line(argv, argv + argc);
        if (command_line.empty()) command_line.push_back(description.name);
        status = parse_and_run(command_line, description, groups, body);
    } catch (Error const& error) {
        status = report(description, error.status(), error.what());
    } catch (po::error const& error) {
        status = report(description, ExitStatus::usage, error.what());
    } catch (std::bad_alloc const&) {
        status = report(description, ExitStatus::system, "out of memory; use a smaller volume or a machine with more");
    } catch (std::exception const& error) {
        status = report(description, ExitStatus::system, error.what());
    }
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
        status =
            report(description, ExitStatus::system, fmt::format("stdout cannot be written: {}", std::strerror(errno)));
    return static_cast<int>(status);
}

} // namespace volpt
