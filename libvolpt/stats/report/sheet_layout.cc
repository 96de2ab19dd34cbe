#include "libvolpt/stats/report/sheet_layout.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace volpt {

int limit_height(double height)
{
    return static_cast<int>(std::min(height, double(kMaxDrawingSide)));
}

double choose_scale(Image const& picture, double width, double height)
{
    double const scale = std::min(width / picture.width, height / picture.height);
    return scale > 1 ? std::floor(scale) : scale;
}

double choose_bar_mm(double width_mm)
{
    double const decade = std::pow(10, std::floor(std::log10(width_mm / 3)));
    for (double const factor : {5.0, 2.0})
        if (factor * decade <= width_mm / 3) return factor * decade;
    return decade;
}

void draw_bar(Drawing& drawing, double width_mm, double width_px, DrawnPoint corner)
{
    double const bar_mm = choose_bar_mm(width_mm);
    double const bar_px = std::round(bar_mm / width_mm * width_px);
    drawing.fill_box({corner.x, corner.y - 1, bar_px, 3}, kInk);
    for (double const x : {corner.x, corner.x + bar_px - 2}) drawing.fill_box({x, corner.y - 6, 2, 13}, kInk);
    drawing.draw_text({corner.x + bar_px + 10, corner.y}, fmt::format("{:g} mm", bar_mm), {2, Anchor::start, kInk});
}

std::string format_bar(double width_mm, double width_px)
{
    double const bar_mm = choose_bar_mm(width_mm);
    return fmt::format("<span class=\"length\" style=\"width:{:.1f}px\">{:g} mm</span>", bar_mm / width_mm * width_px,
                       bar_mm);
}

std::vector<std::string> wrap_lines(std::vector<std::string> const& sentences)
{
    std::vector<std::string> lines;
    for (std::string const& sentence : sentences) {
        std::string line;
        for (std::size_t at = 0; at < sentence.size();) {
            std::size_t const end = std::min(sentence.find(' ', at), sentence.size());
            std::string const longer = (line.empty() ? "" : line + " ") + sentence.substr(at, end - at);
            if (!line.empty() && measure_text(longer, 2) > kSheetWidth - 2 * kMargin) {
                lines.push_back(line);
                line = "    " + sentence.substr(at, end - at);
            } else {
                line = longer;
            }
            at = end + 1;
        }
        lines.push_back(line);
    }
    return lines;
}

std::string shorten(std::string const& text, double width)
{
    std::string shown = text;
    while (measure_text(shown, 2) > width && shown.size() > 4) shown = "..." + shown.substr(4);
    return shown;
}

} // namespace volpt
