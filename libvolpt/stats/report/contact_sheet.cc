// Draws the contact sheet as one picture.
#include "libvolpt/stats/report/contact_sheet.h"

#include "libvolpt/stats/report/contact_parts.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace volpt {
namespace {

constexpr int kMargin = 24, kPictureWidth = 400, kPictureHeight = 480, kLine = 28;
constexpr int kWidth = 4 * kMargin + 3 * kPictureWidth;
constexpr PaintColour kInk{0.13f, 0.13f, 0.13f}, kGrid{0.8f, 0.8f, 0.8f}, kBlack{0, 0, 0}, kWhite{1, 1, 1};

/// As large as the place allows; a small picture grows by a whole number.
double choose_scale(Image const& image)
{
    double const scale = std::min(double(kPictureWidth) / image.width, double(kPictureHeight) / image.height);
    return scale > 1 ? std::floor(scale) : scale;
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
        // A name that does not fit stands to the right.
        double const left = width + 4 <= box.width && box.height >= 14 ? middle.x - width / 2 : box.x + box.width + 3;
        drawing.fill_box({left - 2, middle.y - 6, width + 3, 12}, kWhite);
        drawing.draw_text({left, middle.y}, patch.name, {1, Anchor::start, kBlack});
    }
}

/// The last letters of a name that is too long for a picture's width.
std::string shorten(std::string const& name)
{
    std::string shown = name;
    while (measure_text(shown, 2) > kPictureWidth && shown.size() > 4) shown = "..." + shown.substr(4);
    return shown;
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
    double const scale = choose_scale(parts.target);
    double const width = std::round(parts.target.width * scale), height = std::round(parts.target.height * scale);
    Column const columns[] = {
        {kMargin, "target", pair.reference.name, parts.target},
        {2 * kMargin + kPictureWidth, "prediction", pair.test.name, parts.prediction},
        {3 * kMargin + 2 * kPictureWidth, parts.map.title, "", parts.painted_map},
    };
    for (Column const& column : columns) {
        DrawnBox const box{column.left, top + 2 * kLine, width, height};
        drawing.draw_text({column.left, top + 10}, std::string(column.title), {3, Anchor::start, kInk});
        drawing.draw_text({column.left, top + 38}, shorten(column.name), {2, Anchor::start, kInk});
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

void draw_lab(Drawing& drawing, Colour const& rgb, Colour const& lab, double left, double y)
{
    drawing.fill_box({left, y - 11, 40, 22}, show_colour(rgb));
    drawing.frame_box({left, y - 11, 40, 22}, kInk);
    for (std::size_t c = 0; c < 3; ++c)
        drawing.draw_text({left + 120 + 80 * double(c), y}, fmt::format("{:.1f}", lab[c]), {2, Anchor::end, kInk});
}

void draw_table(Drawing& drawing, std::vector<PatchColours> const& patches, DrawnPoint corner)
{
    constexpr double kTarget = 120, kPrediction = 430, kDifference = 800;
    auto const write = [&](double x, std::string text, Anchor anchor) {
        drawing.draw_text({corner.x + x, corner.y}, std::move(text), {2, anchor, kInk});
    };
    write(0, "patch", Anchor::start);
    for (double const left : {kTarget, kPrediction})
        for (int c = 0; c < 3; ++c) write(left + 120 + 80 * c, std::string(1, "Lab"[c]) + "*", Anchor::end);
    write(kTarget, "target", Anchor::start);
    write(kPrediction, "pred.", Anchor::start);
    write(kDifference, "dE00", Anchor::end);
    for (PatchColours const& colours : patches) {
        corner.y += kLine;
        drawing.draw_line({corner.x, corner.y - kLine / 2.0}, {corner.x + kDifference, corner.y - kLine / 2.0}, kGrid);
        write(0, colours.patch.name, Anchor::start);
        draw_lab(drawing, colours.target_rgb, colours.target_lab, corner.x + kTarget, corner.y);
        draw_lab(drawing, colours.prediction_rgb, colours.prediction_lab, corner.x + kPrediction, corner.y);
        write(kDifference, fmt::format("{:.2f}", double(colours.de2000)), Anchor::end);
    }
}

} // namespace

Image draw_contact_sheet(ReportedPair const& pair, std::vector<Patch> const& patches)
{
    ContactParts const parts = collect_contact_parts(pair, patches);
    double const pictures = 2 * kLine + std::round(parts.target.height * choose_scale(parts.target));
    auto const rows = std::max(double(patches.size()) + 1, double(parts.figures.size()) + 3);
    double const height = kMargin + pictures + 2 * kMargin + (rows + 1) * kLine + kMargin;
    Drawing drawing(kWidth, static_cast<int>(height));
    double const below = kMargin + draw_pictures(drawing, pair, parts, kMargin) + kMargin;
    double const right = 3 * kMargin + 2 * kPictureWidth;
    draw_scale(drawing, parts.map, {right, below - 10});
    draw_figures(drawing, parts.figures, {right, below + 2.5 * kLine});
    draw_table(drawing, parts.patches, {kMargin, below + 10});
    drawing.draw_text({kMargin, height - kMargin}, fmt::format("L* a* b* of a patch's mean, {}, {} observer",
                                                               name_of(parts.illuminant), kObserverName));
    return drawing.to_image();
}

} // namespace volpt
