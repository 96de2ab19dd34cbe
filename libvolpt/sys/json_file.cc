// Reads small JSON files with messages that say where.
#include "libvolpt/sys/json_file.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/sys/file_bytes.h"
#include "libvolpt/sys/json_error.h"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace volpt {

nlohmann::json read_json_file(std::filesystem::path const& path)
{
    constexpr std::uint64_t kMaxBytes = std::uint64_t{16} << 20;
    FileBytes const file(path);
    if (file.size_bytes() > kMaxBytes)
        fail_input(fmt::format("{} bytes are too many for a table", file.size_bytes()), path.string(), {},
                   "give a JSON table");
    std::string text(static_cast<std::size_t>(file.size_bytes()), '\0');
    file.read_at(0, std::as_writable_bytes(std::span(text)));
    // Depth is bounded before parsing: the parser's memory grows with it.
    int depth = 0;
    for (char const c : text) {
        depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
        if (depth > 100) fail_input("nested too deeply for a table", path.string(), {}, "give a JSON table");
    }
    try {
        return nlohmann::json::parse(text);
    } catch (nlohmann::json::parse_error const& error) {
        fail_input("is no JSON text", path.string(), describe_json_error(error.what()), "correct that line");
    } catch (nlohmann::json::exception const& error) {
        // A number such as 1e999 is no parse error to the library.
        fail_input("is no usable JSON text", path.string(), error.what(), "correct it");
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
            fail_input(fmt::format("'{}': {} is no number from {} to {}", key, element.dump().substr(0, 40), low, high),
                       where, {}, "correct it");
        numbers.push_back(number);
    }
    if (numbers.empty() || numbers.size() > most)
        fail_input(fmt::format("'{}' holds {} numbers", key, numbers.size()), where,
                   fmt::format("1 to {} are possible", most), "correct it");
    return numbers;
}

} // namespace volpt
