// The TrueType font VOLPT_FONT_FILE, which the assembler copies into the program, painted by stb_truetype.
#ifdef VOLPT_FONT_FILE

#include "libvolpt/image/drawing/font.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#define STBTT_STATIC
#define STB_TRUETYPE_IMPLEMENTATION
#include <stb/stb_truetype.h>

asm(".pushsection .rodata\n"
    ".balign 16\n"
    "volpt_font_begin:\n"
    ".incbin \"" VOLPT_FONT_FILE "\"\n"
    ".byte 0\n"
    ".popsection\n");
extern "C" unsigned char const volpt_font_begin[];

namespace volpt {
namespace {

/// The code point that starts at `at`, which moves behind it; '?' for what is no UTF-8.
int read_code_point(std::string_view text, std::size_t& at)
{
    auto const byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    unsigned const first = byte(at);
    std::size_t const more = first < 0x80 ? 0 : first >> 5 == 6 ? 1 : first >> 4 == 14 ? 2 : first >> 3 == 30 ? 3 : 4;
    unsigned code = more == 0 ? first : first & (0x3fu >> more);
    for (std::size_t i = 1; more < 4 && i <= more; ++i) {
        if (byte(at + i) >> 6 != 2) {
            ++at;
            return '?';
        }
        code = code << 6 | (byte(at + i) & 0x3fu);
    }
    at += more == 4 ? 1 : more + 1;
    return more == 4 || code < ' ' ? '?' : static_cast<int>(code);
}

struct Glyph {
    int index;
    double x; ///< of its origin, in units of the font
};

class Font {
public:
    Font()
    {
        stbtt_InitFont(&info_, volpt_font_begin, 0);
        std::array<int, 4> box{};
        stbtt_GetCodepointBox(&info_, 'H', &box[0], &box[1], &box[2], &box[3]);
        capital_ = box[3];
    }

    double scale(double capital_px) const { return capital_px / capital_; }

    /// The glyphs of a text, and its width.
    double place(std::string_view text, std::vector<Glyph>& glyphs) const
    {
        double x = 0;
        for (std::size_t at = 0; at < text.size();) {
            int const code = read_code_point(text, at);
            int const found = stbtt_FindGlyphIndex(&info_, code);
            int const index = found != 0 ? found : stbtt_FindGlyphIndex(&info_, '?');
            if (!glyphs.empty()) x += stbtt_GetGlyphKernAdvance(&info_, glyphs.back().index, index);
            glyphs.push_back({index, x});
            int advance = 0, bearing = 0;
            stbtt_GetGlyphHMetrics(&info_, index, &advance, &bearing);
            x += advance;
        }
        return x;
    }

    stbtt_fontinfo const& info() const { return info_; }

private:
    stbtt_fontinfo info_{};
    double capital_ = 1;
};

Font const& get_font()
{
    static Font const font;
    return font;
}

} // namespace

double measure_letters(std::string_view text, double capital_px)
{
    std::vector<Glyph> glyphs;
    return get_font().place(text, glyphs) * get_font().scale(capital_px);
}

void cover_letters(std::string_view text, double left, double baseline, double capital_px, PixelCover const& cover)
{
    std::vector<Glyph> glyphs;
    get_font().place(text, glyphs);
    stbtt_fontinfo const& info = get_font().info();
    double const scale = get_font().scale(capital_px);
    auto const size = static_cast<float>(scale);
    for (Glyph const& glyph : glyphs) {
        double const x = left + glyph.x * scale;
        double const whole = std::floor(x);
        auto const shift = static_cast<float>(x - whole);
        int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
        stbtt_GetGlyphBitmapBoxSubpixel(&info, glyph.index, size, size, shift, 0, &x0, &y0, &x1, &y1);
        int const width = x1 - x0, height = y1 - y0;
        if (width <= 0 || height <= 0) continue;
        std::vector<unsigned char> parts(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
        stbtt_MakeGlyphBitmapSubpixel(&info, parts.data(), width, height, width, size, size, shift, 0, glyph.index);
        for (int i = 0; i < width * height; ++i)
            if (unsigned char const part = parts[static_cast<std::size_t>(i)]; part != 0)
                cover(static_cast<int>(whole) + x0 + i % width,
                      static_cast<int>(std::lround(baseline)) + y0 + i / width, static_cast<float>(part) / 255.0f);
    }
}

} // namespace volpt

#endif
