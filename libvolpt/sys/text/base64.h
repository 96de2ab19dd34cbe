// Bytes as text of 64 letters.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace volpt {

/// RFC 4648, with padding and without line breaks.
std::string encode_base64(std::span<std::byte const> bytes);

} // namespace volpt
