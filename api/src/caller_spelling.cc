#include "api/src/caller_spelling.h"

#include "volpt/caller_words.h"

#include <algorithm>
#include <cctype>

namespace volpt::v0 {
namespace {

CallerWords& hold_caller_words()
{
    static CallerWords words;
    return words;
}

bool is_in_name(char letter)
{
    return std::islower(static_cast<unsigned char>(letter)) != 0 ||
           std::isdigit(static_cast<unsigned char>(letter)) != 0 || letter == '-';
}

/// Length of the name of an option at the begin of `text`; 0 if it has none, or goes on as the name of a file.
std::size_t measure_option_name(std::string_view text)
{
    if (text.empty() || std::islower(static_cast<unsigned char>(text[0])) == 0) return 0;
    std::size_t size = 0;
    while (size < text.size() && is_in_name(text[size])) ++size;
    while (text[size - 1] == '-') --size;
    bool const goes_on = size + 1 < text.size() && (text[size] == '.' || text[size] == '/' || text[size] == '_') &&
                         std::isspace(static_cast<unsigned char>(text[size + 1])) == 0;
    return goes_on ? 0 : size;
}

/// Whether the sentence in which `before` ends has begun a command line.
bool is_in_command(std::string_view before)
{
    if (std::size_t const end = before.find_last_of(";:("); end != std::string_view::npos)
        before.remove_prefix(end + 1);
    for (std::string_view const program : {"volprep", "volrender", "volcompare", "volinfo", "volmerge", "volview"}) {
        std::size_t const at = before.rfind(program);
        if (at == std::string_view::npos) continue;
        bool const is_begun = at == 0 || before[at - 1] == ' ' || before[at - 1] == '\'';
        bool const is_ended = at + program.size() < before.size() && before[at + program.size()] == ' ';
        if (is_begun && is_ended) return true;
    }
    return false;
}

} // namespace

std::string spell_function(std::string_view name)
{
    CallerWords const& words = hold_caller_words();
    return words.function ? words.function(name) : "volpt::" + std::string(name);
}

std::string spell_option(std::string_view name)
{
    CallerWords const& words = hold_caller_words();
    return words.option ? words.option(name) : std::string(name);
}

std::string const& spell_spawn()
{
    return hold_caller_words().spawn;
}

std::string spell_options_in(std::string_view text)
{
    constexpr std::string_view kBefore = " '\"(,;[";
    std::string result;
    std::size_t copied = 0;
    for (std::size_t at = 0; (at = text.find("--", at)) != std::string_view::npos; at += 2) {
        bool const is_begun = at == 0 || kBefore.find(text[at - 1]) != std::string_view::npos;
        std::size_t const size = is_begun ? measure_option_name(text.substr(at + 2)) : 0;
        if (size == 0 || is_in_command(text.substr(0, at))) continue;
        result += text.substr(copied, at - copied);
        result += spell_option(text.substr(at + 2, size));
        copied = at + 2 + size;
    }
    result += text.substr(copied);
    return result;
}

void set_caller_words(CallerWords words)
{
    hold_caller_words() = std::move(words);
}

} // namespace volpt::v0
