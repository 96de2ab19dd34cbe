// The markup; style and script are report.css and report.js.
#include "libvolpt/stats/report/html_report.h"

#include "libvolpt/image/displayed.h"
#include "libvolpt/image/drawing/markup.h"
#include "libvolpt/image/tone_map.h"
#include "libvolpt/stats/report/error_map.h"
#include "libvolpt/stats/report/page_parts.h"
#include "libvolpt/stats/report/verdict_report.h"
#include "libvolpt/sys/json.h"
#include "libvolpt/sys/text/base64.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <numbers>

namespace volpt {
namespace {

// A picture of three channels takes 16 bytes a pixel in the page.
constexpr std::size_t kMostInspectedPixels = 1 << 20;

/// An img element that contains its picture as PNG.
std::string embed(Image const& picture, std::string_view attributes)
{
    return fmt::format("<img {} src=\"{}\">", attributes, encode_data_url(picture));
}

bool has_picture(Subject const& subject)
{
    return !subject.image.channels.empty();
}

/// That over which the pair differs most.
DisplayBackground choose_background(ReportedPair const& pair)
{
    auto const& alpha = pair.verdict.image.alpha;
    return alpha ? alpha->worst() : pair.criteria.settings.backgrounds.back();
}

/// A figure of one side; nothing for a side that could not be read.
std::string format_side(Subject const& subject, DisplayBackground const& background, char const* side)
{
    if (!has_picture(subject)) return {};
    return fmt::format("<figure>{}<figcaption>{}: {}{}</figcaption></figure>",
                       embed(make_displayable(subject.image, background.colour), fmt::format("alt=\"{}\"", side)), side,
                       escape_markup(subject.name),
                       is_opaque(subject.image) ? "" : ", over " + escape_markup(background.name));
}

std::string format_pictures(ReportedPair const& pair)
{
    DisplayBackground const background = choose_background(pair);
    std::string html = "<div class=\"row\">" + format_side(pair.test, background, "test") +
                       format_side(pair.reference, background, "reference");
    if (has_picture(pair.test) && has_picture(pair.reference) && pair.verdict.image.matched())
        html += "<figure class=\"blink\"><button type=\"button\" title=\"click: stop or go on; arrow keys: one or the "
                "other\"></button><figcaption>blink: <span></span></figcaption></figure>";
    return html + "</div>\n";
}

std::string format_map(NamedMap const& map, int width, int height)
{
    float const low = map.scale.map == ColourMap::sign ? -map.scale.end : 0;
    return fmt::format("<figure>{}<figcaption>{}<br>{:.3g} {} {:.3g}</figcaption></figure>",
                       embed(paint(map.values, width, height, map.scale), "alt=\"error map\""),
                       escape_markup(map.title), low,
                       embed(paint_scale(map.scale, 256), "class=\"scale\" alt=\"scale\""), map.scale.end);
}

/// Bars of z against the normal curve of the same area; logarithmic, so that the tails can be seen.
std::string format_histogram(ExpectationComparison const& comparison)
{
    constexpr double kWidth = 640, kHeight = 240, kDecades = 7;
    auto const total = static_cast<double>(comparison.values_tested);
    auto const height_of = [&](double count) {
        return count > 0 ? std::clamp(1 + std::log10(count / total) / kDecades, 0.0, 1.0) * kHeight : 0.0;
    };
    std::size_t const bins = comparison.histogram.size();
    double const step = kWidth / static_cast<double>(bins);
    std::string svg = fmt::format("<svg viewBox=\"-40 -10 {} {}\" width=\"{}\" role=\"img\">", kWidth + 60,
                                  kHeight + 50, kWidth + 60);
    for (std::size_t i = 0; i < bins; ++i) {
        double const height = height_of(static_cast<double>(comparison.histogram[i]));
        svg += fmt::format("<rect class=\"bar\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>",
                           static_cast<double>(i) * step, kHeight - height, step - 0.5, height);
    }
    svg += "<polyline class=\"bell\" points=\"";
    for (double x = 0; x <= kWidth; x += 4) {
        double const z = (x / kWidth * 2 - 1) * kHistogramEnd;
        double const density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
        svg += fmt::format("{:.1f},{:.1f} ", x, kHeight - height_of(total * density * kHistogramStep));
    }
    svg += "\"/>";
    for (int z = -8; z <= 8; z += 2)
        svg +=
            fmt::format("<text x=\"{:.1f}\" y=\"{}\">{}</text>", (z / kHistogramEnd + 1) * kWidth / 2, kHeight + 18, z);
    for (int decade = 0; decade <= 6; decade += 2)
        svg += fmt::format("<text x=\"-20\" y=\"{:.1f}\">{}</text>", decade / kDecades * kHeight + 4,
                           decade == 0 ? "1" : fmt::format("1e-{}", decade));
    return svg + fmt::format("<text x=\"{}\" y=\"{}\">z of single values; line: normal curve</text></svg>\n",
                             kWidth / 2, kHeight + 36);
}

std::string format_numbers(ReportedPair const& pair)
{
    std::string html = "<table><tr><th>metric</th><th>value</th></tr>";
    for (MetricValue const& value : pair.verdict.image.values)
        html += fmt::format("<tr><td>{}</td><td>{:.6g}</td></tr>", escape_markup(value.name), value.value);
    html += "</table>\n";
    if (!pair.verdict.expectation) return html;
    html += "<table><tr><th>channel</th><th>test mean</th><th>reference mean</th><th>difference</th><th>interval</th>"
            "<th>relative</th><th>p of mean</th><th>chi-square / blocks</th><th>p of blocks</th></tr>";
    for (ChannelEffect const& effect : pair.verdict.expectation->effects)
        html += fmt::format("<tr><td>{}</td><td>{:.6g}</td><td>{:.6g}</td><td>{:.3g}</td><td>{:.3g} .. {:.3g}</td>"
                            "<td>{:+.3g} %</td><td>{:.3g}</td><td>{:.1f} / {}</td><td>{:.3g}</td></tr>",
                            escape_markup(effect.channel), effect.test_mean, effect.reference_mean, effect.difference,
                            effect.low, effect.high, 100 * effect.relative_difference, effect.mean_p,
                            effect.chi_squared, effect.blocks, effect.blocks_p);
    html += fmt::format("</table>\n<p>judged: {:.3g} % of the light; {} of {} values are pixels joined</p>\n",
                        100 * pair.verdict.expectation->judged_light, pair.verdict.expectation->values_joined,
                        pair.verdict.expectation->values_tested);
    return html + format_histogram(*pair.verdict.expectation);
}

std::string format_list(std::string_view title, std::vector<std::string> const& lines)
{
    if (lines.empty()) return {};
    std::string html = fmt::format("<h3>{}</h3><ul>", title);
    for (std::string const& line : lines) html += "<li>" + escape_markup(line) + "</li>";
    return html + "</ul>\n";
}

Image crop_image(Image const& image, int x, int y, int edge)
{
    Image part = image;
    part.width = part.height = edge;
    for (Channel& channel : part.channels) {
        std::vector<float> values;
        for (int row = y; row < y + edge; ++row) {
            auto const first = channel.values.begin() + std::ptrdiff_t{row} * image.width + x;
            values.insert(values.end(), first, first + edge);
        }
        channel.values = std::move(values);
    }
    return part;
}

/// Pixels around the largest difference, enlarged, of both sides; nothing of small pictures, which are shown enlarged.
std::string format_largest(ReportedPair const& pair)
{
    constexpr int kEdge = 32;
    auto const& largest = pair.verdict.image.largest;
    if (!largest || !(largest->absolute > 0) || std::min(pair.test.image.width, pair.test.image.height) <= kEdge)
        return {};
    int const x = std::clamp(largest->x - kEdge / 2, 0, pair.test.image.width - kEdge);
    int const y = std::clamp(largest->y - kEdge / 2, 0, pair.test.image.height - kEdge);
    std::string html = "<div class=\"row\">";
    for (Subject const* const side : {&pair.test, &pair.reference})
        html +=
            fmt::format("<figure>{}<figcaption>{}: {} x {} pixels about the largest difference, at {}, {} in "
                        "channel {}</figcaption></figure>",
                        embed(make_displayable(crop_image(side->image, x, y, kEdge), choose_background(pair).colour),
                              fmt::format("alt=\"crop\" data-x=\"{}\" data-y=\"{}\"", x, y)),
                        side == &pair.test ? "test" : "reference", kEdge, kEdge, largest->x, largest->y,
                        escape_markup(largest->channel));
    return html + "</div>\n";
}

/// The channels of a picture as little-endian floats in base64, one channel after the other.
std::string format_values(Subject const& subject, char const* side)
{
    std::string names;
    std::vector<float> values;
    for (Channel const& channel : subject.image.channels) {
        if (channel.name.find('.') != std::string::npos || channel.name == "sample_count") continue;
        names += (names.empty() ? "" : " ") + channel.name;
        values.insert(values.end(), channel.values.begin(), channel.values.end());
    }
    return fmt::format("<script type=\"text/plain\" class=\"values\" data-side=\"{}\" data-channels=\"{}\" "
                       "data-width=\"{}\" data-height=\"{}\">{}</script>",
                       side, escape_markup(names), subject.image.width, subject.image.height,
                       encode_base64(std::as_bytes(std::span(values))));
}

/// What the script needs to show the values of a pixel under the pointer.
std::string format_inspector(ReportedPair const& pair)
{
    if (pair.test.image.pixel_count() > kMostInspectedPixels || !pair.verdict.image.matched()) return {};
    return "<p class=\"inspector\">Point at a pixel for its values.</p>" + format_values(pair.test, "test") +
           format_values(pair.reference, "reference") + "\n";
}

/// A line for each pair, with a link to its section.
std::string format_summary(std::span<ReportedPair const* const> pairs)
{
    auto const passed = std::ranges::count_if(pairs, [](auto const* pair) { return pair->verdict.positive; });
    std::string html = fmt::format("<p>{} of {} passed</p>\n<table class=\"summary\"><tr><th>pair</th><th>verdict</th>"
                                   "<th>first reason</th></tr>",
                                   passed, pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        Verdict const& verdict = pairs[i]->verdict;
        html += fmt::format("<tr><td><a href=\"#pair{0}\">{1}</a></td><td><span class=\"{2}\">{2}</span></td>"
                            "<td>{3}</td></tr>",
                            i + 1, escape_markup(pairs[i]->name), name_outcome(verdict),
                            verdict.reasons.empty() ? "" : escape_markup(verdict.reasons.front()));
    }
    return html + "</table>\n";
}

enum class Inspection { none, pixels };

std::string format_pair(ReportedPair const& pair, std::size_t number, Inspection inspection)
{
    Verdict const& verdict = pair.verdict;
    std::string html = fmt::format("<section id=\"pair{2}\"><h2><span class=\"{0}\">{0}</span> {1}</h2>\n",
                                   name_outcome(verdict), escape_markup(pair.name), number);
    if (pair.criteria.threshold)
        html += "<p>threshold: <code>" + escape_markup(pair.criteria.threshold->text()) + "</code></p>";
    else if (!pair.criteria.expectation)
        html += "<p>no threshold: judged by equality of every bit</p>";
    html += fmt::format("<p>equal bits: {}{}</p>", verdict.equal_bits ? "yes" : "no",
                        verdict.films ? fmt::format("; films: {}", describe(*verdict.films)) : "");
    if (verdict.image.alpha) html += "<p>alpha: " + escape_markup(describe(*verdict.image.alpha)) + "</p>";
    html += format_list("Reasons", verdict.reasons) + format_list("Notes", verdict.notices) + format_pictures(pair);
    if (inspection == Inspection::pixels) html += format_inspector(pair);
    html += format_largest(pair);
    html += "<div class=\"row\">";
    for (char const* name :
         {"difference", "flip", "hdrflip", "de2000", "de2000_noise", "de2000_noise_share", "z", "blocks"})
        if (auto const map = find_error_map(verdict, name))
            html += format_map(*map, pair.test.image.width, pair.test.image.height);
    html += "</div>\n" + format_numbers(pair);
    std::string const json = format_json(report_verdict(verdict, pair.criteria), 2);
    return html + "<details><summary>every number, as --json has it</summary><pre>" + escape_markup(json) +
           "</pre></details></section>\n";
}

} // namespace

std::string format_html(std::string_view title, std::span<ReportedPair const> pairs)
{
    std::string html =
        fmt::format("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{}</title><style>{}"
                    "</style></head><body><h1>{}</h1>\n",
                    escape_markup(title), kReportStyle, escape_markup(title));
    std::vector<ReportedPair const*> order;
    for (ReportedPair const& pair : pairs) order.push_back(&pair);
    std::stable_partition(order.begin(), order.end(), [](auto const* pair) { return !pair->verdict.positive; });
    if (order.size() > 1) html += format_summary(order);
    for (std::size_t i = 0; i < order.size(); ++i) {
        bool const is_of_interest = order.size() == 1 || !order[i]->verdict.positive;
        html += format_pair(*order[i], i + 1, is_of_interest ? Inspection::pixels : Inspection::none);
    }
    return html + fmt::format("<script>{}</script></body></html>\n", kReportScript);
}

} // namespace volpt
