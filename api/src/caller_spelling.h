// Messages in the words of the caller.
#pragma once

#include <string>
#include <string_view>

namespace volpt::v0 {

/// "render" as the caller writes it: volpt::render.
std::string spell_function(std::string_view name);

/// "depth-limit" as the caller writes it.
std::string spell_option(std::string_view name);

/// What starts a process that is no copy of this one.
std::string const& spell_spawn();

/// A text of the programs, whose options are those of a command line: "--depth-limit" becomes spell_option of it, and
/// "-o" that of output, but not in a command that begins with the name of a program, "volrender --backdrop 1".
std::string spell_options_in(std::string_view text);

} // namespace volpt::v0
