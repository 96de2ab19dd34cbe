// Renders the reference of a film on the CPU.
#pragma once

#include "libvolpt/stats/verdict/subject.h"
#include "tools/options/tool.h"

#include <filesystem>
#include <optional>

namespace volpt {

/// A film of the scene, seed and samples of `like`. Error (input) if volume or environment are not the film's.
Film render_cpu_reference(Film const& like, std::filesystem::path const& volume,
                          std::optional<std::filesystem::path> const& environment, ToolRun const& run);

} // namespace volpt
