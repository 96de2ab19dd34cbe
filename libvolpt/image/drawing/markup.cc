#include "libvolpt/image/drawing/markup.h"

#include "libvolpt/image/codecs/codec.h"

#include <algorithm>

namespace volpt {
namespace {

std::string encode_base64(std::span<std::byte const> bytes)
{
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t triple = 0;
        for (std::size_t k = 0; k < 3; ++k)
            triple = triple << 8 | (i + k < bytes.size() ? std::to_integer<std::uint32_t>(bytes[i + k]) : 0);
        for (int k = 0; k < 4; ++k)
            text += i + static_cast<std::size_t>(k) > bytes.size() ? '=' : kDigits[triple >> (18 - 6 * k) & 63];
    }
    return text;
}

} // namespace

std::string escape_markup(std::string_view text)
{
    std::string escaped;
    for (char const letter : text) switch (letter) {
        case '&':
            escaped += "&amp;";
            break;
        case '<':
            escaped += "&lt;";
            break;
        case '>':
            escaped += "&gt;";
            break;
        case '"':
            escaped += "&quot;";
            break;
        case '\'':
            escaped += "&#39;";
            break;
        default:
            escaped += static_cast<unsigned char>(letter) < ' ' && letter != '\n' ? ' ' : letter;
        }
    return escaped;
}

std::string encode_data_url(Image const& picture)
{
    auto const codecs = list_codecs();
    auto const png = std::ranges::find(codecs, "png", &Codec::name);
    return "data:image/png;base64," + encode_base64(png->encode(picture));
}

} // namespace volpt
