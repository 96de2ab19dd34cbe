// Finds material tables: a path, or the name of a table that comes with the programs.
#pragma once

#include "libvolpt/medium/materials.h"

#include <filesystem>
#include <string>
#include <vector>

namespace volpt {

/// Reads `elek2017.json` or `elek2017`: a file of that name if there is one, else the table of that name in the folders
/// below. Error (input) lists the tables there are if neither is there, and what is wrong with a table.
MaterialTable open_material_table(std::string const& name_or_path);

/// $VOLPT_DATA_DIR/materials, if set; share/volpt/materials beside the folder of the running program.
std::vector<std::filesystem::path> list_material_folders();

} // namespace volpt
