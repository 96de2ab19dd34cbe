// Whether a triangle mesh is the surface of a solid, and what is wrong with it.
#pragma once

#include "libvolpt/surface/check_mesh.h"
#include "tools/options/tool.h"

#include <filesystem>

namespace volpt {

/// volprep --check-mesh: reads the mesh, makes vertices at equal positions one, prints what check_mesh finds (text or
/// JSON). Status negative unless the mesh is accepted.
ExitStatus report_mesh(ToolRun const& run, std::filesystem::path const& path);

/// "open edges: 3, the first one triangle 0 at 1, 2, 3 mm".
std::string format_finding(MeshFinding const& finding);

} // namespace volpt
