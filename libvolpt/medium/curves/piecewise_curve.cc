#include "libvolpt/medium/curves/piecewise_curve.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace volpt {

PiecewiseCurve::PiecewiseCurve(std::vector<Point> points, std::string const& where) : points_(std::move(points))
{
    constexpr char kExample[] = "give for example -1000:0,0:0,300:1";
    if (points_.size() < 2)
        fail_usage(fmt::format("{}: a curve has at least two points, here are {}", where, points_.size()), kExample);
    for (std::size_t i = 0; i < points_.size(); ++i) {
        auto const [x, y] = points_[i];
        if (!(std::abs(x) <= 1e300 && y >= 0 && y <= 1e30))
            fail_usage(fmt::format("{}: point {}, {}:{}, is out of range: X is finite, Y lies between 0 and 1e30",
                                   where, i + 1, x, y),
                       kExample);
        if (i > 0 && !(x > points_[i - 1].x))
            fail_usage(fmt::format("{}: point {} at {} does not lie above the one before, at {}", where, i + 1, x,
                                   points_[i - 1].x),
                       "sort the points by X, and name each X once");
        largest_y_ = std::max(largest_y_, y);
    }
}

double PiecewiseCurve::evaluate(double x) const
{
    auto const above =
        std::upper_bound(points_.begin(), points_.end(), x, [](double at, Point const& point) { return at < point.x; });
    if (above == points_.begin()) return points_.front().y;
    if (above == points_.end()) return points_.back().y;
    Point const& low = *(above - 1);
    double const y = low.y + (x - low.x) / (above->x - low.x) * (above->y - low.y);
    // Rounding must not lead past the next point.
    return std::clamp(y, std::min(low.y, above->y), std::max(low.y, above->y));
}

std::string to_text(PiecewiseCurve const& curve)
{
    std::string text;
    for (auto const [x, y] : curve.points()) text += fmt::format("{}{}:{}", text.empty() ? "" : ",", x, y);
    return text;
}

} // namespace volpt
