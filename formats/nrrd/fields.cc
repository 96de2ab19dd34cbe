// Splits an NRRD header into lines, fields and words.
#include "formats/nrrd/fields.h"

#include "formats/common/text.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace volpt {
namespace {

/// Takes the next line, its line end removed, off the text.
std::string_view take_line(std::string_view text, std::size_t& at)
{
    auto const end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    at = std::min(end + 1, text.size());
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

} // namespace

void read_nrrd_fields(NrrdHeader& header, std::string_view text, std::string const& where)
{
    std::size_t at = 0;
    take_line(text, at);
    bool lists_files = false;
    while (at < text.size()) {
        std::string_view const line = take_line(text, at);
        if (line.empty() && !lists_files) break;
        if (line.starts_with('#') || line.empty()) continue;
        if (lists_files) {
            header.data_files.emplace_back(trim(line));
            continue;
        }
        std::size_t const colon = line.find(':');
        bool const is_key = colon != std::string_view::npos && line.substr(colon).starts_with(":=");
        if (colon == std::string_view::npos || line.find('\0') != std::string_view::npos)
            refuse_nrrd_field(where, "line", line, "'field: value' or 'key:=value' is expected");
        std::string const name = is_key ? std::string(line.substr(0, colon)) : to_lower(trim(line.substr(0, colon)));
        std::string const value(is_key ? line.substr(colon + 2) : trim(line.substr(colon + 1)));
        header.fields.emplace_back(is_key ? name + ":=" : name, value);
        if (is_key || (name != "data file" && name != "datafile")) continue;
        lists_files = value.starts_with("LIST");
        if (!lists_files) header.data_files.push_back(value);
    }
    header.end_of_header = at;
}

[[noreturn]] void refuse_nrrd_field(std::string const& where, std::string_view field, std::string_view value,
                                    std::string why)
{
    fail_input(fmt::format("{}: {} cannot be read", field, value.substr(0, 80)), where, std::move(why),
               "correct the header");
}

std::string const* find_nrrd_field(NrrdHeader const& header, std::string_view field)
{
    std::string joined(field);
    std::erase(joined, ' ');
    for (auto const& [name, value] : header.fields)
        if (name == field || name == joined) return &value;
    return nullptr;
}

std::string const& need_nrrd_field(NrrdHeader const& header, std::string const& where, std::string_view field)
{
    if (auto const* const value = find_nrrd_field(header, field)) return *value;
    fail_input(fmt::format("the header has no {}", field), where, "the format needs it", "correct the header");
}

NrrdWords split_nrrd_words(std::string_view text)
{
    NrrdWords words;
    while (!(text = trim(text)).empty()) {
        std::size_t end = text.find_first_of(" \t");
        if (text.front() == '(') end = std::min(text.find(')'), text.size() - 1) + 1;
        if (text.front() == '"') end = std::min(text.find('"', 1), text.size() - 1) + 1;
        words.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end, text.size()));
    }
    return words;
}

std::optional<double> parse_nrrd_number(std::string_view word)
{
    double number = 0;
    auto const [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
    return number;
}

std::int64_t parse_nrrd_integer(NrrdHeader const& header, std::string const& where, std::string_view field)
{
    auto const* const value = find_nrrd_field(header, field);
    if (value == nullptr) return 0;
    auto const number = parse_nrrd_number(*value);
    if (!number || !(std::abs(*number) < 1e15) || *number != std::floor(*number))
        refuse_nrrd_field(where, field, *value, "an integer is expected");
    return static_cast<std::int64_t>(*number);
}

std::array<double, 3> parse_nrrd_vector(std::string const& word, std::string const& where, std::string_view field)
{
    std::array<double, 3> vector{};
    std::string_view rest = word;
    bool good = rest.size() > 2 && rest.front() == '(' && rest.back() == ')';
    if (good) rest = rest.substr(1, rest.size() - 2);
    for (std::size_t i = 0; good && i < 3; ++i) {
        auto const comma = rest.find(',');
        auto const number = parse_nrrd_number(trim(rest.substr(0, comma)));
        good = number && std::isfinite(*number) && (comma == std::string_view::npos) == (i == 2);
        if (good) vector[i] = *number;
        rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
    }
    if (!good) refuse_nrrd_field(where, field, word, "a vector is (x,y,z)");
    return vector;
}

} // namespace volpt
