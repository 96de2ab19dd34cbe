// JSON files that users give (colour tables, material tables), and errors in them.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace volpt {

/// Error (input) names the file, and line and column if the text is not valid JSON; also if it is larger than 16 MiB or
/// nested deeper than 100. `what_to_do` is that of the Error.
nlohmann::json read_json_file(std::filesystem::path const& path, std::string const& what_to_do = "correct the file");

/// The numbers of `object[key]`: one number or an array of 1 to `most`, each in [low, high]. Error (input) names
/// `where` and key.
std::vector<double> read_json_numbers(nlohmann::json const& object, char const* key, double low, double high,
                                      std::size_t most, std::string const& where);

} // namespace volpt
