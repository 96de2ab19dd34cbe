// Whether a file is one of the suite's own.
#pragma once

#include <filesystem>

namespace volpt {

/// True for what is named .vpk or .vpf, be it there or not, and for files that begin as a packed volume or a film.
bool is_own_file(std::filesystem::path const& path);

} // namespace volpt
