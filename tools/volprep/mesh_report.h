// volprep --check-mesh: whether a triangle mesh is the surface of a solid, and what is wrong with it.
#pragma once

#include "tools/options/tool.h"

#include <filesystem>

namespace volpt {

/// Reads the mesh, makes vertices at equal positions one, prints what check_mesh finds (text or JSON). Status negative
/// unless the mesh is accepted.
ExitStatus report_mesh(ToolRun const& run, std::filesystem::path const& path);

} // namespace volpt
