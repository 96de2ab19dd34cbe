// Draws a drawing into pixels; words by stb_easy_font.
#include "libvolpt/image/drawing/drawing.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stb/stb_easy_font.h>

namespace volpt {
namespace {

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

/// The font knows printable ASCII alone.
std::string make_printable(std::string_view text)
{
    std::string printable(text);
    for (char& letter : printable)
        if (letter < ' ' || letter > '~') letter = '?';
    return printable;
}

void paint_text(Image& image, DrawnPoint at, std::string_view text, TextStyle const& style)
{
    std::string printable = make_printable(text);
    double const width = measure_text(text, style.size);
    double const share = style.anchor == Anchor::start ? 0 : style.anchor == Anchor::middle ? 0.5 : 1;
    double const left = std::round(at.x - share * width), top = std::round(at.y - 4.5 * style.size);
    struct Vertex {
        float x, y, z;
        unsigned char colour[4];
    };
    // A letter has at most 12 strokes of four vertices each.
    std::vector<Vertex> vertices(printable.size() * 48 + 4);
    int const quads = stb_easy_font_print(0, 0, printable.data(), nullptr, vertices.data(),
                                          static_cast<int>(vertices.size() * sizeof(Vertex)));
    for (std::size_t i = 0; i < static_cast<std::size_t>(quads); ++i) {
        Vertex const &low = vertices[4 * i], &high = vertices[4 * i + 2];
        double const scale = style.size;
        paint_box(image,
                  {left + scale * double(low.x), top + scale * double(low.y), scale * double(high.x - low.x),
                   scale * double(high.y - low.y)},
                  style.colour);
    }
}

/// The pixels of the picture that pixel `i` of `count` stands for: at least one.
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

double measure_text(std::string_view text, int size)
{
    std::string printable = make_printable(text);
    return double(stb_easy_font_width(printable.data())) * size;
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
