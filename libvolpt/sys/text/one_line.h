// Text from files, made safe to print.
#pragma once

#include <string>
#include <string_view>

namespace volpt {

/// Control characters (below space, DEL, and U+0080 to U+009F in UTF-8) and bytes that are no UTF-8 as \xNN: a name in
/// a file can hold any byte, and must neither start a line of its own nor steer the terminal.
std::string to_one_line(std::string_view text);

} // namespace volpt
