// Writes the contact sheet as a page.
#include "libvolpt/stats/report/contact_sheet.h"

#include "libvolpt/image/drawing/markup.h"
#include "libvolpt/stats/report/contact_parts.h"
#include "libvolpt/stats/report/html_parts.h"

#include <fmt/format.h>

namespace volpt {
namespace {

/// Pictures are 400 pixels wide, as kReportStyle has it; patches lie over them.
constexpr double kPictureWidth = 400;
constexpr std::string_view kSheetStyle = R"(
.row { align-items: flex-start } .row figure { position: relative } .patch { position: absolute; box-sizing: border-box; border: 1px solid #fff; outline: 1px solid #000;
  font-size: 10px; line-height: 1; color: #fff; text-shadow: 0 0 2px #000, 0 0 2px #000, 0 0 2px #000 }
.bar { width: 400px; height: 14px; display: block; image-rendering: pixelated; border: 1px solid #999 }
.ticks { width: 402px; display: flex; justify-content: space-between; font-size: .85em }
.swatch { display: inline-block; width: 2.5em; height: 1.1em; vertical-align: middle; border: 1px solid #999 }
)";

std::string format_patches(std::vector<PatchColours> const& patches, int picture_width)
{
    std::string html;
    double const scale = kPictureWidth / picture_width;
    for (PatchColours const& colours : patches) {
        Patch const& patch = colours.patch;
        html += fmt::format(
            "<span class=\"patch\" style=\"left:{:.1f}px;top:{:.1f}px;width:{:.1f}px;height:{:.1f}px\">{}</span>",
            1 + patch.x * scale, 1 + patch.y * scale, patch.width * scale, patch.height * scale,
            escape_markup(patch.name));
    }
    return html;
}

std::string format_figure(Image const& picture, std::string_view alt, std::string const& caption,
                          std::vector<PatchColours> const& patches)
{
    return fmt::format("<figure><img alt=\"{}\" src=\"{}\">{}<figcaption>{}</figcaption></figure>", alt,
                       encode_data_url(picture), format_patches(patches, picture.width), caption);
}

std::string format_scale(NamedMap const& map)
{
    std::string html = fmt::format("<img class=\"bar\" alt=\"scale\" src=\"{}\"><span class=\"ticks\">",
                                   encode_data_url(paint_scale(map.scale, 400)));
    for (int quarter = 0; quarter <= 4; ++quarter)
        html += fmt::format("<span>{:.3g}{}</span>", double(map.scale.end) * quarter / 4, quarter == 4 ? "+" : "");
    return html + "</span>";
}

std::string format_lab(Colour const& rgb, Colour const& lab)
{
    return fmt::format("<td><span class=\"swatch\" style=\"background:{}\"></span></td><td>{:.1f}</td><td>{:.1f}</td>"
                       "<td>{:.1f}</td>",
                       format_colour(show_colour(rgb)), lab[0], lab[1], lab[2]);
}

std::string format_table(std::vector<PatchColours> const& patches)
{
    std::string html = "<table><tr><th>patch</th><th>target</th><th>L*</th><th>a*</th><th>b*</th><th>prediction</th>"
                       "<th>L*</th><th>a*</th><th>b*</th><th>ΔE<sub>00</sub></th><th>pixels</th></tr>\n";
    for (PatchColours const& colours : patches) {
        Patch const& patch = colours.patch;
        html += fmt::format("<tr><td>{}</td>{}{}<td>{:.2f}</td><td>{},{} {}x{}</td></tr>\n", escape_markup(patch.name),
                            format_lab(colours.target_rgb, colours.target_lab),
                            format_lab(colours.prediction_rgb, colours.prediction_lab), double(colours.de2000), patch.x,
                            patch.y, patch.width, patch.height);
    }
    return html + "</table>\n";
}

std::string format_numbers(std::vector<MetricValue> const& figures)
{
    std::string html = "<table><tr><th>Delta E 2000</th><th>value</th></tr>\n";
    for (MetricValue const& figure : figures)
        html += fmt::format("<tr><td>{}</td><td>{:.4g}</td></tr>\n", escape_markup(figure.name), figure.value);
    return html + "</table>\n";
}

std::string format_notes(std::vector<std::string> const& notices)
{
    std::string html;
    for (std::string const& notice : notices) html += "<li>" + escape_markup(notice) + "</li>";
    return html.empty() ? html : "<h2>Notes</h2><ul>" + html + "</ul>\n";
}

} // namespace

std::string format_contact_sheet(ReportedPair const& pair, std::vector<Patch> const& patches)
{
    ContactParts const parts = collect_contact_parts(pair, patches);
    std::string const title = escape_markup(pair.name);
    std::string html = fmt::format("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>"
                                   "<style>{1}{2}</style></head><body><h1>{0}</h1>\n<div class=\"row\">",
                                   title, kReportStyle, kSheetStyle);
    html += format_figure(parts.target, "target", "target: " + escape_markup(pair.reference.name), parts.patches);
    html +=
        format_figure(parts.prediction, "prediction", "prediction: " + escape_markup(pair.test.name), parts.patches);
    html += format_figure(parts.painted_map, "Delta E 2000", format_scale(parts.map) + escape_markup(parts.map.title),
                          parts.patches);
    html +=
        "<figure class=\"blink\"><button type=\"button\" title=\"click: stop or go on; arrow keys: one or the other\">"
        "</button><figcaption>blink: <span></span></figcaption></figure></div>\n";
    html += "<div class=\"row\">" + format_table(parts.patches) + format_numbers(parts.figures) + "</div>\n";
    html += fmt::format("<p>L*a*b* of the mean linear colour of a patch, {}, {} observer.</p>\n",
                        name_of(parts.illuminant), kObserverName) +
            format_notes(pair.verdict.notices);
    return html + fmt::format("<script>{}</script></body></html>\n", kReportScript);
}

} // namespace volpt
