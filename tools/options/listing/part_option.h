// --volume and --channel, as volprep and volinfo take them.
#pragma once

#include "formats/reader.h"

#include <boost/program_options/variables_map.hpp>

namespace volpt {

/// Error (usage) if --volume is no number.
PartChoice read_part_choice(boost::program_options::variables_map const& values);

} // namespace volpt
