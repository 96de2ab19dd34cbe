// The next word of a text whose words stand apart by white space.
#pragma once

#include <algorithm>
#include <string_view>

namespace volpt {

/// Removes the first word, and the white space before it, from `text`; empty if there is none.
inline std::string_view take_word(std::string_view& text)
{
    constexpr std::string_view kBlanks = " \t\n\r";
    text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
    std::string_view const word = text.substr(0, text.find_first_of(kBlanks));
    text.remove_prefix(word.size());
    return word;
}

} // namespace volpt
