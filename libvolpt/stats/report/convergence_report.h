// Convergence as JSON, as a table and as a plot.
#pragma once

#include "libvolpt/stats/convergence/convergence.h"

#include <nlohmann/json_fwd.hpp>

namespace volpt {

/// Keys: schema_version, reference, reference_samples, points [{name, samples, samples_source, seconds, error, slope,
/// slope_error}], slope_samples, slope_samples_error, slope_range, slope_time, slope_time_error, expected_slope,
/// slope_tolerance, floor, floor_share, floor_share_error, as_expected, notices.
nlohmann::ordered_json report_convergence(Convergence const& convergence);

/// The same as a table, with line ends.
std::string format_convergence(Convergence const& convergence);

/// SVG: error over samples and, if all are known, over seconds in logarithmic plots, with lines of the fitted slope and
/// of -1/2.
std::string plot_convergence(Convergence const& convergence);

} // namespace volpt
