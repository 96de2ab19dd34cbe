// TextScanner: words and numbers of a text that lies in memory, with the line for messages.
#pragma once

#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>
#include <system_error>

namespace volpt {

/// The decimal number that is the whole word, correctly rounded, whatever the locale; with a plus sign, too, or "nan"
/// or "inf". What double cannot hold is 0 or infinite.
inline std::optional<double> parse_mesh_number(std::string_view word)
{
    if (word.starts_with('+')) word.remove_prefix(1);
    double number = 0;
    auto const [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (word.empty() || end != word.data() + word.size()) return std::nullopt;
    if (error == std::errc::result_out_of_range) {
        bool const is_small = word.find("e-") != word.npos || word.find("E-") != word.npos || word.find("0.") <= 1;
        return is_small ? 0.0 : word.front() == '-' ? -HUGE_VAL : HUGE_VAL;
    }
    if (error != std::errc{}) return std::nullopt;
    return number;
}

class TextScanner {
public:
    explicit TextScanner(std::string_view text) : text_(text) {}

    std::size_t line() const noexcept { return line_; } ///< from 1, of the word that came last
    std::size_t offset() const noexcept { return at_; }

    /// The next word; empty at the end.
    std::string_view next()
    {
        while (at_ < text_.size() && is_blank(text_[at_])) line_ += text_[at_++] == '\n' ? 1 : 0;
        std::size_t const begin = at_;
        while (at_ < text_.size() && !is_blank(text_[at_])) ++at_;
        return text_.substr(begin, at_ - begin);
    }

    /// The rest of the line, without its end.
    std::string_view rest_of_line()
    {
        std::size_t const begin = at_;
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
        return text_.substr(begin, at_ - begin);
    }

private:
    static bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t line_ = 1;
};

} // namespace volpt
