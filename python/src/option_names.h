// The options of a program that this module runs in itself.
#pragma once

#include "tools/options/option_group.h"

#include <string>
#include <utility>
#include <vector>

namespace volpt::python {

/// Name, and whether it takes a value, of every option of these groups and of all programs.
std::vector<std::pair<std::string, bool>> list_option_names(std::vector<OptionGroup*> const& groups);

} // namespace volpt::python
