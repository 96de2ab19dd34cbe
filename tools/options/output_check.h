// No tool overwrites what it reads.
#pragma once

#include "tools/options/tool.h"

#include <filesystem>
#include <vector>

namespace volpt {

/// Absolute, links resolved, also of a file that is not there; empty if the system refuses to look.
std::filesystem::path find_whole_path(std::filesystem::path const& path);

/// Whether both names lead to one file: by inode where both exist, else by path, links resolved.
bool is_same_file(std::filesystem::path const& a, std::filesystem::path const& b);

/// To be called before anything is read. Error (usage) if an output is one of the inputs or the --config file, or if
/// two outputs are one file.
void refuse_overwriting(ToolRun const& run, std::vector<std::filesystem::path> inputs,
                        std::vector<std::filesystem::path> const& outputs);

} // namespace volpt
