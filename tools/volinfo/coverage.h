// The share of each material by depth, as numbers and as a plot.
#pragma once

#include "libvolpt/image/drawing/drawing.h"
#include "libvolpt/volume/volume.h"

#include <nlohmann/json_fwd.hpp>

namespace volpt {

/// {"materials": [name, ..], "total": {name: share}, "layers": [{"layer": z, "depth_mm": [top, bottom], "share": [by
/// material]}]}, the uppermost layer (+z) first; of mixtures the inks they are made of. Error (usage) unless the volume
/// has materials.
nlohmann::ordered_json report_coverage(PackedVolume const& volume);

/// Depth from the +z face to the right, shares piled up, each material in its colour. The depth ends a little below the
/// last layer that differs from the deepest one.
Drawing draw_coverage(PackedVolume const& volume);

} // namespace volpt
