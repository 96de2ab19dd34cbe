#include "libvolpt/sys/text/one_line.h"

#include <fmt/format.h>

namespace volpt {

std::string to_one_line(std::string_view text)
{
    std::string line;
    for (std::size_t i = 0; i < text.size(); ++i) {
        auto const byte = static_cast<unsigned char>(text[i]);
        unsigned const next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0u;
        bool const is_c1 = byte == 0xc2 && next >= 0x80 && next < 0xa0;
        if (is_c1) ++i;
        if (is_c1 || byte < 32 || byte == 127)
            line += fmt::format("\\x{:02x}", is_c1 ? next : byte);
        else
            line += text[i];
    }
    return line;
}

} // namespace volpt
