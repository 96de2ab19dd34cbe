// Splits a command line and an optional --config file into option values and positional arguments.
#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>

#include <string>
#include <vector>

namespace volpt {

struct ParsedCommandLine {
    boost::program_options::variables_map values;
    std::vector<std::string> arguments;
};

/// `words` are argv without the program's name. Throws boost::program_options::error or Error (usage); Error (input) if
/// the file named by --config cannot be read.
ParsedCommandLine parse_command_line(std::vector<std::string> const& words,
                                     boost::program_options::options_description const& options);

} // namespace volpt
