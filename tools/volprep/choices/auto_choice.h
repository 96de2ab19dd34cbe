// volprep --auto: options that a file needs to be looked at, chosen by what is in it.
#pragma once

#include "tools/options/tool.h"
#include "tools/volprep/options.h"

#include <string>
#include <vector>

namespace volpt {

/// As the command line takes it: no dashes, no value for a switch.
struct ChosenOption {
    std::string name, value;
};

struct AutoChoice {
    std::string command;               ///< "print" where the file is printed; empty: it is packed
    std::vector<ChosenOption> options; ///< none that the user has given
    std::string reason;                ///< half a sentence
};

/// What the argument of `run` lacks: a map from its numbers to densities, extinction and albedo, materials, a voxel's
/// size. Reads the file, measured volumes a few times. Nothing is chosen for what says its media itself. Error (usage)
/// without a file; and as what opens it.
AutoChoice choose_options(ToolRun const& run, VolprepOptions const& options);

} // namespace volpt
