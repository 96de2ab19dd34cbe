#include "libvolpt/sys/text/utf8.h"

namespace volpt {

std::size_t measure_character(std::string_view text, std::size_t at)
{
    auto const byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    unsigned const first = byte(at);
    if (at >= text.size()) return 0;
    if (first < 0x80) return 1;
    if (first < 0xc2 || first > 0xf4) return 0;
    std::size_t const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(at + i) & 0xc0u) != 0x80u) return 0;
    unsigned const second = byte(at + 1);
    bool const is_overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
    bool const is_outside = (first == 0xed && second > 0x9f) || (first == 0xf4 && second > 0x8f);
    return is_overlong || is_outside ? 0 : length;
}

} // namespace volpt
