// No tool overwrites what it reads.
#pragma once

#include "libvolpt/sys/files/overwriting.h"
#include "tools/options/tool.h"

#include <filesystem>
#include <vector>

namespace volpt {

/// As the function of that name without a run, with the --config file as one of the inputs.
void refuse_overwriting(ToolRun const& run, std::vector<std::filesystem::path> inputs,
                        std::vector<std::filesystem::path> const& outputs);

} // namespace volpt
