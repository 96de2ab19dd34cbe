#include "libvolpt/image/drawing/markup.h"

#include "libvolpt/image/codecs/codec.h"
#include "libvolpt/sys/text/base64.h"

#include <algorithm>

namespace volpt {

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
