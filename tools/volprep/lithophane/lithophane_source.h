// --lithophane: a plate of one medium that shows a picture by its thickness.
#pragma once

#include "tools/options/tool.h"
#include "tools/volprep/options.h"

namespace volpt {

/// The plate as a volume that its mesh bounds; of pla-white unless a medium is given. A notice tells its size, its
/// thicknesses and how dark its darkest place is. Error (usage) without --width,
/// for an export of another name, and as make_lithophane_relief.
std::unique_ptr<VoxelStream> open_lithophane(ToolRun const& run, VolprepOptions const& options);

/// Writes the same plate's mesh to --export, as .stl; errors and notices are the same.
ExitStatus export_lithophane(ToolRun const& run, VolprepOptions const& options);

} // namespace volpt
