// stb_easy_font: capitals of 7 pixels, printable ASCII.
#ifndef VOLPT_FONT_FILE

#include "libvolpt/image/drawing/font.h"

#include <cmath>
#include <stb/stb_easy_font.h>
#include <string>
#include <vector>

namespace volpt {
namespace {

constexpr double kCapital = 7;

std::string make_printable(std::string_view text)
{
    std::string printable;
    bool follows = false; // a byte of the same character
    for (char const letter : text) {
        auto const byte = static_cast<unsigned char>(letter);
        if (!follows || (byte & 0xc0) != 0x80) printable += letter < ' ' || letter > '~' ? '?' : letter;
        follows = byte >= 0x80;
    }
    return printable;
}

} // namespace

double measure_letters(std::string_view text, double capital_px)
{
    std::string printable = make_printable(text);
    return stb_easy_font_width(printable.data()) * capital_px / kCapital;
}

void cover_letters(std::string_view text, double left, double baseline, double capital_px, PixelCover const& cover)
{
    std::string printable = make_printable(text);
    struct Vertex {
        float x, y, z;
        unsigned char colour[4];
    };
    // A letter has at most 12 strokes of four vertices each.
    std::vector<Vertex> vertices(printable.size() * 48 + 4);
    int const quads = stb_easy_font_print(0, 0, printable.data(), nullptr, vertices.data(),
                                          static_cast<int>(vertices.size() * sizeof(Vertex)));
    double const scale = capital_px / kCapital;
    auto const column = [&](float x) { return static_cast<int>(std::lround(left + scale * static_cast<double>(x))); };
    auto const row = [&](float y) {
        return static_cast<int>(std::lround(baseline + scale * (static_cast<double>(y) - kCapital)));
    };
    for (std::size_t i = 0; i < static_cast<std::size_t>(quads); ++i) {
        Vertex const &low = vertices[4 * i], &high = vertices[4 * i + 2];
        for (int y = row(low.y); y < row(high.y); ++y)
            for (int x = column(low.x); x < column(high.x); ++x) cover(x, y, 1);
    }
}

} // namespace volpt

#endif
