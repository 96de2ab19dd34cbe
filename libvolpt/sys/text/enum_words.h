// Words of enums: help, options, files and reports spell the values of an enum as the table beside its definition says.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace volpt {

template <class Enum>
struct EnumWord {
    Enum value;
    std::string_view word;
};

/// The words of an enum in the order of --help, one for each value that may be named: specialised by enums that have
/// some, with list_words.
template <class Enum>
inline constexpr std::array<EnumWord<Enum>, 0> kWords{};

template <class Enum>
concept HasWords = !kWords<Enum>.empty();

/// Does not compile if two values or two words are equal.
template <class Enum, std::size_t count>
consteval std::array<EnumWord<Enum>, count> list_words(EnumWord<Enum> const (&words)[count])
{
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (words[i].value == words[j].value || words[i].word == words[j].word)
                throw "a value or a word is there twice";
    return std::to_array(words);
}

/// The word of a value; of one that has none, its number.
template <HasWords Enum>
std::string to_word(Enum value)
{
    for (auto const& [known, word] : kWords<Enum>)
        if (known == value) return std::string(word);
    return std::to_string(static_cast<std::uint64_t>(value));
}

template <HasWords Enum>
constexpr std::optional<Enum> find_word(std::string_view text)
{
    for (auto const& [value, word] : kWords<Enum>)
        if (word == text) return value;
    return std::nullopt;
}

template <HasWords Enum>
std::vector<std::string> spell_words()
{
    std::vector<std::string> words;
    for (auto const& entry : kWords<Enum>) words.emplace_back(entry.word);
    return words;
}

/// "smooth|rough", as --help has it.
template <HasWords Enum>
std::string join_words()
{
    std::string joined;
    for (auto const& entry : kWords<Enum>) joined += (joined.empty() ? "" : "|") + std::string(entry.word);
    return joined;
}

} // namespace volpt
