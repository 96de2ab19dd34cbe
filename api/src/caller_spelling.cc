#include "api/src/caller_spelling.h"

#include "volpt/caller_words.h"

#include <algorithm>
#include <cctype>

namespace volpt::v0 {
namespace {

constexpr std::string_view kAfter = " '\"),;"; ///< a short option

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

struct GivenName {
    std::string_view name;
    std::size_t size = 0; ///< with dashes; 0: there is no option
};

/// The option with which `text` begins.
GivenName find_option_name(std::string_view text)
{
    if (text.starts_with("--")) {
        std::size_t const size = measure_option_name(text.substr(2));
        return {text.substr(2, size), size == 0 ? 0 : size + 2};
    }
    bool const is_output = text.starts_with("-o") && (text.size() == 2 || kAfter.find(text[2]) != text.npos);
    return is_output ? GivenName{"output", 2} : GivenName{};
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
    for (std::size_t at = 0; (at = text.find('-', at)) != std::string_view::npos; ++at) {
        bool const is_begun = at == 0 || kBefore.find(text[at - 1]) != std::string_view::npos;
        GivenName const given = is_begun ? find_option_name(text.substr(at)) : GivenName{};
        if (given.size == 0 || is_in_command(text.substr(0, at))) continue;
        result += text.substr(copied, at - copied);
        result += spell_option(given.name);
        copied = at + given.size;
    }
    result += text.substr(copied);
    return result;
}

void set_caller_words(CallerWords words)
{
    hold_caller_words() = std::move(words);
}

} // namespace volpt::v0
