// Headerless volumes: numbers alone, x fastest, in a layout that the user gives.
#pragma once

#include "libvolpt/volume/source/volume_source.h"

#include <filesystem>
#include <memory>

namespace volpt {

/// Error (input) unless the file, or what a .gz inflates to, holds exactly dims.x * dims.y * dims.z elements.
std::unique_ptr<VolumeSource> open_raw(std::filesystem::path const& path, std::array<int, 3> dims, StoredType stored);

} // namespace volpt
