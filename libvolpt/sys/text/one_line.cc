#include "libvolpt/sys/text/one_line.h"

#include "libvolpt/sys/text/utf8.h"

#include <fmt/format.h>

namespace volpt {

std::string to_one_line(std::string_view text)
{
    std::string line;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t const length = measure_character(text, at);
        auto const byte = static_cast<unsigned char>(text[at]);
        auto const last = static_cast<unsigned char>(text[at + (length == 2 ? 1 : 0)]);
        bool const is_c1 = length == 2 && byte == 0xc2 && last < 0xa0;
        if (length == 0 || is_c1 || byte < 32 || byte == 127)
            line += fmt::format("\\x{:02x}", last);
        else
            line += text.substr(at, length);
        at += length == 0 ? 1 : length;
    }
    return line;
}

} // namespace volpt
