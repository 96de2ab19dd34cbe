// The text of --help.
#pragma once

#include "tools/options/tool.h"

#include <boost/program_options/options_description.hpp>

namespace volpt {

/// Usage, summary, option groups, notes, examples, exit status table.
std::string format_help(ToolDescription const& description,
                        std::vector<boost::program_options::options_description> const& groups);

} // namespace volpt
