#include "libvolpt/stats/report/convergence_report.h"

#include "libvolpt/sys/text/one_line.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

constexpr double kPanelWidth = 360, kPanelHeight = 300;

/// "-0.498 +- 0.004"; "-" for NaN.
std::string format_estimate(Estimate const& estimate)
{
    if (std::isnan(estimate.value)) return "-";
    if (std::isnan(estimate.standard_error)) return fmt::format("{:.3f}", estimate.value);
    return fmt::format("{:.3f} +- {:.3f}", estimate.value, estimate.standard_error);
}

/// Powers of ten that hold all values.
struct Axis {
    double low, high;

    double place(double value) const { return (std::log10(value) - low) / (high - low); }
};

Axis choose_axis(std::vector<double> const& values)
{
    auto const [least, most] = std::ranges::minmax(values);
    Axis axis{std::floor(std::log10(least)), std::ceil(std::log10(most))};
    if (axis.high <= axis.low) axis.high = axis.low + 1;
    return axis;
}

/// The points of one panel, as x and error.
struct Panel {
    std::vector<double> xs, errors;
    Axis x, y;

    double place_x(double value) const { return x.place(value) * kPanelWidth; }
    double place_y(double error) const { return (1 - y.place(error)) * kPanelHeight; }
    double first() const { return std::ranges::min(xs); }
    double last() const { return std::ranges::max(xs); }
};

/// Errors on the line of slope -1/2 from the first point.
double expect_error(std::vector<double> const& xs, std::vector<double> const& errors, double x)
{
    return errors.front() * std::sqrt(xs.front() / x);
}

Panel make_panel(Convergence const& convergence, double ConvergencePoint::*value)
{
    Panel panel;
    for (ConvergencePoint const& point : convergence.points) {
        panel.xs.push_back(point.*value);
        panel.errors.push_back(point.error);
    }
    panel.x = choose_axis(panel.xs);
    std::vector<double> ends = panel.errors;
    for (double const x : {panel.first(), panel.last()}) ends.push_back(expect_error(panel.xs, panel.errors, x));
    panel.y = choose_axis(ends);
    return panel;
}

template <class Line>
std::string draw_line(Panel const& panel, Line const& line, std::string_view style)
{
    return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>",
                       panel.place_x(panel.first()), panel.place_y(line(panel.first())), panel.place_x(panel.last()),
                       panel.place_y(line(panel.last())), style);
}

/// Of this slope through the centre of the points, over their range.
std::string draw_slope(Panel const& panel, double slope)
{
    double centre_x = 0, centre_y = 0;
    for (std::size_t i = 0; i < panel.xs.size(); ++i) {
        centre_x += std::log(panel.xs[i]) / static_cast<double>(panel.xs.size());
        centre_y += std::log(panel.errors[i]) / static_cast<double>(panel.xs.size());
    }
    return draw_line(
        panel, [&](double x) { return std::exp(centre_y + slope * (std::log(x) - centre_x)); }, "stroke=\"#b42318\"");
}

std::string draw_decades(Panel const& panel)
{
    std::string svg;
    for (double decade = panel.x.low; decade <= panel.x.high; ++decade)
        svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\">1e{:.0f}</text>", panel.place_x(std::pow(10, decade)),
                           kPanelHeight + 18, decade);
    for (double decade = panel.y.low; decade <= panel.y.high; ++decade)
        svg += fmt::format("<text x=\"-24\" y=\"{:.1f}\">1e{:.0f}</text>", panel.place_y(std::pow(10, decade)) + 4,
                           decade);
    return svg;
}

std::string draw_panel(Convergence const& convergence, double ConvergencePoint::*value, Estimate const& slope,
                       std::string_view label, double shift)
{
    Panel const panel = make_panel(convergence, value);
    std::string svg = fmt::format("<g transform=\"translate({},20)\"><rect width=\"{}\" height=\"{}\" fill=\"none\" "
                                  "stroke=\"#999\"/>",
                                  shift, kPanelWidth, kPanelHeight);
    svg += draw_decades(panel);
    svg += draw_line(
        panel, [&](double x) { return expect_error(panel.xs, panel.errors, x); },
        "stroke=\"#999\" stroke-dasharray=\"4 4\"");
    svg += draw_slope(panel, slope.value);
    for (std::size_t i = 0; i < panel.xs.size(); ++i)
        svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"#336699\"/>", panel.place_x(panel.xs[i]),
                           panel.place_y(panel.errors[i]));
    return svg + fmt::format("<text x=\"{0}\" y=\"{1}\">{2}</text><text x=\"{0}\" y=\"{3}\">slope {4} (red), -1/2 "
                             "(dashed)</text></g>",
                             kPanelWidth / 2, kPanelHeight + 40, label, kPanelHeight + 58, format_estimate(slope));
}

