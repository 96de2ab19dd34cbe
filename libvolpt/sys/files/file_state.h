// What is known of a file before it is opened. std::filesystem throws its own exceptions where folders may not be
// entered, links run in a circle or names are too long.
#pragma once

#include <cstdint>
#include <filesystem>

namespace volpt {

/// False if there is nothing of this name; Error (input) that says why if it cannot be known.
bool is_there(std::filesystem::path const& path);

/// Error (input).
std::uint64_t find_file_bytes(std::filesystem::path const& path);

/// With the folders above it. Error (system).
void make_folder(std::filesystem::path const& path);

} // namespace volpt
