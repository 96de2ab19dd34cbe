// Convergence as JSON, as a table and as a plot.
#pragma once

#include "libvolpt/stats/verdict/convergence.h"

#include <nlohmann/json_fwd.hpp>

namespace volpt {

/// Keys: schema_version, reference, points [{name, samples, seconds, error}], slope_samples, slope_time,
/// expected_slope, slope_tolerance, as_expected, notices.
nlohmann::ordered_json report_convergence(Convergence const& convergence);

/// The same as a table, with line ends.
std::string format_convergence(Convergence const& convergence);

/// SVG: error over samples and over time in two logarithmic plots, with lines of the fitted slope and of -1/2.
std::string plot_convergence(Convergence const& convergence);

} // namespace volpt
