#include "libvolpt/sys/json.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/sys/file_bytes.h"
#include "libvolpt/sys/text/json_text.h"
#include "libvolpt/sys/text/nearest_name.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

constexpr std::string_view kParseError = "parse error at ";

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

std::string read_json_text(std::filesystem::path const& path, std::string const& what_to_do)
{
    constexpr std::uint64_t kMaxFile_bytes = std::uint64_t{16} << 20;
    FileBytes const file(path);
    if (file.size_bytes() > kMaxFile_bytes)
        fail_input(fmt::format("{} bytes are too many for a JSON table", file.size_bytes()), path.string(), {},
                   what_to_do);
    std::string text(static_cast<std::size_t>(file.size_bytes()), '\0');
    file.read_at(0, std::as_writable_bytes(std::span(text)));
    if (is_nested_too_deeply(text)) fail_input("nested too deeply for a JSON table", path.string(), {}, what_to_do);
    return text;
}

/// Raw JSON with the control characters in its strings escaped.
struct EscapedJson {
    std::string text;
    std::size_t read_bytes = 0; ///< of the raw JSON
};

/// Stops when the text has `most_bytes`.
EscapedJson escape_strings(std::string_view raw, std::size_t most_bytes = std::string::npos)
{
    EscapedJson escaped;
    escaped.text.reserve(std::min(raw.size() + raw.size() / 64, most_bytes));
    bool is_in_string = false;
    std::size_t& at = escaped.read_bytes;
    while (at < raw.size() && escaped.text.size() < most_bytes) {
        char const c = raw[at++];
        if (c == '"') is_in_string = !is_in_string;
        if (is_in_string && c > 0 && c < ' ') {
            escaped.text += fmt::format("\\u{:04x}", static_cast<int>(c));
            continue;
        }
        escaped.text += c;
        if (is_in_string && c == '\\' && at < raw.size()) escaped.text += raw[at++];
    }
    return escaped;
}

/// "line 2, column 16" of the last byte of `text`.
std::string describe_end(std::string_view text)
{
    auto const line_end = text.substr(0, text.empty() ? 0 : text.size() - 1).rfind('\n');
    std::size_t const column = line_end == std::string_view::npos ? text.size() : text.size() - line_end - 1;
    return fmt::format("line {}, column {}", 1 + std::ranges::count(text.substr(0, text.size() - column), '\n'),
                       column);
}

[[noreturn]] void refuse_json(std::string const& error, std::filesystem::path const& path,
                              std::string const& what_to_do)
{
    fail_input("not valid JSON: " + error, path.string(), {}, what_to_do);
}

} // namespace

std::string describe_json_error(std::string_view what)
{
    if (what.starts_with("[json.exception.")) what.remove_prefix(std::min(what.find("] ") + 2, what.size()));
    if (what.starts_with(kParseError)) what.remove_prefix(kParseError.size());
    constexpr std::string_view kOverflow = "number overflow parsing '";
    if (!what.starts_with(kOverflow)) return std::string(what);
    what.remove_prefix(kOverflow.size());
    return fmt::format("the number {} is too large", what.substr(0, what.find('\'')).substr(0, 40));
}

nlohmann::json read_json_file(std::filesystem::path const& path, std::string const& what_to_do)
{
    std::string const text = read_json_text(path, what_to_do);
    try {
        return nlohmann::json::parse(text);
    } catch (nlohmann::json::exception const& error) { // not only parse_error: 1e999 is out_of_range
        refuse_json(describe_json_error(error.what()), path, what_to_do);
    }
}

nlohmann::json read_json_file_of_cjson(std::filesystem::path const& path, std::string const& what_to_do)
{
    std::string const raw = read_json_text(path, what_to_do);
    try {
        return nlohmann::json::parse(escape_strings(raw).text);
    } catch (nlohmann::json::parse_error const& error) {
        std::string const message = describe_json_error(error.what());
        auto const place = describe_end(std::string_view(raw).substr(0, escape_strings(raw, error.byte).read_bytes));
        refuse_json(place + message.substr(std::min(message.find(':'), message.size())), path, what_to_do);
    } catch (nlohmann::json::exception const& error) {
        refuse_json(describe_json_error(error.what()), path, what_to_do);
    }
}

nlohmann::json parse_json_of_cjson(std::string_view text)
{
    if (is_nested_too_deeply(text)) return nlohmann::json(nlohmann::json::value_t::discarded);
    // Text that needs no second copy, of a volume for example, gets none.
    nlohmann::json parsed = nlohmann::json::parse(text, nullptr, false);
    return parsed.is_discarded() ? nlohmann::json::parse(escape_strings(text).text, nullptr, false) : parsed;
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
