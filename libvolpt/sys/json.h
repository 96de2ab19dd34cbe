// JSON: files that users give, and text to values and back.
//
// <nlohmann/json.hpp> costs 1.5 s of compilation, each instantiation of its parser or its writer 1 s more (measured on
// one loaded core). Sources that only read or write text include this header alone.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace volpt {

/// Objects and lists inside each other. Deeper text is refused before it is parsed: memory grows with the depth, and
/// the library that writes values recurses.
inline constexpr int kMaxJsonDepth = 100;

/// Error (input) names the file, and line and column if the text is not valid JSON; also if it is larger than 16 MiB or
/// nested deeper than kMaxJsonDepth. `what_to_do` is that of the Error.
nlohmann::json read_json_file(std::filesystem::path const& path, std::string const& what_to_do = "correct the file");

/// The numbers of `object[key]`: one number or an array of 1 to `most`, each in [low, high]. Error (input) names
/// `where` and key.
std::vector<double> read_json_numbers(nlohmann::json const& object, char const* key, double low, double high,
                                      std::size_t most, std::string const& where);

/// Error (input) for a value that is no object, and for the first key that is not among `known`; names the nearest one.
/// `what_to_do` is that of the first Error.
void refuse_unknown_keys(nlohmann::json const& object, std::span<std::string_view const> known,
                         std::string const& where, std::string const& what_to_do = {});

/// False too if the text is nested deeper than kMaxJsonDepth.
bool is_valid_json(std::string_view text);

/// A discarded value (is_discarded) if the text is not valid JSON or is nested deeper than kMaxJsonDepth.
nlohmann::ordered_json parse_json(std::string_view text);
/// Invalid UTF-8 is replaced, not refused. One line, or with the members indented by `indent`.
std::string format_json(nlohmann::ordered_json const& value, int indent = -1);

/// None unless the text is a JSON array of strings.
std::optional<std::vector<std::string>> parse_json_strings(std::string_view text);
std::string format_json_strings(std::span<std::string const> strings);

} // namespace volpt
