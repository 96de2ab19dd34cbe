// Emitters as options describe them: "beam origin=0,0,5 direction=0,0,-1 radius=1mm power=1".
#pragma once

#include "libvolpt/volume/emitters/emitter.h"

#include <string>
#include <string_view>

namespace volpt {

/// Error (usage) names the word that is wrong, what it may be and an example; `where` is the option.
Emitter parse_emitter(std::string_view text, std::string const& where);

/// The inverse, in one line.
std::string describe_emitter(Emitter const& emitter);

} // namespace volpt
