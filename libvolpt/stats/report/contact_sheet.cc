// The same parts in two forms: drawn as one picture, and written as a page.
#include "libvolpt/stats/report/contact_sheet.h"

#include "libvolpt/image/drawing/drawing.h"
#include "libvolpt/image/drawing/markup.h"
#include "libvolpt/image/tone_map.h"
#include "libvolpt/stats/report/error_map.h"
#include "libvolpt/stats/report/page_parts.h"
#include "libvolpt/stats/report/sheet_layout.h"
#include "libvolpt/stats/verdict/colour_verdict.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace volpt {
namespace {

struct ContactParts {
    Image target, prediction; ///< displayable
    NamedMap map;
    Image painted_map;
    std::vector<PatchColours> patches;
    Illuminant illuminant;            ///< of the patches' L*a*b*
    std::vector<MetricValue> figures; ///< of de2000 and of its noise
    bool has_noise;
    std::vector<std::string> sentences; ///< the verdict in words, then notes
};

constexpr float kLeftOut = 0.88f; ///< grey of texels that are not compared

/// Displayable; NaN is grey.
Image show_compared(Image const& image, DisplayBackground const& background)
{
    Image shown = make_displayable(image, background.colour);
    for (Channel& channel : shown.channels) {
        Channel const* const source = image.find(channel.name);
        for (std::size_t i = 0; source != nullptr && i < channel.values.size(); ++i)
            if (std::isnan(source->values[i])) channel.values[i] = kLeftOut;
    }
    return shown;
}

std::string describe_judgement(ReportedPair const& pair)
{
    std::string const word = spell_verdict(pair.verdict, pair.criteria);
    if (pair.criteria.threshold) return fmt::format("Threshold {}: {}.", pair.criteria.threshold->text(), word);
    return pair.criteria.expectation ? fmt::format("Test of expectations: {}.", word)
                                     : "No threshold: the difference is shown, not judged.";
}

ContactParts collect_contact_parts(ReportedPair const& pair, std::vector<Patch> const& patches,
                                   SheetLabels const& labels)
{
    auto const map = find_error_map(pair.verdict, "de2000");
    if (!map)
        fail_usage("a contact sheet needs the Delta E 2000 map", "compare two pictures of equal size with colours");
    auto const noise = find_error_map(pair.verdict, "de2000_noise");
    auto const& alpha = pair.verdict.image.alpha;
    DisplayBackground const background = alpha ? alpha->worst() : pair.criteria.settings.backgrounds.back();
    ContactParts parts{show_compared(pair.reference.image, background),
                       show_compared(pair.test.image, background),
                       *map,
                       paint(map->values, pair.test.image.width, pair.test.image.height, map->scale),
                       measure_patches(pair.reference.image, pair.test.image, patches,
                                       pair.criteria.settings.illuminant,
                                       noise ? std::span<float const>(noise->values) : std::span<float const>(),
                                       pair.criteria.settings.backgrounds),
                       pair.criteria.settings.illuminant,
                       {},
                       noise.has_value(),
                       describe_colours(pair.verdict.image.values)};
    parts.sentences.insert(parts.sentences.begin(), describe_judgement(pair));
    if (alpha)
        parts.sentences.push_back(
            fmt::format("Alpha: {}. The pictures are shown over {}.", describe(*alpha), background.name));
    auto const left_out = std::ranges::count_if(map->values, [](float value) { return std::isnan(value); });
    if (left_out > 0)
        parts.sentences.push_back(fmt::format("Grey pixels, {:.3g} % of all, are not compared.",
                                              100 * double(left_out) / double(map->values.size())));
    parts.sentences.insert(parts.sentences.end(), labels.notes.begin(), labels.notes.end());
    std::ranges::copy_if(pair.verdict.image.values, std::back_inserter(parts.figures),
                         [](MetricValue const& value) { return value.name.starts_with("de2000"); });
    return parts;
}

/// Linear sRGB as it is painted: coded and clamped.
PaintColour show_colour(Colour rgb)
{
    Image pixel = make_image(1, 1, Transfer::linear, {"R", "G", "B"});
    for (std::size_t c = 0; c < 3; ++c) pixel.channels[c].values[0] = rgb[c];
    pixel = tone_map(pixel, 1);
    return {pixel.channels[0].values[0], pixel.channels[1].values[0], pixel.channels[2].values[0]};
}

void frame_patches(Drawing& drawing, DrawnPoint corner, double scale, std::vector<PatchColours> const& patches)
{
    for (PatchColours const& colours : patches) {
        Patch const& patch = colours.patch;
        DrawnBox const box{std::round(corner.x + patch.x * scale), std::round(corner.y + patch.y * scale),
                           std::max(std::round(patch.width * scale), 3.0),
                           std::max(std::round(patch.height * scale), 3.0)};
        drawing.frame_box({box.x - 1, box.y - 1, box.width + 2, box.height + 2}, kBlack);
        drawing.frame_box(box, kWhite);
        DrawnPoint const middle{box.x + box.width / 2, box.y + box.height / 2};
        double const width = measure_text(patch.name, 1);
        // A name that does not fit is written to the right of the box.
        double const left = width + 4 <= box.width && box.height >= 14 ? middle.x - width / 2 : box.x + box.width + 3;
        drawing.fill_box({left - 2, middle.y - 6, width + 3, 12}, kWhite);
        drawing.draw_text({left, middle.y}, patch.name, {1, Anchor::start, kBlack});
    }
}

struct Column {
    double left;
    std::string_view title;
    std::string name;
    Image const& picture;
};

/// Returns the height that the pictures take.
double draw_pictures(Drawing& drawing, ReportedPair const& pair, ContactParts const& parts, double top)
{
    double const scale = choose_scale(parts.target, kPictureWidth, kPictureHeight);
    double const width = std::round(parts.target.width * scale), height = std::round(parts.target.height * scale);
    Column const columns[] = {
        {kMargin, "target", pair.reference.name, parts.target},
        {2 * kMargin + kPictureWidth, "prediction", pair.test.name, parts.prediction},
        {3 * kMargin + 2 * kPictureWidth, parts.map.title, "", parts.painted_map},
    };
    for (Column const& column : columns) {
        DrawnBox const box{column.left, top + 2 * kLine, width, height};
        drawing.draw_text({column.left, top + 10}, std::string(column.title), {3, Anchor::start, kInk});
        drawing.draw_text({column.left, top + 38}, shorten(column.name, kPictureWidth), {2, Anchor::start, kInk});
        drawing.draw_picture(box, column.picture);
        drawing.frame_box({box.x - 1, box.y - 1, box.width + 2, box.height + 2}, kInk);
        frame_patches(drawing, {box.x, box.y}, scale, parts.patches);
    }
    return 2 * kLine + height;
}

void draw_scale(Drawing& drawing, NamedMap const& map, DrawnPoint corner)
{
    drawing.draw_picture({corner.x, corner.y, kPictureWidth, 16}, paint_scale(map.scale, kPictureWidth));
    drawing.frame_box({corner.x - 1, corner.y - 1, kPictureWidth + 2, 18}, kInk);
    for (int quarter = 0; quarter <= 4; ++quarter) {
        double const x = corner.x + kPictureWidth * quarter / 4.0;
        drawing.draw_line({std::min(x, corner.x + kPictureWidth - 1.0), corner.y + 16}, {x, corner.y + 22}, kInk);
        Anchor const anchor = quarter == 0 ? Anchor::start : quarter == 4 ? Anchor::end : Anchor::middle;
        drawing.draw_text({x, corner.y + 34},
                          fmt::format("{:.3g}{}", double(map.scale.end) * quarter / 4, quarter == 4 ? "+" : ""),
                          {2, anchor, kInk});
    }
}

void draw_figures(Drawing& drawing, std::vector<MetricValue> const& figures, DrawnPoint corner)
{
    for (std::size_t i = 0; i < figures.size(); ++i) {
        double const y = corner.y + double(i) * kLine;
        drawing.draw_text({corner.x, y}, figures[i].name, {2, Anchor::start, kInk});
        drawing.draw_text({corner.x + kPictureWidth, y}, fmt::format("{:.4g}", figures[i].value),
                          {2, Anchor::end, kInk});
    }
}

constexpr int kLabFirst = 116, kLabStep = 74; ///< columns of L*, a*, b*

void draw_lab(Drawing& drawing, Colour const& rgb, Colour const& lab, double left, double y)
{
    drawing.fill_box({left, y - 11, 40, 22}, show_colour(rgb));
    drawing.frame_box({left, y - 11, 40, 22}, kInk);
    for (std::size_t c = 0; c < 3; ++c)
        drawing.draw_text({left + kLabFirst + kLabStep * double(c), y}, fmt::format("{:.1f}", lab[c]),
                          {2, Anchor::end, kInk});
}

std::string format_difference(PatchColours const& colours, bool has_noise)
{
    return has_noise ? fmt::format("{:.2f} ± {:.2f}", double(colours.de2000), double(colours.noise))
                     : fmt::format("{:.2f}", double(colours.de2000));
}

void draw_table(Drawing& drawing, std::vector<PatchColours> const& patches, bool has_noise, DrawnPoint corner)
{
    constexpr double kTarget = 84, kPrediction = 376, kDifference = 824;
    auto const write = [&](double x, std::string text, Anchor anchor) {
        drawing.draw_text({corner.x + x, corner.y}, std::move(text), {2, anchor, kInk});
    };
    write(0, "patch", Anchor::start);
    for (double const left : {kTarget, kPrediction})
        for (int c = 0; c < 3; ++c) write(left + kLabFirst + kLabStep * c, std::string(1, "Lab"[c]) + "*", Anchor::end);
    write(kTarget, "target", Anchor::start);
    write(kPrediction, "print", Anchor::start);
    write(kDifference, "Delta E", Anchor::end);
    for (PatchColours const& colours : patches) {
        corner.y += kLine;
        drawing.draw_line({corner.x, corner.y - kLine / 2.0}, {corner.x + kDifference, corner.y - kLine / 2.0}, kGrid);
        write(0, colours.patch.name, Anchor::start);
        draw_lab(drawing, colours.target_rgb, colours.target_lab, corner.x + kTarget, corner.y);
        draw_lab(drawing, colours.prediction_rgb, colours.prediction_lab, corner.x + kPrediction, corner.y);
        write(kDifference, format_difference(colours, has_noise), Anchor::end);
    }
}

/// Boxes that lie over a picture of kPictureWidth, as report.css has it.
std::string format_patches(std::vector<PatchColours> const& patches, int picture_width)
{
    std::string html;
    double const scale = double(kPictureWidth) / picture_width;
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

std::string format_table(std::vector<PatchColours> const& patches, bool has_noise)
{
    std::string html = "<table><tr><th>patch</th><th>target</th><th>L*</th><th>a*</th><th>b*</th><th>prediction</th>"
                       "<th>L*</th><th>a*</th><th>b*</th><th>ΔE<sub>00</sub></th><th>pixels</th></tr>\n";
    for (PatchColours const& colours : patches) {
        Patch const& patch = colours.patch;
        html += fmt::format("<tr><td>{}</td>{}{}<td>{}</td><td>{},{} {}x{}</td></tr>\n", escape_markup(patch.name),
                            format_lab(colours.target_rgb, colours.target_lab),
                            format_lab(colours.prediction_rgb, colours.prediction_lab),
                            format_difference(colours, has_noise), patch.x, patch.y, patch.width, patch.height);
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

void draw_lines(Drawing& drawing, std::vector<std::string> const& lines, double top)
{
    for (std::size_t i = 0; i < lines.size(); ++i)
        drawing.draw_text({kMargin, top + double(i) * kLine}, lines[i], {2, Anchor::start, kInk});
}

std::string begin_page(std::string const& title)
{
    return fmt::format("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>"
                       "<style>{1}{2}</style></head><body><h1>{0}</h1>\n",
                       escape_markup(title), kReportStyle, kSheetStyle);
}

std::string format_sentences(std::vector<std::string> const& sentences)
{
    std::string html;
    for (std::string const& sentence : sentences) html += "<p>" + escape_markup(sentence) + "</p>\n";
    return html;
}

std::string format_notes(std::vector<std::string> const& notices)
{
    std::string html;
    for (std::string const& notice : notices) html += "<li>" + escape_markup(notice) + "</li>";
    return html.empty() ? html : "<h2>Notes</h2><ul>" + html + "</ul>\n";
}

} // namespace

Image draw_contact_sheet(ReportedPair const& pair, std::vector<Patch> const& patches, SheetLabels const& labels)
{
    ContactParts const parts = collect_contact_parts(pair, patches, labels);
    std::vector<std::string> const lines = wrap_lines(parts.sentences);
    double const scale = choose_scale(parts.target, kPictureWidth, kPictureHeight);
    double const top = kMargin + measure_views(labels.views);
    double const pictures = 2 * kLine + std::round(parts.target.height * scale);
    double const bar = labels.width_mm ? kLine : 0;
    auto const rows = std::max(double(patches.size()) + 1 + bar / kLine, double(parts.figures.size()) + 2.5);
    double const text = top + pictures + 2 * kMargin + (rows + 0.5) * kLine;
    double const height = text + (double(lines.size()) + 0.5) * kLine + kMargin;
    Drawing drawing(kSheetWidth, limit_height(height));
    draw_views(drawing, labels.views, labels.background, kMargin);
    double below = top + draw_pictures(drawing, pair, parts, top) + kMargin;
    if (labels.width_mm)
        draw_bar(drawing, *labels.width_mm, std::round(parts.target.width * scale), {kMargin, below - 6});
    double const right = 3 * kMargin + 2 * kPictureWidth;
    draw_scale(drawing, parts.map, {right, below - 10});
    draw_figures(drawing, parts.figures, {right, below + 2.5 * kLine});
    below += bar;
    draw_table(drawing, parts.patches, parts.has_noise, {kMargin, below + 10});
    draw_lines(drawing, lines, text);
    drawing.draw_text({kMargin, height - kMargin},
                      fmt::format("L* a* b* of a patch's mean, {}, {} observer{}", to_word(parts.illuminant),
                                  kObserverName, parts.has_noise ? "; ±: noise of the mean" : ""),
                      {2, Anchor::start, kGrey});
    return drawing.to_image();
}

std::string format_contact_sheet(ReportedPair const& pair, std::vector<Patch> const& patches, SheetLabels const& labels)
{
    ContactParts const parts = collect_contact_parts(pair, patches, labels);
    std::string html = begin_page(pair.name) + format_views(labels.views, labels.background) + "<div class=\"row\">";
    std::string const bar = labels.width_mm ? format_bar(*labels.width_mm, kPictureWidth) : std::string();
    html += format_figure(parts.target, "target", bar + "target: " + escape_markup(pair.reference.name), parts.patches);
    html +=
        format_figure(parts.prediction, "prediction", "prediction: " + escape_markup(pair.test.name), parts.patches);
    html += format_figure(parts.painted_map, "Delta E 2000", format_scale(parts.map) + escape_markup(parts.map.title),
                          parts.patches);
    html +=
        "<figure class=\"blink\"><button type=\"button\" title=\"click: stop or go on; arrow keys: one or the other\">"
        "</button><figcaption>blink: <span></span></figcaption></figure></div>\n";
    html += "<div class=\"row\">" + format_table(parts.patches, parts.has_noise) + format_numbers(parts.figures) +
            "</div>\n";
    html += format_sentences(parts.sentences);
    html += fmt::format("<p>L*a*b* of the mean linear colour of a patch, {}, {} observer.{}</p>\n",
                        to_word(parts.illuminant), kObserverName, parts.has_noise ? " ±: noise of the mean." : "") +
            format_notes(pair.verdict.notices);
    return html + fmt::format("<script>{}</script></body></html>\n", kReportScript);
}

Image draw_view_sheet(SheetLabels const& labels)
{
    std::vector<std::string> const lines = wrap_lines(labels.notes);
    double const text = kMargin + measure_views(labels.views) + kLine;
    Drawing drawing(kSheetWidth, limit_height(text + double(lines.size()) * kLine));
    draw_views(drawing, labels.views, labels.background, kMargin);
    draw_lines(drawing, lines, text);
    return drawing.to_image();
}

std::string format_view_sheet(std::string const& title, SheetLabels const& labels)
{
    return begin_page(title) + format_views(labels.views, labels.background) + format_sentences(labels.notes) +
           "</body></html>\n";
}

} // namespace volpt
