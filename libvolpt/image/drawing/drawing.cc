// A drawing collects its parts; to_svg writes them, to_image paints them.
#include "libvolpt/image/drawing/drawing.h"

#include "libvolpt/image/drawing/font.h"
#include "libvolpt/image/drawing/markup.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace volpt {
namespace {

constexpr double kCapitalPixels = 7; ///< of size 1

struct PixelRange {
    int first, end;
};

PixelRange round_range(double low, double size, int limit)
{
    auto const clamp = [&](double place) {
        return static_cast<int>(std::lround(std::clamp(place, 0.0, double(limit))));
    };
    return {clamp(low), clamp(low + size)};
}

void paint_box(Image& image, DrawnBox const& box, PaintColour colour)
{
    PixelRange const columns = round_range(box.x, box.width, image.width);
    PixelRange const rows = round_range(box.y, box.height, image.height);
    for (std::size_t c = 0; c < 3; ++c)
        for (int y = rows.first; y < rows.end; ++y) {
            auto const row = image.channels[c].values.begin() + std::ptrdiff_t{y} * image.width;
            std::fill(row + columns.first, std::max(row + columns.first, row + columns.end), colour[c]);
        }
}

void paint_text(Image& image, DrawnPoint at, std::string_view text, TextStyle const& style)
{
    double const share = style.anchor == Anchor::start ? 0 : style.anchor == Anchor::middle ? 0.5 : 1;
    double const capital = kCapitalPixels * style.size;
    double const left = std::round(at.x - share * measure_text(text, style.size));
    double const baseline = std::round(at.y + capital / 2);
    cover_letters(text, left, baseline, capital, [&](int x, int y, float part) {
        if (x < 0 || y < 0 || x >= image.width || y >= image.height) return;
        std::size_t const pixel =
            static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(x);
        for (std::size_t c = 0; c < 3; ++c) {
            float& value = image.channels[c].values[pixel];
            value += part * (style.colour[c] - value);
        }
    });
}

/// The range of source pixels, at least one, that pixel `i` of `count` shows.
PixelRange find_sources(int i, int count, int source_count)
{
    auto const scaled = [&](int place) { return static_cast<int>(std::int64_t{place} * source_count / count); };
    int const first = std::min(scaled(i), source_count - 1);
    return {first, std::max(first + 1, scaled(i + 1))};
}

void paint_picture(Image& image, DrawnBox const& box, Image const& picture)
{
    PixelRange const columns = round_range(box.x, box.width, image.width);
    PixelRange const rows = round_range(box.y, box.height, image.height);
    for (std::size_t c = 0; c < 3; ++c) {
        std::vector<float> const& source = picture.channels[picture.channels.size() < 3 ? 0 : c].values;
        for (int y = rows.first; y < rows.end; ++y) {
            PixelRange const ys = find_sources(y - rows.first, rows.end - rows.first, picture.height);
            for (int x = columns.first; x < columns.end; ++x) {
                PixelRange const xs = find_sources(x - columns.first, columns.end - columns.first, picture.width);
                float sum = 0;
                for (int v = ys.first; v < ys.end; ++v)
                    for (int u = xs.first; u < xs.end; ++u)
                        sum += source[static_cast<std::size_t>(v) * static_cast<std::size_t>(picture.width) +
                                      static_cast<std::size_t>(u)];
                image.channels[c].values[static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                                         static_cast<std::size_t>(x)] =
                    sum / static_cast<float>((ys.end - ys.first) * (xs.end - xs.first));
            }
        }
    }
}

} // namespace

std::string format_colour(PaintColour colour)
{
    std::array<long, 3> bytes{};
    for (std::size_t c = 0; c < 3; ++c) bytes[c] = std::lround(std::clamp(colour[c], 0.0f, 1.0f) * 255);
    return fmt::format("#{:02x}{:02x}{:02x}", bytes[0], bytes[1], bytes[2]);
}

Drawing::Drawing(int width, int height) : width_(width), height_(height)
{
    if (width < 1 || height < 1 || width > kMaxDrawingSide || height > kMaxDrawingSide)
        fail_usage(fmt::format("a drawing of {} x {} pixels", width, height),
                   fmt::format("sides are 1 to {} pixels", kMaxDrawingSide));
}

void Drawing::fill_box(DrawnBox const& box, PaintColour colour)
{
    // In place, here and below: g++ 12 warns that a moved variant may be uninitialised.
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
                    "height=\"{1}\"><style>text {{ font-family: DejaVu Sans, sans-serif; dominant-baseline: central }} "
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
                               text->at.x, text->at.y, 9.6 * text->style.size,
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

double measure_text(std::string_view text, int size)
{
    return measure_letters(text, kCapitalPixels * size);
}

Image Drawing::to_image() const
{
    Image image = make_image(width_, height_, Transfer::srgb, {"R", "G", "B"});
    for (Channel& channel : image.channels) std::ranges::fill(channel.values, 1.0f);
    for (auto const& part : parts_) {
        if (auto const* const fill = std::get_if<Fill>(&part)) paint_box(image, fill->box, fill->colour);
        if (auto const* const text = std::get_if<Text>(&part)) paint_text(image, text->at, text->text, text->style);
        if (auto const* const picture = std::get_if<Picture>(&part)) paint_picture(image, picture->box, picture->image);
    }
    return image;
}

} // namespace volpt