std::string format_seconds(double seconds)
{
    return std::isnan(seconds) ? "-" : fmt::format("{:.4g}", seconds);
}

std::string_view describe_slope(Convergence const& convergence)
{
    if (convergence.as_expected) return "as expected (-1/2)";
    bool const expected = std::abs(convergence.slope_samples.value + 0.5) <= kSlopeTolerance;
    return expected ? "as expected (-1/2), but values are NaN or infinite" : "not -1/2";
}

} // namespace

nlohmann::ordered_json report_convergence(Convergence const& convergence)
{
    nlohmann::ordered_json points = nlohmann::ordered_json::array();
    for (ConvergencePoint const& point : convergence.points)
        points.push_back({{"name", point.name},
                          {"samples", point.samples},
                          {"samples_source", to_word(point.source)},
                          {"seconds", point.seconds},
                          {"error", point.error},
                          {"slope", point.slope.value},
                          {"slope_error", point.slope.standard_error}});
    nlohmann::ordered_json range; // null
    if (convergence.slope_range) range = {convergence.slope_range->low, convergence.slope_range->high};
    return {{"schema_version", 1},
            {"reference", convergence.reference},
            {"reference_samples", convergence.reference_samples},
            {"points", points},
            {"slope_samples", convergence.slope_samples.value},
            {"slope_samples_error", convergence.slope_samples.standard_error},
            {"slope_range", range},
            {"slope_time", convergence.slope_time.value},
            {"slope_time_error", convergence.slope_time.standard_error},
            {"expected_slope", -0.5},
            {"slope_tolerance", kSlopeTolerance},
            {"floor", convergence.floor},
            {"floor_share", convergence.floor_share.value},
            {"floor_share_error", convergence.floor_share.standard_error},
            {"as_expected", convergence.as_expected},
            {"notices", convergence.notices}};
}

std::string format_convergence(Convergence const& convergence)
{
    bool const timed = std::ranges::any_of(convergence.points,
                                           [](ConvergencePoint const& point) { return !std::isnan(point.seconds); });
    std::string text = fmt::format("reference    {}", to_one_line(convergence.reference));
    if (!std::isnan(convergence.reference_samples))
        text += fmt::format(", {:.6g} samples", convergence.reference_samples);
    text += fmt::format("\n{:>12}{} {:>12} {:>16}  file\n", "samples", timed ? fmt::format(" {:>12}", "seconds") : "",
                        "rms error", "slope");
    for (ConvergencePoint const& point : convergence.points)
        text += fmt::format("{:>12.6g}{} {:>12.5g} {:>16}  {}\n", point.samples,
                            timed ? fmt::format(" {:>12}", format_seconds(point.seconds)) : "", point.error,
                            format_estimate(point.slope), to_one_line(point.name));
    text += fmt::format("slope        {} over samples", format_estimate(convergence.slope_samples));
    if (!std::isnan(convergence.slope_time.value))
        text += fmt::format(", {} over time", format_estimate(convergence.slope_time));
    return text + fmt::format(", {}\n", describe_slope(convergence));
}

std::string plot_convergence(Convergence const& convergence)
{
    bool const timed = std::isfinite(convergence.slope_time.value);
    double const width = timed ? 2 * kPanelWidth + 160 : kPanelWidth + 80;
    std::string svg = fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
                                  "height=\"{1}\"><style>text {{ font: 12px sans-serif; text-anchor: middle }}</style>"
                                  "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>",
                                  width, kPanelHeight + 96);
    svg += draw_panel(convergence, &ConvergencePoint::samples, convergence.slope_samples,
                      "rms error over samples per pixel", 60);
    if (timed)
        svg += draw_panel(convergence, &ConvergencePoint::seconds, convergence.slope_time, "rms error over seconds",
                          kPanelWidth + 140);
    return svg + "</svg>\n";
}

} // namespace volpt
