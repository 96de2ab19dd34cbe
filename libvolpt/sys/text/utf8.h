// Text from files as UTF-8.
#pragma once

#include <cstddef>
#include <string_view>

namespace volpt {

/// The length in bytes, 1 to 4, of the character of UTF-8 that begins at `at`; 0 if none does: a byte that begins none,
/// a cut or overlong one, a surrogate, one past U+10FFFF (RFC 3629).
std::size_t measure_character(std::string_view text, std::size_t at);

} // namespace volpt
