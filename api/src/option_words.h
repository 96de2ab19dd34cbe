// Options of the functions as words of command lines.
#pragma once

#include "volpt/options.h"

namespace volpt::v0 {

/// The options that are on, as the program takes them: a switch has no value. Error (usage) for an option that there is
/// not, with the nearest that there is; for one that only the program has; for a switch with a value; and for a zero
/// byte. pack leaves unknown names and values to volprep, which says the same, unless it needs the list of options to
/// know a switch. `function` is what the caller used.
Options check_options(Task task, std::string_view function, Options const& options);

/// The same as words of a command line.
std::vector<std::string> spell_words(Task task, std::string_view function, Options const& options);

} // namespace volpt::v0
