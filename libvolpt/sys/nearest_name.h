// The known name that a mistyped one is nearest to, for messages.
//
// V. Levenshtein, Binary codes capable of correcting deletions, insertions and reversals, 1966.
#pragma once

#include <span>
#include <string_view>

namespace volpt {

/// The first of the names with the fewest letters inserted, deleted or replaced, capitals counted as small ones; empty
/// if that takes more than half of the longer word.
std::string_view find_nearest_name(std::string_view name, std::span<std::string_view const> known);

} // namespace volpt
