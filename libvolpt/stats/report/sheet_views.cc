#include "libvolpt/stats/report/sheet_views.h"

#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/image/drawing/markup.h"
#include "libvolpt/image/tone_map.h"
#include "libvolpt/stats/report/sheet_layout.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace volpt {
namespace {

constexpr std::size_t kViewsPerRow = 4;

struct ViewRow {
    std::size_t first, end;
    double cell_width, height; ///< of a picture's place
};

std::vector<ViewRow> arrange_views(std::vector<SheetView> const& views)
{
    std::vector<ViewRow> rows;
    std::size_t const columns = std::clamp<std::size_t>(views.size(), 3, kViewsPerRow);
    double const cell_width = std::floor((kSheetWidth - kMargin) / double(columns)) - kMargin;
    for (std::size_t first = 0; first < views.size(); first += columns) {
        ViewRow row{first, std::min(first + columns, views.size()), cell_width, 0};
        for (std::size_t i = row.first; i < row.end; ++i) {
            Image const& picture = views[i].picture;
            double const scale = choose_scale(picture, cell_width, kPictureHeight);
            row.height = std::max(row.height, std::round(picture.height * scale));
        }
        rows.push_back(row);
    }
    return rows;
}

bool has_scale(std::vector<SheetView> const& views)
{
    return std::ranges::any_of(views, [](SheetView const& view) { return view.width_mm.has_value(); });
}

/// Below and above the pictures of a row.
double measure_text_lines(std::vector<SheetView> const& views)
{
    return (has_scale(views) ? 2 : 1) * kLine;
}

} // namespace

double measure_views(std::vector<SheetView> const& views)
{
    double height = 0;
    for (ViewRow const& row : arrange_views(views)) height += row.height + measure_text_lines(views) + kMargin;
    return height;
}

void draw_views(Drawing& drawing, std::vector<SheetView> const& views, DisplayBackground const& background, double top)
{
    for (ViewRow const& row : arrange_views(views)) {
        for (std::size_t i = row.first; i < row.end; ++i) {
            SheetView const& view = views[i];
            double const left = kMargin + double(i - row.first) * (row.cell_width + kMargin);
            double const scale = choose_scale(view.picture, row.cell_width, kPictureHeight);
            DrawnBox const box{left, top + kLine, std::round(view.picture.width * scale),
                               std::round(view.picture.height * scale)};
            drawing.draw_text({left, top + 10}, shorten(view.caption, row.cell_width), {2, Anchor::start, kInk});
            drawing.draw_picture(box, make_displayable(view.picture, background.colour));
            drawing.frame_box({box.x - 1, box.y - 1, box.width + 2, box.height + 2}, kInk);
            if (view.width_mm)
                draw_bar(drawing, *view.width_mm, box.width, {left, box.y + box.height + kLine / 2.0 + 4});
        }
        top += row.height + measure_text_lines(views) + kMargin;
    }
}

std::string format_views(std::vector<SheetView> const& views, DisplayBackground const& background)
{
    if (views.empty()) return {};
    constexpr int kWidth = 290; // as contact_sheet.css has it
    std::string html = "<div class=\"row\">";
    for (SheetView const& view : views)
        html +=
            fmt::format("<figure class=\"view\"><img alt=\"{0}\" src=\"{1}\">{2}<figcaption>{0}</figcaption></figure>",
                        escape_markup(view.caption), encode_data_url(make_displayable(view.picture, background.colour)),
                        view.width_mm ? format_bar(*view.width_mm, kWidth) : std::string());
    return html + "</div>\n";
}

} // namespace volpt
