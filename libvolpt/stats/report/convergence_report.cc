#include "libvolpt/stats/report/convergence_report.h"

#include "libvolpt/sys/text/one_line.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

constexpr double kPanelWidth = 360, kPanelHeight = 300;

/// Powers of ten that hold all values.
struct Axis {
    double low, high;

    double place(double value) const { return (std::log10(value) - low) / (high - low); }
};

Axis choose_axis(std::vector<ConvergencePoint> const& points, double ConvergencePoint::*value)
{
    Axis axis{1e9, -1e9};
    for (ConvergencePoint const& point : points) {
        axis.low = std::min(axis.low, std::floor(std::log10(point.*value)));
        axis.high = std::max(axis.high, std::ceil(std::log10(point.*value)));
    }
    if (axis.high <= axis.low) axis.high = axis.low + 1;
    return axis;
}

/// A line of this slope through the centre of the points, over their range.
std::string draw_slope(std::vector<ConvergencePoint> const& points, double ConvergencePoint::*value, Axis x, Axis y,
                       double slope, std::string_view style)
{
    double centre_x = 0, centre_y = 0, first = 1e300, last = 0;
    for (ConvergencePoint const& point : points) {
        centre_x += std::log(point.*value) / static_cast<double>(points.size());
        centre_y += std::log(point.error) / static_cast<double>(points.size());
        first = std::min(first, point.*value);
        last = std::max(last, point.*value);
    }
    auto const at = [&](double place) { return std::exp(centre_y + slope * (std::log(place) - centre_x)); };
    return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>",
                       x.place(first) * kPanelWidth, (1 - y.place(at(first))) * kPanelHeight,
                       x.place(last) * kPanelWidth, (1 - y.place(at(last))) * kPanelHeight, style);
}

std::string draw_panel(Convergence const& convergence, double ConvergencePoint::*value, double slope,
                       std::string_view label, double shift)
{
    std::vector<ConvergencePoint> const& points = convergence.points;
    Axis const x = choose_axis(points, value), y = choose_axis(points, &ConvergencePoint::error);
    std::string svg = fmt::format("<g transform=\"translate({},20)\"><rect width=\"{}\" height=\"{}\" fill=\"none\" "
                                  "stroke=\"#999\"/>",
                                  shift, kPanelWidth, kPanelHeight);
    for (double decade = x.low; decade <= x.high; ++decade)
        svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\">1e{:.0f}</text>", x.place(std::pow(10, decade)) * kPanelWidth,
                           kPanelHeight + 18, decade);
    for (double decade = y.low; decade <= y.high; ++decade)
        svg += fmt::format("<text x=\"-24\" y=\"{:.1f}\">1e{:.0f}</text>",
                           (1 - y.place(std::pow(10, decade))) * kPanelHeight + 4, decade);
    svg += draw_slope(points, value, x, y, -0.5, "stroke=\"#999\" stroke-dasharray=\"4 4\"");
    svg += draw_slope(points, value, x, y, slope, "stroke=\"#b42318\"");
    for (ConvergencePoint const& point : points)
        svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"#336699\"/>",
                           x.place(point.*value) * kPanelWidth, (1 - y.place(point.error)) * kPanelHeight);
    return svg + fmt::format("<text x=\"{}\" y=\"{}\">{}; slope {:.3f} (red), -1/2 (dashed)</text></g>",
                             kPanelWidth / 2, kPanelHeight + 40, label, slope);
}

} // namespace

nlohmann::ordered_json report_convergence(Convergence const& convergence)
{
    nlohmann::ordered_json points = nlohmann::ordered_json::array();
    for (ConvergencePoint const& point : convergence.points)
        points.push_back(
            {{"name", point.name}, {"samples", point.samples}, {"seconds", point.seconds}, {"error", point.error}});
    return {{"schema_version", 1},
            {"reference", convergence.reference},
            {"points", points},
            {"slope_samples", convergence.slope_samples},
            {"slope_time", convergence.slope_time},
            {"expected_slope", -0.5},
            {"slope_tolerance", kSlopeTolerance},
            {"as_expected", convergence.as_expected},
            {"notices", convergence.notices}};
}

std::string format_convergence(Convergence const& convergence)
{
    std::string text = fmt::format("reference    {}\n{:>12} {:>12} {:>12}  film\n", to_one_line(convergence.reference),
                                   "samples", "seconds", "rms error");
    for (ConvergencePoint const& point : convergence.points)
        text += fmt::format("{:>12.6g} {:>12.4g} {:>12.5g}  {}\n", point.samples, point.seconds, point.error,
                            to_one_line(point.name));
    return text + fmt::format("slope        {:.3f} over samples, {:.3f} over time, {}\n", convergence.slope_samples,
                              convergence.slope_time, convergence.as_expected ? "as expected (-1/2)" : "not -1/2");
}

std::string plot_convergence(Convergence const& convergence)
{
    bool const timed = std::isfinite(convergence.slope_time);
    double const width = timed ? 2 * kPanelWidth + 160 : kPanelWidth + 80;
    std::string svg = fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
                                  "height=\"{1}\"><style>text {{ font: 12px sans-serif; text-anchor: middle }}</style>"
                                  "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>",
                                  width, kPanelHeight + 80);
    svg += draw_panel(convergence, &ConvergencePoint::samples, convergence.slope_samples,
                      "rms error over samples per pixel", 60);
    if (timed)
        svg += draw_panel(convergence, &ConvergencePoint::seconds, convergence.slope_time, "rms error over seconds",
                          kPanelWidth + 140);
    return svg + "</svg>\n";
}

} // namespace volpt
