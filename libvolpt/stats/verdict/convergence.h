// Error over samples and over time, measured on films of one scene, with the fitted slope.
#pragma once

#include "libvolpt/stats/verdict/subject.h"

#include <span>
#include <vector>

namespace volpt {

struct ConvergencePoint {
    std::string name;
    double samples = 0; ///< per pixel, on average
    double seconds = 0; ///< of transport, from the film's provenance; NaN if it has none
    double error = 0;   ///< root mean square against the truth, corrected for the reference's own noise
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

/// The film with most samples is the reference, the others are the points. The squared error of a point is the squared
/// difference from the reference, minus the reference's squared noise if the films are independent; plus it, if the
/// point's samples are part of the reference's. Error (input) unless there are two points of different sample counts,
/// all films are of one scene, and each is either independent of the reference or part of it.
Convergence measure_convergence(std::span<Subject const> films);

} // namespace volpt
