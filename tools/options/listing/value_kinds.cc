#include "tools/options/listing/value_kinds.h"

#include "tools/options/units.h"

#include <algorithm>
#include <sstream>

namespace volpt {
namespace po = boost::program_options;
namespace {

bool is_capital(char c)
{
    return c >= 'A' && c <= 'Z';
}

bool is_small(char c)
{
    return c >= 'a' && c <= 'z';
}

bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool is_word(std::string_view text)
{
    auto const may_be_there = [](char c) {
        return is_small(c) || is_capital(c) || is_digit(c) || c == '+' || c == '-' || c == '_';
    };
    bool const stands_for_itself = std::ranges::none_of(text, is_capital) || std::ranges::any_of(text, is_digit);
    return !text.empty() && std::ranges::all_of(text, may_be_there) && stands_for_itself;
}

/// "diffuse:" of "diffuse:A", "" of what has no such beginning.
std::string_view find_beginning(std::string_view text)
{
    auto const end = std::ranges::find_if_not(text, is_small) - text.begin();
    auto const length = static_cast<std::size_t>(end);
    bool const goes_on = length > 0 && length < text.size() && (text[length] == ':' || text[length] == '=');
    return goes_on ? text.substr(0, length + 1) : std::string_view();
}

/// ".vpk" of "OUT.vpk", "" of what names no file.
std::string_view find_ending(std::string_view text)
{
    auto const point = text.find('.');
    if (point == std::string_view::npos || point == 0 || point + 1 == text.size()) return {};
    bool const is_name = std::ranges::all_of(text.substr(0, point), is_capital);
    bool const is_ending =
        std::ranges::all_of(text.substr(point + 1), [](char c) { return is_small(c) || is_digit(c) || c == '.'; });
    return is_name && is_ending ? text.substr(point) : std::string_view();
}

void add_once(std::vector<std::string>& list, std::string_view text)
{
    if (std::ranges::find(list, text) == list.end()) list.emplace_back(text);
}

} // namespace

ValueKinds read_value_kinds(std::string_view name, ValueChoices const& choices)
{
    ValueKinds kinds;
    std::istringstream pieces{std::string(name)};
    for (std::string piece; std::getline(pieces, piece, '|');) {
        if (is_word(piece)) add_once(kinds.words, piece);
        if (auto const beginning = find_beginning(piece); !beginning.empty()) add_once(kinds.words, beginning);
        if (auto const ending = find_ending(piece); !ending.empty()) add_once(kinds.files, ending);
        if (piece == "AXIS")
            for (auto const axis : list_axis_names()) add_once(kinds.words, axis);
        if (piece == "FOLDER") add_once(kinds.files, "/");
        if (piece == "FILE" && choices.files.empty()) add_once(kinds.files, "*");
    }
    for (auto const& word : choices.words) add_once(kinds.words, word);
    std::istringstream endings(choices.files);
    for (std::string ending; endings >> ending;) add_once(kinds.files, ending);
    return kinds;
}

ValueKinds read_value_kinds(po::option_description const& option)
{
    auto const* const value = option.semantic().get();
    if (value->max_tokens() == 0) return {};
    auto const* const offer = dynamic_cast<OffersChoices const*>(value);
    ValueKinds kinds = read_value_kinds(value->name(), offer == nullptr ? ValueChoices() : offer->choices);
    if (kinds.files.empty() && dynamic_cast<NamesFile const*>(value) != nullptr) kinds.files.emplace_back("*");
    return kinds;
}

} // namespace volpt
