// Which films volmerge is given: names, folders of films, and lists of names.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace volpt {

/// The arguments in order, a folder standing for the .vpf files in it by name, then the lines of `list` ("-": stdin),
/// which name files. Error (input) for a list or folder that cannot be read, (usage) if both are missing.
std::vector<std::filesystem::path> list_inputs(std::vector<std::string> const& arguments,
                                               std::optional<std::string> const& list);

} // namespace volpt
