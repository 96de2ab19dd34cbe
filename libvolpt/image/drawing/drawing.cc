// Collects the parts of a drawing and writes them as SVG.
#include "libvolpt/image/drawing/drawing.h"

#include "libvolpt/image/drawing/markup.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace volpt {

std::string format_colour(PaintColour colour)
{
    std::array<long, 3> bytes{};
    for (std::size_t c = 0; c < 3; ++c) bytes[c] = std::lround(std::clamp(colour[c], 0.0f, 1.0f) * 255);
    return fmt::format("#{:02x}{:02x}{:02x}", bytes[0], bytes[1], bytes[2]);
}

Drawing::Drawing(int width, int height) : width_(width), height_(height)
{
    if (width < 1 || height < 1 || width > 16384 || height > 16384)
        fail_usage(fmt::format("a drawing of {} x {} pixels", width, height), "sides are 1 to 16384 pixels");
}

void Drawing::fill_box(DrawnBox const& box, PaintColour colour)
{
    // In place, here and below: of a variant that is moved g++ 12 warns that it may be uninitialised.
    parts_.emplace_back(std::in_place_type<Fill>, Fill{box, colour});
}

void Drawing::frame_box(DrawnBox const& box, PaintColour colour)
{
    fill_box({box.x, box.y, box.width, 1}, colour);
    fill_box({box.x, box.y + box.height - 1, box.width, 1}, colour);
    fill_box({box.x, box.y, 1, box.height}, colour);
    fill_box({box.x + box.width - 1, box.y, 1, box.height}, colour);
}

void Drawing::draw_line(DrawnPoint from, DrawnPoint to, PaintColour colour)
{
    fill_box({std::min(from.x, to.x), std::min(from.y, to.y), std::max(std::abs(to.x - from.x), 1.0),
              std::max(std::abs(to.y - from.y), 1.0)},
             colour);
}

void Drawing::draw_text(DrawnPoint at, std::string text, TextStyle style)
{
    parts_.emplace_back(std::in_place_type<Text>, Text{at, std::move(text), style});
}

void Drawing::draw_picture(DrawnBox const& box, Image picture)
{
    parts_.emplace_back(std::in_place_type<Picture>, Picture{box, std::move(picture)});
}

std::string Drawing::to_svg() const
{
    std::string svg =
        fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
                    "height=\"{1}\"><style>text {{ font-family: sans-serif; dominant-baseline: central }} "
                    "image {{ image-rendering: pixelated }}</style>\n"
                    "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
                    width_, height_);
    for (auto const& part : parts_) {
        if (auto const* const fill = std::get_if<Fill>(&part)) {
            svg +=
                fmt::format("<rect x=\"{:.6g}\" y=\"{:.6g}\" width=\"{:.6g}\" height=\"{:.6g}\" fill=\"{}\" "
                            "shape-rendering=\"crispEdges\"/>\n",
                            fill->box.x, fill->box.y, fill->box.width, fill->box.height, format_colour(fill->colour));
        } else if (auto const* const text = std::get_if<Text>(&part)) {
            constexpr std::array<char const*, 3> kAnchors{"start", "middle", "end"};
            svg += fmt::format("<text x=\"{:.6g}\" y=\"{:.6g}\" font-size=\"{:.3g}\" text-anchor=\"{}\" fill=\"{}\">{}"
                               "</text>\n",
                               text->at.x, text->at.y, 8.5 * text->style.size,
                               kAnchors[static_cast<std::size_t>(text->style.anchor)],
                               format_colour(text->style.colour), escape_markup(text->text));
        } else if (auto const* const picture = std::get_if<Picture>(&part)) {
            svg += fmt::format("<image x=\"{:.6g}\" y=\"{:.6g}\" width=\"{:.6g}\" height=\"{:.6g}\" "
                               "preserveAspectRatio=\"none\" href=\"{}\"/>\n",
                               picture->box.x, picture->box.y, picture->box.width, picture->box.height,
                               encode_data_url(picture->image));
        }
    }
    return svg + "</svg>\n";
}

} // namespace volpt
