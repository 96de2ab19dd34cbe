#include "libvolpt/sys/json.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/sys/file_bytes.h"
#include "libvolpt/sys/text/nearest_name.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

/// "line 2, column 16: syntax error ..": the library's message without its number.
std::string_view describe_json_error(std::string_view what)
{
    constexpr std::string_view kLead = "parse error at ";
    auto const lead = what.find(kLead);
    return lead == std::string_view::npos ? what : what.substr(lead + kLead.size());
}

using Json = nlohmann::ordered_json;

/// True if more than kMaxJsonDepth objects and lists contain each other; brackets in strings do not count.
bool is_nested_too_deeply(std::string_view text)
{
    int depth = 0;
    bool is_in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char const c = text[i];
        if (c == '"') is_in_string = !is_in_string;
        if (is_in_string) {
            if (c == '\\') ++i;
            continue;
        }
        depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
        if (depth > kMaxJsonDepth) return true;
    }
    return false;
}

} // namespace

nlohmann::json read_json_file(std::filesystem::path const& path, std::string const& what_to_do)
{
    constexpr std::uint64_t kMaxFile_bytes = std::uint64_t{16} << 20;
    FileBytes const file(path);
    if (file.size_bytes() > kMaxFile_bytes)
        fail_input(fmt::format("{} bytes are too many for a JSON table", file.size_bytes()), path.string(), {},
                   what_to_do);
    std::string text(static_cast<std::size_t>(file.size_bytes()), '\0');
    file.read_at(0, std::as_writable_bytes(std::span(text)));
    if (is_nested_too_deeply(text)) fail_input("nested too deeply for a JSON table", path.string(), {}, what_to_do);
    try {
        return nlohmann::json::parse(text);
    } catch (nlohmann::json::exception const& error) { // not only parse_error: 1e999 is out_of_range
        fail_input(fmt::format("not valid JSON: {}", describe_json_error(error.what())), path.string(), {}, what_to_do);
    }
}

std::vector<double> read_json_numbers(nlohmann::json const& object, char const* key, double low, double high,
                                      std::size_t most, std::string const& where)
{
    auto const found = object.is_object() ? object.find(key) : object.end();
    if (!object.is_object() || found == object.end())
        fail_input(fmt::format("'{}' is missing", key), where, {}, "add it");
    auto const list = found->is_array() ? *found : nlohmann::json::array({*found});
    std::vector<double> numbers;
    for (auto const& element : list) {
        double const number = element.is_number() ? element.get<double>() : std::nan("");
        if (!(number >= low && number <= high))
            fail_input(
                fmt::format("'{}': {} is not a number from {} to {}", key, element.dump().substr(0, 40), low, high),
                where, {}, "correct it");
        numbers.push_back(number);
    }
    if (numbers.empty() || numbers.size() > most)
        fail_input(fmt::format("'{}' holds {} numbers", key, numbers.size()), where,
                   fmt::format("1 to {} are possible", most), "correct it");
    return numbers;
}

void refuse_unknown_keys(nlohmann::json const& object, std::span<std::string_view const> known,
                         std::string const& where, std::string const& what_to_do)
{
    if (!object.is_object()) fail_input("an object is expected", where, {}, what_to_do);
    for (auto const& [key, value] : object.items()) {
        if (std::ranges::find(known, key) != known.end()) continue;
        std::string_view const nearest = find_nearest_name(key, known);
        fail_input(fmt::format("unknown key '{}'{}", key.substr(0, 40),
                               nearest.empty() ? "" : fmt::format("; nearest is '{}'", nearest)),
                   where, "it would be ignored", fmt::format("use {}", fmt::join(known, ", ")));
    }
}

bool is_valid_json(std::string_view text)
{
    return !is_nested_too_deeply(text) && Json::accept(text);
}

nlohmann::ordered_json parse_json(std::string_view text)
{
    if (is_nested_too_deeply(text)) return Json(Json::value_t::discarded);
    return Json::parse(text, nullptr, false);
}

std::string format_json(nlohmann::ordered_json const& value, int indent)
{
    return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

std::optional<std::vector<std::string>> parse_json_strings(std::string_view text)
{
    Json const list = parse_json(text);
    if (!list.is_array()) return std::nullopt;
    std::vector<std::string> strings;
    for (Json const& element : list) {
        if (!element.is_string()) return std::nullopt;
        strings.push_back(element.get<std::string>());
    }
    return strings;
}

std::string format_json_strings(std::span<std::string const> strings)
{
    Json list = Json::array();
    for (std::string const& text : strings) list.push_back(text);
    return format_json(list);
}

} // namespace volpt
