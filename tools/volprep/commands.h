// The tasks of volprep that its first word may name: "volprep print PICTURE -o OUT.vpk".
#pragma once

#include "tools/options/tool.h"

#include <optional>
#include <string_view>
#include <vector>

namespace volpt {

/// In the order of --help.
std::vector<ToolCommand> list_commands();

/// Of the task that `word` names, or none. Its arguments stand for options of volprep: "print picture.png" is
/// "--print picture.png". Its --help shows the options that one of its inputs uses (option_rules.h).
std::optional<ToolDescription> describe_command(std::string_view word);

} // namespace volpt
