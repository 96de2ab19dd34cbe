#include "libvolpt/sys/text/base64.h"

#include <algorithm>
#include <cstdint>

namespace volpt {

std::string encode_base64(std::span<std::byte const> bytes)
{
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::size_t const count = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t group = 0;
        for (std::size_t k = 0; k < 3; ++k)
            group = group << 8 | (k < count ? std::to_integer<std::uint32_t>(bytes[i + k]) : 0);
        for (std::size_t k = 0; k < 4; ++k) text += k <= count ? kBase64Letters[group >> (18 - 6 * k) & 63] : '=';
    }
    return text;
}

} // namespace volpt
