// No job overwrites what it reads.
#pragma once

#include <filesystem>
#include <vector>

namespace volpt {

/// Absolute, links resolved, also of a file that is not there; empty if the system refuses to look.
std::filesystem::path find_whole_path(std::filesystem::path const& path);

/// Whether both names lead to one file: by inode where both exist, else by path, links resolved.
bool is_same_file(std::filesystem::path const& a, std::filesystem::path const& b);

/// To be called before anything is read. Error (usage) if an output is one of the inputs, or if two outputs are one
/// file.
void refuse_overwriting(std::vector<std::filesystem::path> const& inputs,
                        std::vector<std::filesystem::path> const& outputs);

} // namespace volpt
