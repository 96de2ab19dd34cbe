// Small JSON files given by the user: colour tables, material tables.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <vector>

namespace volpt {

/// Error (input) names file and offset if the text is no JSON or larger than 16 MiB.
nlohmann::json read_json_file(std::filesystem::path const& path);

/// The numbers of `object[key]`: one number or an array of 1 to `most`, each in [low, high]. Error (input) names
/// `where` and key.
std::vector<double> read_json_numbers(nlohmann::json const& object, char const* key, double low, double high,
                                      std::size_t most, std::string const& where);

} // namespace volpt
