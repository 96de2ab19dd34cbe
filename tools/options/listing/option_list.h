// What --list-options prints: every option with what its value may be, for shells and other programs.
#pragma once

#include "tools/options/tool.h"

#include <boost/program_options/options_description.hpp>

#include <string>
#include <vector>

namespace volpt {

/// Of a tool and its option groups, in the order of --help. As text, one line each for its commands, arguments and
/// options, of nine columns separated by tabs: "command", "argument" or "option"; name; short name; number of values;
/// "once" or "repeats"; name of the value; words that it may be; endings of files that it may be, "*" for any, "/" for
/// folders; help. Words and endings are separated by spaces, and "-" is an empty column. As JSON, an object of the
/// same, one line.
std::string list_options(ToolDescription const& description,
                         std::vector<boost::program_options::options_description> const& groups, AnswerForm form);

} // namespace volpt
