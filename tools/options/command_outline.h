// What of a command line is written into outputs by --provenance plain: the options without names of files.
#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/parsers.hpp>

#include <string>
#include <vector>

namespace volpt {

/// What stands for the name of a file: "FILE" and its extension, if that is a usual one of volumes, pictures or tables;
/// "FILE" for anything else.
std::string hide_file_name(std::string const& name);

/// The words of the command line in order, with long names of options. Arguments, values of options that name files
/// (file_value), and any value with a '/' are replaced by hide_file_name.
std::vector<std::string> outline_command(boost::program_options::parsed_options const& parsed,
                                         boost::program_options::options_description const& options);

} // namespace volpt
