// Curves on the command line.
#pragma once

#include "libvolpt/medium/piecewise_curve.h"
#include "libvolpt/medium/transfer_table.h"

#include <string_view>

namespace volpt {

/// "X:Y,X:Y,..", at most 4096 points, Y at most `highest_y`. Error (usage) names the option.
PiecewiseCurve parse_curve(std::string_view option, std::string_view text, double highest_y = 1e30);

/// "X:A,X:A,.." or "X:R:G:B,..": albedos 0..1 by band, as many at every X; otherwise as parse_curve.
TransferTable parse_albedo_curve(std::string_view option, std::string_view text);

} // namespace volpt
