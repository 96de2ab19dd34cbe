// Files that users give by mistake where a volume is expected, told by what they are.
#pragma once

#include <string>
#include <string_view>

namespace volpt {

/// Error (input) with what to do if these first bytes are of a film, a single picture, a Git LFS pointer or a web page.
void refuse_known_stranger(std::string_view head, std::string const& where);

} // namespace volpt
