#pragma once

#include "libvolpt/volume/mesh/occupancy.h"
#include "libvolpt/volume/mesh/smooth_surface.h"

#include <string>

namespace volpt {

/// OpenVDB's volumeToMesh of the occupancy, 1 or 0, at 0.5, without adaptivity, run in a sandboxed process. What lies
/// outside the box is empty; all vertices are in the box. Error (input, at `where`) if the process fails or exceeds its
/// limits, or if what it sends is not such a surface.
QuadMesh find_smooth_surface(Occupancy const& occupied, std::string const& where);

} // namespace volpt
