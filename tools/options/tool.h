// What every main shares: parsing, help, version, messages, exit status. A tool is a description, groups and a body.
#pragma once

#include "libvolpt/sys/error.h"
#include "libvolpt/sys/progress.h"
#include "tools/options/common.h"

#include <functional>
#include <string>
#include <vector>

namespace volpt {

struct ToolExample {
    std::string command; ///< a whole shell line
    std::string meaning; ///< what it does, half a sentence
};

/// What --help says beside the options.
struct ToolDescription {
    std::string name;                    ///< "volprep"
    std::string summary = {};            ///< one sentence
    std::vector<std::string> usage = {}; ///< each after the name: "VOLUME.vpk -o F.vpf [options]"
    std::vector<std::string> notes = {}; ///< paragraphs after the options
    std::vector<ToolExample> examples = {};
    std::string status_0 = "done"; ///< meaning of exit status 0
    std::string status_1 = {};     ///< meaning of exit status 1; empty: the tool never gives it
    std::size_t arguments_min = 0; ///< positional arguments
    std::size_t arguments_max = 0; ///< SIZE_MAX: as many as given
};

/// What a body is given.
struct ToolRun {
    CommonOptions const& common;
    std::vector<std::string> const& arguments;    ///< positional, in order
    std::vector<std::string> const& command_line; ///< argv, for provenance
    NoticeSink notice;                            ///< "volprep: note: ..." on stderr unless --quiet
    NoticeSink detail;                            ///< the same, with --verbose only
};

using ToolBody = std::function<ExitStatus(ToolRun const&)>;

/// Parses (GNU style: --name value, --name=value, -n value, -nvalue, "--" ends options; names are never guessed),
/// answers
/// --help and --version, lets every group read its options, runs the body, and returns the exit status. Whatever is
/// thrown becomes one line on stderr, "volprep: error: ...": an Error keeps its status, an unparsable command line is
/// 2, lack of memory and everything else is 4. stdout carries the answer alone; that it cannot be written is status 4.
int run_tool(int argc, char const* const* argv, ToolDescription const& description,
             std::vector<OptionGroup*> const& groups, ToolBody const& body);

} // namespace volpt
