// Bytes as text of 64 letters.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace volpt {

/// By their value.
inline constexpr std::string_view kBase64Letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// RFC 4648, with padding and without line breaks.
std::string encode_base64(std::span<std::byte const> bytes);

} // namespace volpt
