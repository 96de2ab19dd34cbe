// ASCII text in files and in their names, whatever the locale.
#pragma once

#include <string>
#include <string_view>

namespace volpt {

inline std::string to_lower(std::string_view text)
{
    std::string lower(text);
    for (char& letter : lower)
        if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    return lower;
}

/// Without blanks and line ends on either side.
inline std::string_view trim(std::string_view text)
{
    constexpr std::string_view kBlank = " \t\r\n\v\f";
    auto const first = text.find_first_not_of(kBlank);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

} // namespace volpt
