// Error over samples and over time, measured on renderings of one view, with the fitted slope.
#pragma once

#include "libvolpt/stats/convergence/measured_squares.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace volpt {

struct ConvergencePoint {
    std::string name;
    double samples = 0; ///< per pixel, on average
    SampleSource source = SampleSource::none;
    double seconds = 0; ///< of rendering; NaN if they are not known
    double error = 0;   ///< root mean square against the truth, corrected for the reference's own noise
    Estimate slope;     ///< of log error over log samples, from the point before; NaN for the first
};

/// Slopes by the assumptions on a relation that is not known.
struct SlopeRange {
    double low = 0, high = 0; ///< NaN: such a slope cannot be fitted
};

struct Convergence {
    std::vector<ConvergencePoint> points; ///< by samples
    std::string reference;
    double reference_samples = 0; ///< NaN if they are not known
    Estimate slope_samples;       ///< of log error over log samples, least squares
    Estimate slope_time;          ///< over log seconds; NaN if those of a point are not known
    /// Of slope_samples, from renderings that are independent of the reference to such whose samples are part of it;
    /// none if the relation is known, or nothing is known about the reference's noise.
    std::optional<SlopeRange> slope_range;
    double floor =
        0; ///< root mean square that stays with any number of samples, by a / samples + c; 0 if c is negative
    Estimate floor_share;     ///< c over the squared error of the last point
    bool as_expected = false; ///< slope_samples is -1/2 within kSlopeTolerance, and no value is NaN or infinite
    std::vector<std::string> notices;
};

inline constexpr double kSlopeTolerance = 0.05;

/// The place of the rendering of most samples. Error (input) if one has no known number of samples.
std::size_t find_longest(std::span<Rendering const> renderings);

/// Errors of `tests` against the reference (measure_squares), and their slopes (fit_convergence). The reference's noise
/// is that of its standard errors, else it follows from its number of samples, else it counts as exact. Whether samples
/// are shared is known of films and of images made from them: two such images of one scene and seed are part of each
/// other. Error (input) unless there are two tests of different, known sample counts, and each has an error above the
/// reference's noise, and fewer samples than a reference whose noise is not known.
Convergence measure_convergence(std::vector<Rendering> tests, Rendering reference);

} // namespace volpt
