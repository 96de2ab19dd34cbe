#include "libvolpt/image/drawing/markup.h"

#include "libvolpt/image/codecs/codec.h"
#include "libvolpt/sys/text/base64.h"
#include "libvolpt/sys/text/utf8.h"

#include <algorithm>

namespace volpt {

namespace {

std::string_view escape_ascii(std::string_view letter)
{
    switch (letter[0]) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return static_cast<unsigned char>(letter[0]) < ' ' && letter[0] != '\n' ? " " : letter;
    }
}

} // namespace

std::string escape_markup(std::string_view text)
{
    std::string escaped;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t const length = measure_character(text, at);
        std::string_view const letter = text.substr(at, std::max<std::size_t>(length, 1));
        bool const is_forbidden = length == 0 || letter == "\xef\xbf\xbe" || letter == "\xef\xbf\xbf";
        escaped += is_forbidden ? "\xef\xbf\xbd" : length > 1 ? letter : escape_ascii(letter);
        at += letter.size();
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
