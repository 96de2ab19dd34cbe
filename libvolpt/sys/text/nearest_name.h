// The known name that is nearest to a mistyped one, for messages.
//
// V. Levenshtein, Binary codes capable of correcting deletions, insertions and reversals, 1966.
#pragma once

#include <span>
#include <string_view>

namespace volpt {

/// The first of the names with the fewest letters inserted, deleted or replaced, ignoring case; empty if more than half
/// the letters of the longer word differ.
std::string_view find_nearest_name(std::string_view name, std::span<std::string_view const> known);

} // namespace volpt
