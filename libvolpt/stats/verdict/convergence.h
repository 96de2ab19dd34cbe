// Error over samples and over time of films of one scene, with the fitted slope.
#pragma once

#include "libvolpt/stats/verdict/subject.h"

#include <nlohmann/json_fwd.hpp>

#include <span>
#include <vector>

namespace volpt {

struct ConvergencePoint {
    std::string name;
    double samples = 0; ///< a pixel, in the mean
    double seconds = 0; ///< of transport, as the film's provenance says; NaN without
    double error = 0;   ///< root mean square against the truth, the reference's own noise taken off
};

struct Convergence {
    std::vector<ConvergencePoint> points; ///< by samples
    std::string reference;
    double slope_samples = 0; ///< of log error over log samples, least squares
    double slope_time = 0;    ///< over log seconds; NaN if a film has none
    bool as_expected = false; ///< slope_samples is -1/2 within kSlopeTolerance
    std::vector<std::string> notices;
};

inline constexpr double kSlopeTolerance = 0.05;

/// The film of most samples is the reference, the others are the points. A point of the reference's seed whose samples
/// are among the reference's is corrected for that: its squared error against the truth is that against the reference
/// plus the reference's own squared noise, else minus it. Error (input) unless there are two points of different sample
/// counts, all films are of one scene, and each is either independent of the reference or part of it.
Convergence measure_convergence(std::span<Subject const> films);

/// Keys: schema_version, reference, points [{name, samples, seconds, error}], slope_samples, slope_time,
/// expected_slope, slope_tolerance, as_expected, notices.
nlohmann::ordered_json report_convergence(Convergence const& convergence);
/// The same as a table.
std::string format_convergence(Convergence const& convergence);
/// Error over samples and over time as two logarithmic plots, with lines of the fitted slope and of -1/2.
std::string plot_convergence(Convergence const& convergence);

} // namespace volpt
