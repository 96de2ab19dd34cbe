// The commands of volprep, which its first word may name: "volprep print PICTURE -o OUT.vpk".
#pragma once

#include "tools/options/tool.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace volpt {

/// Endings of all that is packed, for shells: ".mha .nrrd ..".
std::string list_input_extensions();

/// In the order of --help.
std::vector<ToolCommand> list_commands();

/// Of the command that `word` names, or none. Its arguments stand for options of volprep: "print picture.png" is
/// "--print picture.png". Its --help shows the options that one of its inputs uses (option_rules.h).
std::optional<ToolDescription> describe_command(std::string_view word);

} // namespace volpt
