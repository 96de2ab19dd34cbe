// A drawing of boxes, lines, texts and pictures, as SVG or as pixels.
#pragma once

#include "libvolpt/image/image.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace volpt {

/// sRGB-coded, 0..1 each.
using PaintColour = std::array<float, 3>;

/// In pixels; y points down, (x, y) is the upper left corner.
struct DrawnBox {
    double x = 0, y = 0, width = 0, height = 0;
};
struct DrawnPoint {
    double x = 0, y = 0;
};

enum class Anchor { start, middle, end };

struct TextStyle {
    int size = 2; ///< a capital is 7 * size pixels high
    Anchor anchor = Anchor::start;
    PaintColour colour{0.13f, 0.13f, 0.13f};
};

/// "#rrggbb".
std::string format_colour(PaintColour colour);

/// Width of the text (UTF-8) in pixels; an SVG shows the viewer's own DejaVu Sans or sans-serif, whose widths may
/// differ.
double measure_text(std::string_view text, int size);

inline constexpr int kMaxDrawingSide = 16384; ///< pixels

class Drawing {
public:
    /// White. Sizes in pixels, 1..kMaxDrawingSide; Error (usage) otherwise.
    Drawing(int width, int height);

    void fill_box(DrawnBox const& box, PaintColour colour);
    /// One pixel wide, its outer edge on the box.
    void frame_box(DrawnBox const& box, PaintColour colour);
    /// Horizontal or vertical, one pixel wide.
    void draw_line(DrawnPoint from, DrawnPoint to, PaintColour colour);
    /// `at` is at half the height of a capital. UTF-8; in pixels, characters that the font (font.h) does not have
    /// become '?'.
    void draw_text(DrawnPoint at, std::string text, TextStyle style = {});
    /// R, G, B or Y, sRGB-coded, stretched over the box: nearest pixel where it is enlarged, mean where it is reduced.
    void draw_picture(DrawnBox const& box, Image picture);

    std::string to_svg() const;
    /// R, G, B, sRGB-coded.
    Image to_image() const;

private:
    struct Fill {
        DrawnBox box;
        PaintColour colour;
    };
    struct Text {
        DrawnPoint at;
        std::string text;
        TextStyle style;
    };
    struct Picture {
        DrawnBox box;
        Image image;
    };
    int width_, height_;
    std::vector<std::variant<Fill, Text, Picture>> parts_; ///< later ones on top
};

} // namespace volpt
