// Slopes of error over samples and time, fitted to sums of squared differences by block of the picture.
#pragma once

#include <limits>
#include <optional>
#include <vector>

namespace volpt {

/// Stands for a number that is not known.
inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// How the noise of a rendering is related to that of the reference.
enum class NoiseRelation {
    independent,
    part, ///< its samples are also the reference's
    unknown,
};

/// Sums over the blocks of the picture, so that each block can be left out (jackknife).
struct PointSquares {
    double samples = 0;
    double seconds = 0; ///< NaN: unknown
    NoiseRelation relation = NoiseRelation::unknown;
    std::vector<double> differences; ///< by block: sum of the squared differences from the reference
};

struct MeasuredSquares {
    std::vector<double> counts; ///< by block: how many values
    std::vector<PointSquares> points;
    std::vector<double> reference_noise; ///< by block: sum of the reference's variances; empty: not known
    double reference_samples = 0; ///< NaN: not known, and the reference counts as exact unless its noise is known
};

/// A number and its standard error, by the jackknife over blocks; NaN where it cannot be told.
struct Estimate {
    double value = 0;
    double standard_error = 0;
};

/// Of the same renderings, by one assumption on unknown relations.
struct ConvergenceFit {
    std::vector<double> errors;   ///< by point: root mean square, without the reference's noise; NaN if nothing is left
    std::vector<Estimate> slopes; ///< from the point before; the first is NaN
    Estimate slope_samples, slope_time; ///< of log error over log samples, or log seconds: least squares
    Estimate
        floor_share; ///< c over the squared error of the last point, where a / samples + c is fitted to squared errors
    double noise_share = 0; ///< a / samples over the squared error of the last point, by the same fit
};

/// Points in the order of samples. A squared error is the mean squared difference D, less v, the mean of the
/// reference's variances, of independent renderings; D + v of a part. Where v is not known but its samples N_R are,
/// D / (1 + q) and D / (1 - q) with q = (N / N_R)^(-2 s), where s is the slope that is fitted: the reference's error is
/// taken to lie on the line. `assumed` is the relation of points whose own is unknown; unknown: v is subtracted if it
/// is known, else nothing is corrected. The floor is fitted to squared errors by least squares of relative residuals.
ConvergenceFit fit_convergence(MeasuredSquares const& squares, NoiseRelation assumed);

} // namespace volpt
