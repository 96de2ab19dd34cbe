// Notes on what of a source is left out, assumed, or packed otherwise, and --strict.
#pragma once

#include "tools/options/tool.h"

#include <span>

namespace volpt {

/// --strict.
bool refuses_losses(ToolRun const& run);

/// Each notice as a note; with --strict, Error (input) with the first one, at `where`.
void tell_losses(ToolRun const& run, std::span<std::string const> notices, std::string const& where);

} // namespace volpt
