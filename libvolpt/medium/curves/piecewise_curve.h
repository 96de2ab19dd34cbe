// A piecewise linear function of one number, as for the density of measured values (volprep --opacity).
#pragma once

#include <string>
#include <vector>

namespace volpt {

class PiecewiseCurve {
public:
    struct Point {
        double x = 0; ///< -1e300 .. 1e300
        double y = 0; ///< 0 .. 1e30
    };

    /// At least two points whose x strictly ascend. Error (usage) names `where` and the point otherwise.
    PiecewiseCurve(std::vector<Point> points, std::string const& where);

    std::vector<Point> const& points() const noexcept { return points_; }
    double largest_y() const noexcept { return largest_y_; }

    /// Exactly y at the points, between the y of its two neighbours elsewhere, and the end points' y outside. `x` is
    /// not NaN.
    double evaluate(double x) const;

private:
    std::vector<Point> points_;
    double largest_y_ = 0;
};

/// "X:Y,X:Y", with the digits that give the same numbers again.
std::string to_text(PiecewiseCurve const& curve);

} // namespace volpt
