// The names of what comes with the programs as JSON files, and messages that list them.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace volpt {

/// The names of the .json files in `folders`, without ending, sorted, each once; schemas are left out.
std::vector<std::string> list_preset_names(std::span<std::filesystem::path const> folders);

/// "elek2017, forti2018 come with the programs; the nearest is elek2017", for an error on `wanted`, which is none of
/// `names`.
std::string describe_presets(std::span<std::string const> names, std::string const& wanted);

} // namespace volpt
