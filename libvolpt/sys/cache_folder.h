// Where files go that a program can make again.
#pragma once

#include <filesystem>

namespace volpt {

/// "volpt" in the user's folder for caches ($XDG_CACHE_HOME, else ~/.cache), whether it exists or not; empty if the
/// environment names no absolute folder.
std::filesystem::path find_cache_folder();

} // namespace volpt
