// Text and pictures for HTML, SVG and XML.
#pragma once

#include "libvolpt/image/image.h"

#include <string>
#include <string_view>

namespace volpt {

/// & < > and quotes as entities; control characters, which XML forbids, as spaces, and bytes that are no UTF-8 or are
/// one of U+FFFE and U+FFFF, which it forbids too, as U+FFFD.
std::string escape_markup(std::string_view text);

/// The whole picture as "data:image/png;base64,..". Error (usage) if PNG cannot carry it.
std::string encode_data_url(Image const& picture);

} // namespace volpt
