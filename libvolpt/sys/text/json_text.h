// JSON as other programs write and read it: strings over several lines, and the JSON library's messages in sentences.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace volpt {

/// read_json_file for text that cJSON reads: control characters stand in strings as they are, where RFC 8259 wants them
/// escaped. NUL, and everything else that RFC 8259 refuses, is an Error (input), with its line and column in the file.
nlohmann::json read_json_file_of_cjson(std::filesystem::path const& path, std::string const& what_to_do);
/// parse_json for such text.
nlohmann::json parse_json_of_cjson(std::string_view text);

/// An exception's what() of nlohmann::json without its class and number: "key 'accessors' not found", "line 2, column
/// 16: syntax error ..", "the number 1e999 is too large".
std::string describe_json_error(std::string_view what);

} // namespace volpt
